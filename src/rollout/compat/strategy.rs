//! Upstream's three strategies on top of its two procedures.

use std::collections::HashSet;

use crate::rollout::compat::procedure::{Procedure, at_most};
use crate::rollout::compat::tracker::{Tracker, size};
use crate::rollout::compat::verdicts::{Phase, Verdicts};
use crate::rollout::group::Group;
use crate::rollout::settings::{Kind, Settings};
use crate::rollout::threshold::Threshold;
use crate::rollout::{Decision, Error, Input};

/// Decides as upstream does.
pub(in crate::rollout) fn decide(input: &Input<'_>) -> Result<Decision, Error> {
    let settings = Settings::of(input.strategy)?;
    let tracker = Tracker::new(input.groups);
    let groups = tracker.groups_except(&[]);
    let members: HashSet<&str> = groups.iter().flat_map(|group| &group.clusters).map(|c| c.as_str()).collect();
    let (current, removed): (Vec<_>, Vec<_>) =
        input.existing.iter().partition(|status| members.contains(status.cluster.as_str()));
    let patience = match settings.kind {
        // Everything at once: soak time and failure budget of the settings are not looked at.
        Kind::All => settings.without_soak().patience(input.now)?,
        Kind::Progressive | Kind::ProgressivePerGroup => settings.patience(input.now)?,
    };
    let procedure = Procedure { patience, current };
    let total = members.len();
    let walk = Rollout { settings, tracker: &tracker, total, procedure: &procedure }.walk()?;
    let reached = groups.iter().map(|group| group.key.index).collect();
    let verdicts =
        Verdicts { phase: walk.phase, procedure: &procedure, decision: &walk.decision, walked: walk.groups, reached };
    let verdicts = verdicts.of(tracker.all());
    Ok(Decision { verdicts, ..walk.decision }.with_removed(removed.into_iter().cloned().collect()))
}

/// A decision, and how it came about.
struct Walk<'a> {
    phase: Phase,
    groups: Vec<&'a Group<'a>>,
    decision: Decision,
}

/// One placement at one moment.
struct Rollout<'a> {
    settings: Settings<'a>,
    tracker: &'a Tracker<'a>,
    total: usize,
    procedure: &'a Procedure<'a>,
}

impl<'a> Rollout<'a> {
    fn walk(&self) -> Result<Walk<'a>, Error> {
        match self.settings.kind {
            Kind::All => Ok(self.window(self.tracker.groups_except(&[]), self.total, self.total)),
            Kind::Progressive => {
                let max_failures = at_most(self.settings.max_failures()?, self.total, 0);
                if let Some(walk) = self.mandatory() {
                    return Ok(walk);
                }
                let rest = self.tracker.groups_except(self.settings.mandatory);
                let total = size(&rest);
                let concurrency = at_most(self.settings.max_concurrency()?, total, total);
                Ok(self.window(rest, concurrency, max_failures))
            }
            Kind::ProgressivePerGroup => {
                let max_failures = self.settings.max_failures()?;
                if let Some(walk) = self.mandatory() {
                    return Ok(walk);
                }
                let groups = self.tracker.groups_except(self.settings.mandatory);
                let decision = self.procedure.per_group(&groups, max_failures);
                Ok(Walk { phase: Phase::Groups { max_failures }, groups, decision })
            }
        }
    }

    fn window(&self, groups: Vec<&'a Group<'a>>, allowed: usize, max_failures: usize) -> Walk<'a> {
        let decision = self.procedure.per_cluster(&groups, allowed, max_failures);
        Walk { phase: Phase::Window { allowed, max_failures }, groups, decision }
    }

    /// Takes the mandatory groups, which tolerate no failure; `None` once nothing is left to do or to wait for.
    ///
    /// What is left includes the clusters of all other groups, since the procedure looks at them as well.
    fn mandatory(&self) -> Option<Walk<'a>> {
        let groups = self.tracker.groups(self.settings.mandatory);
        if groups.is_empty() {
            return None;
        }
        let decision = self.procedure.per_group(&groups, Threshold::Count(0));
        let idle = decision.rollout.is_empty() && decision.timed_out.is_empty();
        (!idle).then_some(Walk { phase: Phase::Mandatory, groups, decision })
    }
}
