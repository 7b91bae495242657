//! Instants and spans. Instants are arguments everywhere in the pure floors; nothing here reads a clock.

pub use jiff::{SignedDuration, Timestamp};

pub use super::duration::{GoDuration, InvalidDuration, parse_go_duration};

/// Cuts an instant to whole seconds, the precision that Kubernetes keeps in conditions.
pub fn to_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}
