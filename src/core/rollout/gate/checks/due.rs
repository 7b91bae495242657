//! When a check is measured.

use super::evidence::Evidence;
use super::observation::Outcome;
use super::read::Check;
use super::stage::Phase;
use tidegate_api::rollout_policy::When;
use tidegate_model::time::Timestamp;

/// Returns `true` if a measurement of a group counts at all. A result of an earlier time says nothing about the clusters of the group.
pub(super) fn counts(check: &Check, phase: Phase, at: Timestamp) -> bool {
    match (phase, check.when) {
        (Phase::Idle, _) | (Phase::Underway, When::After) => false,
        (Phase::Done { since }, When::After) => at >= since,
        (Phase::Underway | Phase::Done { .. }, When::Soak) => true,
    }
}

/// Returns `true` if a measurement shows how the group is now that all of its clusters are done.
pub(super) fn is_final(phase: Phase, at: Timestamp) -> bool {
    matches!(phase, Phase::Done { since } if at >= since)
}

/// Returns when a check of a group is measured next; `None` if it is not. `has_waiting` is whether clusters of later groups wait.
pub(super) fn due(check: &Check, phase: Phase, evidence: Option<&Evidence>, has_waiting: bool) -> Option<Timestamp> {
    let earliest = match (phase, check.when) {
        (Phase::Idle, _) | (Phase::Underway, When::After) => return None,
        (Phase::Underway, When::Soak) => Timestamp::MIN,
        (Phase::Done { .. }, _) if !has_waiting => return None,
        (Phase::Done { since }, _) => since,
    };
    let Some(evidence) = evidence.filter(|evidence| evidence.at >= earliest) else { return Some(earliest) };
    // What has passed after the group was done stays passed. A check of the soak time has to pass as long as clusters wait.
    if check.when == When::After && evidence.outcome == Outcome::Passed {
        return None;
    }
    Some(evidence.latest().checked_add(check.interval).unwrap_or(Timestamp::MAX))
}
