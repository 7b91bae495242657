//! Condition `tidegate.io/Overdue` of a ManagedClusterAddOn: its cluster missed its deadline. Strict only.
//!
//! A mandatory group with a late cluster stays stopped, even if the cluster succeeds in the end. The other conditions
//! cannot prove lateness afterwards: the time of `Progressing` also moves when a cluster recovers during its soak time,
//! and on a hub that another manager drove before, the times mean something else. So this condition is written when the
//! deadline ends, or together with a success that is first seen after the deadline. It is removed when the cluster
//! starts on another configuration.

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::time::SignedDuration;

/// Returns the condition of a cluster whose deadline has ended.
pub fn claim(is_done: bool) -> Claim {
    if is_done {
        Claim::new(key::OVERDUE, "False", "DoneLate", "was done only after its progressDeadline")
    } else {
        Claim::new(key::OVERDUE, "True", "ProgressDeadlineExceeded", "was not done within its progressDeadline")
    }
}

/// Returns the time from the start of a cluster until it was found late, or succeeded late; `None` if it was never late
/// with its current configurations.
///
/// # Units
/// Whole seconds, since condition times have no fractions.
pub fn took(addon: &ManagedClusterAddOn) -> Option<SignedDuration> {
    let conditions = addon.status.as_ref()?.conditions.as_slice();
    let since = |type_: &str| condition::find(conditions, type_).map(|condition| condition.last_transition_time.0);
    let started = since(key::CONFIGURED).filter(|_| condition::is_true(conditions, key::CONFIGURED))?;
    let took = started.duration_until(since(key::OVERDUE)?);
    // If it was late before `Configured` last became true, one commit changed its configuration and another changed it
    // back.
    (!took.is_negative()).then_some(took)
}
