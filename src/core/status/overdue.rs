//! Condition `tidegate.io/Overdue` of a ManagedClusterAddOn: that its cluster was not done when its deadline ended.
//! Strict only.
//!
//! A mandatory group whose cluster was late stays stopped, even if the cluster is done in the end. The other conditions
//! cannot prove that later: the time of `Progressing` also moves when a cluster recovers during its soak time, and on a
//! hub that another manager drove before, their times mean something else. So this one is written when the deadline
//! ends, and in the same write as a success that is seen only after the deadline. It is removed when the cluster starts
//! on another configuration.

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

/// Returns how long after its start a cluster was found late, or done late; `None` if it never was with what it has.
///
/// # Units
/// Whole seconds, since the conditions hold no fractions.
pub fn took(addon: &ManagedClusterAddOn) -> Option<SignedDuration> {
    let conditions = addon.status.as_ref()?.conditions.as_slice();
    let since = |type_: &str| condition::find(conditions, type_).map(|condition| condition.last_transition_time.0);
    let started = since(key::CONFIGURED).filter(|_| condition::is_true(conditions, key::CONFIGURED))?;
    let took = started.duration_until(since(key::OVERDUE)?);
    // It was late before `Configured` last became true: a commit changed its configuration, and another one changed it
    // back.
    (!took.is_negative()).then_some(took)
}
