//! Rules for RolloutPolicy that no schema expresses.

use crate::read::notes::Notes;
use tidegate_api::rollout_policy::RolloutPolicySpec;
use tidegate_rollout::gate;

/// Adds the problems of a RolloutPolicy.
pub(super) fn check(notes: &mut Notes<'_>) {
    let object = notes.object;
    let spec = object.value.get("spec").cloned().unwrap_or_default();
    // A policy that does not fit its type violates its schema, which is reported.
    let Ok(spec) = serde_json::from_value::<RolloutPolicySpec>(spec) else { return };
    for (at, message) in gate::problems(&spec) {
        notes.error(object.value_origin(&at), message);
    }
}
