//! Carries out the writes of a plan: first the decisions of Placements, then what depends on them.

use std::collections::BTreeSet;

use crate::hub::{Hub, Outcome};
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::object::ObjectKey;
use tidegate_plan::Undecided;
use tidegate_repository::Repository;

/// What was not sent, because the decisions that it depends on could not be written.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// The objects.
    pub(super) keys: BTreeSet<ObjectKey>,
    /// The add-ons.
    pub(super) undecided: Undecided,
    /// The decisions that could not be written.
    pub(super) unwritten: BTreeSet<ObjectKey>,
}

/// Carries out lanes. `planned` are the objects of all planned writes; those that are not in the lanes were deferred.
pub(super) async fn act(
    hub: &Hub,
    lanes: Vec<Lane>,
    repository: &Repository,
    planned: &[ObjectKey],
) -> (Outcome, Withheld) {
    let writes = lanes.iter().flat_map(|lane| &lane.writes);
    let sent: BTreeSet<ObjectKey> = writes.filter_map(Write::key).filter(Undecided::depends_on).collect();
    let deferred = planned.iter().filter(|key| Undecided::depends_on(key) && !sent.contains(*key)).cloned();
    let (first, rest): (Vec<_>, Vec<_>) = lanes.into_iter().partition(|lane| lane.stage <= Stage::Decide);
    let mut outcome = hub.act(first).await;
    let failed = outcome.failed().into_iter().filter(Undecided::depends_on);
    let unwritten: BTreeSet<ObjectKey> = failed.chain(deferred).collect();
    let undecided = Undecided::of(repository, &unwritten);
    let (withheld, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|lane| undecided.concerns(lane));
    outcome.add(hub.act(rest).await);
    let keys = withheld.iter().flat_map(|lane| &lane.writes).filter_map(Write::key).collect();
    (outcome, Withheld { keys, undecided, unwritten })
}
