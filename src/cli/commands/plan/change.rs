//! A change as the commands that look ahead read it: two revisions, the journal and the fleet.

use super::fleet::{self, Named, Observed};
use super::past::{self, Known};
use super::sides::{Side, Sources};
use crate::cli::args::ChangeArgs;
use crate::cli::failure::Failure;
use crate::cli::journal::opened::Opened;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_repository::{PlanPolicy, Repository};
use tidegate_review::policy::{self, Circumstances};
use tidegate_review::proposal::document::Plan;
use tidegate_review::proposal::{self, Request, add_confirmed, propose};

/// A change, and everything that its plan needs.
pub(super) struct Change {
    pub(super) known: Known,
    base: Side,
    head: Side,
    observed: Observed,
    /// The policies of the configuration file.
    floor: Vec<PlanPolicy>,
}

impl Change {
    /// Reads a change.
    pub(super) async fn read(args: &ChangeArgs) -> Result<Self, Failure> {
        let reading = args.clone();
        let named = Named::read(&args.fleet).await?;
        let read = tokio::task::spawn_blocking(move || {
            let opened = Opened::open(&reading.source)?;
            let sources = Sources::of(&opened)?;
            let known = past::known(&opened)?;
            let is_first =
                |head: &Repository| known.written.is_none() && named.as_ref().is_some_and(|hub| hub.is_new_to(head));
            let (base, head) = sources.read(&reading, &known, is_first)?;
            let observed = fleet::observed(named, &known, (&base.repository, &head.repository))?;
            Ok(Self { known, base, head, observed, floor: sources.floor })
        });
        read.await.map_err(|error| Failure::internal(&error))?
    }

    /// Returns the plan of the change for one add-on or for all, with the policies that the whole change breaks.
    ///
    /// The policies of the base and of the configuration file judge it. Those of the head judge only later changes.
    pub(super) fn planned(&self, only: Option<&str>) -> Plan {
        let mut plan = self.with(only, propose);
        plan.notices.extend(self.observed.notice.clone());
        let prune = |side: &Side| side.repository.settings.prune.clone();
        let asked = self.known.held.iter().filter(|(what, _)| only.is_none_or(|only| only == what));
        add_confirmed(&mut plan, asked, (&prune(&self.base), &prune(&self.head)));
        let of = |side: &Side| side.repository.plan_policies.clone().unwrap_or_default();
        let (mut in_force, head) = (self.floor.clone(), of(&self.head));
        in_force.extend(of(&self.base));
        if in_force.is_empty() && head.is_empty() {
            return plan;
        }
        let (base, described) = (self.base.described.as_ref(), self.head.described.as_ref());
        let circumstances = Circumstances { now: to_seconds(Timestamp::now()), base, head: described };
        let broken = match only {
            None => policy::review(&plan, &in_force, &head, &circumstances),
            Some(_) => policy::review(&self.with(None, propose), &in_force, &head, &circumstances),
        };
        policy::add(&mut plan, broken);
        plan
    }

    /// Passes the change to a function of the core, for one add-on or for all.
    pub(super) fn with<R>(&self, only: Option<&str>, look: impl FnOnce(&Request<'_>) -> R) -> R {
        let Self { known, base, head, observed, .. } = self;
        look(&Request {
            base: half(base),
            head: half(head),
            fleet: &observed.fleet,
            source: &observed.source,
            as_of: observed.as_of,
            instance: &observed.instance,
            latencies: &known.latencies(),
            now: to_seconds(observed.as_of.unwrap_or_else(Timestamp::now)),
            only,
        })
    }
}

fn half(side: &Side) -> proposal::Side<'_> {
    proposal::Side { revision: side.revision.clone(), loaded: &side.loaded, repository: &side.repository }
}
