//! Compares times of different clocks.

use tidegate_model::time::{SignedDuration, Timestamp};

/// The tolerance when times are compared: the clocks of two machines differ, the hub stores whole seconds, and a tick that writes
/// to ten thousand clusters takes a while.
pub const SLACK: SignedDuration = SignedDuration::from_mins(5);

/// Returns `true` if `one` is before `other` by more than [`SLACK`].
pub(in crate::audit) fn is_before(one: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.duration_since(other) < -SLACK)
}
