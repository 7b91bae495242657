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
    /// The objects that could not be written first.
    pub(super) unwritten: BTreeSet<ObjectKey>,
}

/// Carries out lanes. `deferred` are the objects of planned writes that are not in them.
pub(super) async fn act(
    hub: &Hub,
    lanes: Vec<Lane>,
    repository: &Repository,
    deferred: BTreeSet<ObjectKey>,
) -> (Outcome, Withheld) {
    let (first, rest): (Vec<_>, Vec<_>) = lanes.into_iter().partition(|lane| lane.stage <= Stage::Decide);
    let mut outcome = hub.act(first).await;
    let unwritten: BTreeSet<ObjectKey> = outcome.failed().into_iter().chain(deferred).collect();
    let undecided = Undecided::of(repository, &unwritten);
    let (withheld, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|lane| undecided.concerns(lane));
    outcome.add(hub.act(rest).await);
    let keys = withheld.iter().flat_map(|lane| &lane.writes).filter_map(Write::key).collect();
    (outcome, Withheld { keys, undecided, unwritten })
}
