//! The plans of open pull requests, each made again when its branch or the followed branch has moved.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::planner::{Base, Circumstance, Head, Planned};
use super::trees::Trees;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{SignedDuration, Timestamp};

/// A plan is made again after this time, because the fleet has changed in the meantime.
const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// The most plans of one look. Plans of a large fleet take seconds.
const MOST: usize = 20;

/// The plans of open pull requests, and of entries of merge queues.
#[derive(Default)]
pub(super) struct Plans {
    known: BTreeMap<Head, Known>,
}

/// A plan, or why there is none.
struct Known {
    base: CommitId,
    at: Timestamp,
    outcome: Result<Arc<Planned>, String>,
}

impl Plans {
    /// Returns the heads to plan, because they have no current plan: new ones first, then those with the oldest plans. The others follow in
    /// the next looks. All other plans are forgotten.
    pub(super) fn due(&mut self, base: &CommitId, heads: &[Head], now: Timestamp) -> Vec<Head> {
        self.known.retain(|head, _| heads.contains(head));
        let mut due: Vec<(Option<Timestamp>, &Head)> = heads
            .iter()
            .filter_map(|head| match self.known.get(head) {
                None => Some((None, head)),
                Some(known) => {
                    let is_current =
                        known.base == *base && known.outcome.is_ok() && now.duration_since(known.at) < FRESH;
                    (!is_current).then_some((Some(known.at), head))
                }
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
        (base, branch): (&CommitId, &str),
        due: Vec<Head>,
        given: Circumstance,
    ) {
        let (trees, commit, branch, at) = (trees.clone(), base.clone(), branch.to_owned(), given.now);
        let planned = tokio::task::spawn_blocking(move || {
            let base = Base::read(&trees, &commit, &branch).map_err(|error| ErrorChain(&error).to_string());
            let plan = |head: Head| {
                let planned = base.as_ref().map_err(Clone::clone).and_then(|base| planned(base, &trees, &head, &given));
                (head, planned.map(Arc::new))
            };
            due.into_iter().map(plan).collect::<Vec<_>>()
        });
        let Ok(planned) = planned.await else { return };
        for (head, outcome) in planned {
            self.known.insert(head, Known { base: base.clone(), at, outcome });
        }
    }

    /// Returns the plan of a head, or why there is none; `None` if it was not planned yet.
    pub(super) fn of(&self, head: &Head) -> Option<Result<Arc<Planned>, String>> {
        self.known.get(head).map(|known| known.outcome.clone())
    }
}

fn planned(base: &Base, trees: &Trees, head: &Head, given: &Circumstance) -> Result<Planned, String> {
    match base.plan(trees, head, given) {
        Ok(Some(planned)) => Ok(planned),
        Ok(None) => Err("its commits are not available".to_owned()),
        Err(error) => Err(ErrorChain(&error).to_string()),
    }
}
