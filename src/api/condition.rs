//! Finding and setting conditions in a list of Kubernetes conditions.

pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};

use tidegate_model::time::{Timestamp, to_seconds};

/// The desired content of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The condition type.
    pub type_: &'static str,
    /// `True`, `False` or `Unknown`.
    pub status: &'static str,
    /// The reason in CamelCase.
    pub reason: String,
    /// The human-readable message.
    pub message: String,
}

impl Claim {
    /// Creates a claim.
    pub fn new(
        type_: &'static str,
        status: &'static str,
        reason: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { type_, status, reason: reason.into(), message: message.into() }
    }
}

/// Returns the condition of a type.
pub fn find<'a>(conditions: &'a [Condition], type_: &str) -> Option<&'a Condition> {
    conditions.iter().find(|c| c.type_ == type_)
}

/// Returns `true` if the condition of a type exists and is `True`.
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_).is_some_and(|c| c.status == "True")
}

/// Sets a condition as upstream does: the transition time changes only if the status changes; a new condition is appended.
///
/// Returns `true` if anything changed.
pub fn set(conditions: &mut Vec<Condition>, claim: Claim, now: Timestamp) -> bool {
    let Claim { type_, status, reason, message } = claim;
    match conditions.iter_mut().find(|c| c.type_ == type_) {
        Some(c) if c.status == status && c.reason == reason && c.message == message => false,
        Some(c) => {
            if c.status != status {
                c.last_transition_time = Time(to_seconds(now));
                c.status = status.to_owned();
            }
            c.reason = reason;
            c.message = message;
            true
        }
        None => {
            conditions.push(Condition {
                type_: type_.to_owned(),
                status: status.to_owned(),
                reason,
                message,
                last_transition_time: Time(to_seconds(now)),
                observed_generation: None,
            });
            true
        }
    }
}
