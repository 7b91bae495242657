//! Upstream's three strategies on top of its two procedures.

use std::collections::HashSet;

use crate::rollout::compat::procedure::{Procedure, at_most};
use crate::rollout::compat::tracker::{Tracker, size};
use crate::rollout::settings::{Kind, Settings};
use crate::rollout::threshold::Threshold;
use crate::rollout::{ClusterStatus, Decision, Error, Input};

/// Decides as upstream does.
pub(in crate::rollout) fn decide(input: &Input<'_>) -> Result<Decision, Error> {
    let settings = Settings::of(input.strategy)?;
    let tracker = Tracker::new(input.groups);
    let groups = tracker.groups_except(&[]);
    let members: HashSet<&str> = groups.iter().flat_map(|group| &group.clusters).map(|c| c.as_str()).collect();
    let (current, removed): (Vec<_>, Vec<_>) =
        input.existing.iter().partition(|status| members.contains(status.cluster.as_str()));
    let rollout = Rollout { settings, tracker: &tracker, total: members.len(), current };
    let decision = match settings.kind {
        Kind::All => rollout.all(input),
        Kind::Progressive => rollout.progressive(input),
        Kind::ProgressivePerGroup => rollout.per_group(input),
    }?;
    Ok(Decision { removed: removed.into_iter().cloned().collect(), ..decision })
}

/// One placement at one moment.
struct Rollout<'a> {
    settings: Settings<'a>,
    tracker: &'a Tracker<'a>,
    total: usize,
    current: Vec<&'a ClusterStatus>,
}

impl Rollout<'_> {
    /// Everything at once. Soak time and failure budget of the settings are not looked at.
    fn all(self, input: &Input<'_>) -> Result<Decision, Error> {
        let patience = self.settings.without_soak().patience(input.now)?;
        let procedure = Procedure { patience, current: self.current };
        Ok(procedure.per_cluster(&self.tracker.groups_except(&[]), self.total, self.total))
    }

    fn progressive(self, input: &Input<'_>) -> Result<Decision, Error> {
        let patience = self.settings.patience(input.now)?;
        let max_failures = at_most(self.settings.max_failures()?, self.total, 0);
        let procedure = Procedure { patience, current: self.current };
        if let Some(decision) = mandatory(self.tracker, &self.settings, &procedure) {
            return Ok(decision);
        }
        let rest = self.tracker.groups_except(self.settings.mandatory);
        let total = size(&rest);
        let concurrency = at_most(self.settings.max_concurrency()?, total, total);
        Ok(procedure.per_cluster(&rest, concurrency, max_failures))
    }

    fn per_group(self, input: &Input<'_>) -> Result<Decision, Error> {
        let patience = self.settings.patience(input.now)?;
        let max_failures = self.settings.max_failures()?;
        let procedure = Procedure { patience, current: self.current };
        if let Some(decision) = mandatory(self.tracker, &self.settings, &procedure) {
            return Ok(decision);
        }
        Ok(procedure.per_group(&self.tracker.groups_except(self.settings.mandatory), max_failures))
    }
}

/// Takes the mandatory groups, which tolerate no failure; `None` once nothing is left to do or to wait for.
///
/// What is left includes the clusters of all other groups, since the procedure looks at them as well.
fn mandatory(tracker: &Tracker<'_>, settings: &Settings<'_>, procedure: &Procedure<'_>) -> Option<Decision> {
    let groups = tracker.groups(settings.mandatory);
    if groups.is_empty() {
        return None;
    }
    let decision = procedure.per_group(&groups, Threshold::Count(0));
    let idle = decision.rollout.is_empty() && decision.timed_out.is_empty();
    (!idle).then_some(decision)
}
