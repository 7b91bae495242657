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

/// Reads the header `Date`: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// # Source
/// RFC 9110, section 5.6.7.
pub fn http_date(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, rest) = text.split_once(", ")?;
    let parts: Vec<&str> = rest.split(' ').collect();
    let [day, month, year, time, "GMT"] = parts.as_slice() else { return None };
    let month = MONTHS.iter().position(|name| name == month)? + 1;
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}

/// Writes an instant like [`http_date`].
pub fn to_http_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Returns the earlier of two instants, or the only one, if any.
pub fn sooner(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
