//! Instants and durations. Pure code always gets instants as arguments; nothing here reads a clock.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

pub use jiff::{SignedDuration, Timestamp};

pub use tidegate_go::duration::{GoDuration, InvalidDuration, parse_go_duration};

/// Truncates an instant to whole seconds, the precision of timestamps in Kubernetes conditions.
pub fn to_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// The form of an instant in documents: this type represents it in their schemas.
#[derive(Debug)]
pub struct Rfc3339;

impl JsonSchema for Rfc3339 {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// Returns the earlier of two instants, or the only one, if any.
pub fn sooner(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
