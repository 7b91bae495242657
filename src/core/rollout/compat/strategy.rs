//! Upstream's three strategies on top of its two procedures.

use crate::cluster_index::ClusterIndex;
use crate::compat::procedure::{Draft, Known, Procedure, at_most, members};
use crate::compat::tracker::Tracker;
use crate::compat::verdicts::{Phase, Verdicts};
use crate::group::Group;
use crate::settings::{Kind, Settings};
use crate::threshold::Threshold;
use crate::{Decision, Error, Input};

/// Decides as upstream does.
pub(crate) fn decide(input: &Input<'_>) -> Result<Decision, Error> {
    let settings = Settings::of(input.strategy)?;
    let index = ClusterIndex::new(input.groups, input.existing);
    let tracker = Tracker(&index.groups);
    let reached = index.by_number(members(&tracker.groups_except(&[])).map(|(number, _)| (number, ())));
    let timing = match settings.kind {
        // Everything at once: soak time and failure budget are ignored.
        Kind::All => settings.without_soak().timing(input.now)?,
        Kind::Progressive | Kind::ProgressivePerGroup => settings.timing(input.now)?,
    };
    let mut removed = Vec::new();
    let mut current = Vec::with_capacity(index.given.len());
    for (number, given) in &index.given {
        let number = number.filter(|number| reached.get(*number).is_some_and(Option::is_some));
        current.push(number.map(|number| Known::new(number, given, &timing)));
        if number.is_none() {
            removed.push((*given).clone());
        }
    }
    let procedure = Procedure { now: input.now, index: &index, current };
    let total = reached.iter().flatten().count();
    let walk = Rollout { settings, tracker, total, procedure: &procedure }.walk()?;
    let verdicts = Verdicts { phase: walk.phase, procedure: &procedure, draft: &walk.draft, walked: &walk.groups }.of();
    Ok(Decision { verdicts, ..walk.draft.decision }.with_removed(removed))
}

/// A decision, and how it was reached.
struct Walk<'a> {
    phase: Phase,
    groups: Vec<&'a Group>,
    draft: Draft,
}

/// One placement at one moment.
struct Rollout<'a> {
    settings: Settings<'a>,
    tracker: Tracker<'a>,
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
                let total = self.procedure.index.by_number(members(&rest)).iter().flatten().count();
                let concurrency = at_most(self.settings.max_concurrency()?, total, total);
                Ok(self.window(rest, concurrency, max_failures))
            }
            Kind::ProgressivePerGroup => {
                let max_failures = self.settings.max_failures()?;
                if let Some(walk) = self.mandatory() {
                    return Ok(walk);
                }
                let groups = self.tracker.groups_except(self.settings.mandatory);
                let draft = self.procedure.per_group(&groups, max_failures);
                Ok(Walk { phase: Phase::Groups { max_failures }, groups, draft })
            }
        }
    }

    fn window(&self, groups: Vec<&'a Group>, allowed: usize, max_failures: usize) -> Walk<'a> {
        let draft = self.procedure.per_cluster(&groups, allowed, max_failures);
        Walk { phase: Phase::Window { allowed, max_failures }, groups, draft }
    }

    /// Processes the mandatory groups, which tolerate no failure; `None` once nothing is left to do or to wait for.
    ///
    /// That includes the clusters of all other groups, because the procedure looks at them as well.
    fn mandatory(&self) -> Option<Walk<'a>> {
        let groups = self.tracker.groups(self.settings.mandatory);
        if groups.is_empty() {
            return None;
        }
        let draft = self.procedure.per_group(&groups, Threshold::Count(0));
        let idle = draft.decision.rollout.is_empty() && draft.decision.timed_out.is_empty();
        (!idle).then_some(Walk { phase: Phase::Mandatory, groups, draft })
    }
}
