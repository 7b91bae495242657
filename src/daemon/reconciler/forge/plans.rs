//! The plans of open pull requests, each made again when its branch or the followed branch has moved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::planner::{Attempt, Base, Circumstance, Head, Planned};
use super::trees::Trees;
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// A plan is made again after this time, because the fleet has changed in the meantime.
const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// Maximum number of plans in one poll. Plans of a large fleet take seconds.
const MOST: usize = 20;

/// The plans of open pull requests, and of entries of merge queues.
#[derive(Default)]
pub(super) struct Plans {
    known: BTreeMap<Head, Known>,
}

/// What pull requests are merged into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ground {
    /// The tip of the followed branch.
    pub(super) commit: CommitId,
    /// The digests that were taken back.
    pub(super) rejected: BTreeSet<Digest>,
}

/// A plan, or why there is none.
struct Known {
    base: Ground,
    at: Timestamp,
    outcome: Result<Arc<Planned>, Unplanned>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unplanned {
    /// Something that may be different next time.
    Failed(String),
    /// The head is malformed or too large. It is read again only when it changes.
    Refused(String),
}

impl Known {
    /// Returns `true` if the plan need not be made again.
    fn is_current(&self, base: &Ground, now: Timestamp) -> bool {
        match &self.outcome {
            Err(Unplanned::Refused(_)) => true,
            Err(Unplanned::Failed(_)) => false,
            Ok(planned) => planned.is_too_large || self.base == *base && now.duration_since(self.at) < FRESH,
        }
    }
}

impl Plans {
    /// Returns the heads to plan, because they have no current plan: new ones first, then those with the oldest plans. The others follow in
    /// the next looks. All other plans are forgotten.
    pub(super) fn due(&mut self, base: &Ground, heads: &[Head], now: Timestamp) -> Vec<Head> {
        self.known.retain(|head, _| heads.contains(head));
        let mut due: Vec<(Option<Timestamp>, &Head)> = heads
            .iter()
            .filter_map(|head| match self.known.get(head) {
                None => Some((None, head)),
                Some(known) => (!known.is_current(base, now)).then_some((Some(known.at), head)),
            })
            .collect();
        due.sort_by_key(|(at, _)| *at);
        due.into_iter().take(MOST).map(|(_, head)| head.clone()).collect()
    }

    /// Returns the commits that are planned.
    pub(super) fn commits(&self) -> impl Iterator<Item = &CommitId> {
        self.known.keys().map(|head| &head.commit)
    }

    /// Plans heads.
    pub(super) async fn make(
        &mut self,
        trees: &Arc<Trees>,
        (base, branch): (&Ground, &str),
        due: Vec<Head>,
        given: Circumstance,
    ) {
        let (trees, commit, branch, at) = (trees.clone(), base.commit.clone(), branch.to_owned(), given.now);
        let planned = tokio::task::spawn_blocking(move || {
            let base = Base::read(&trees, &commit, &branch, &given.in_force)
                .map_err(|error| Unplanned::Failed(ErrorChain(&error).to_string()));
            let plan = |head: Head| {
                let planned = base.as_ref().map_err(Clone::clone).and_then(|base| planned(base, &trees, &head, &given));
                (head, planned)
            };
            due.into_iter().map(plan).collect::<Vec<_>>()
        });
        let Ok(planned) = planned.await else { return };
        for (head, outcome) in planned {
            self.known.insert(head, Known { base: base.clone(), at, outcome });
        }
    }

    /// Returns the plan of a head, or why there is none; `None` if it was not planned yet.
    pub(super) fn of(&self, head: &Head) -> Option<Result<Arc<Planned>, Unplanned>> {
        self.known.get(head).map(|known| known.outcome.clone())
    }
}

fn planned(base: &Base, trees: &Trees, head: &Head, given: &Circumstance) -> Result<Arc<Planned>, Unplanned> {
    match base.plan(trees, head, given) {
        Ok(Attempt::Planned(planned)) => Ok(planned),
        Ok(Attempt::Absent) => Err(Unplanned::Failed("its commits are not available".to_owned())),
        Ok(Attempt::Refused(why)) => Err(Unplanned::Refused(why)),
        Err(error) => Err(Unplanned::Failed(ErrorChain(&error).to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(digit: &str) -> CommitId {
        digit.repeat(40).parse().unwrap()
    }

    #[test]
    fn a_head_that_was_refused_is_not_read_again_before_it_changes() {
        let head = |digit: &str| Head { name: "pull request 1".to_owned(), commit: commit(digit) };
        let on = |digit: &str| Ground { commit: commit(digit), rejected: BTreeSet::new() };
        let known = |why: Unplanned| Known { base: on("a"), at: Timestamp::UNIX_EPOCH, outcome: Err(why) };
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        let refused = || Plans { known: [(head("1"), known(Unplanned::Refused("too large".to_owned())))].into() };
        assert_eq!(refused().due(&on("b"), &[head("1")], now), [], "also if the branch has moved, after an hour");
        assert_eq!(refused().due(&on("a"), &[head("2")], now), [head("2")]);
        let mut failed = Plans { known: [(head("1"), known(Unplanned::Failed("no network".to_owned())))].into() };
        assert_eq!(failed.due(&on("a"), &[head("1")], now), [head("1")]);
    }
}
