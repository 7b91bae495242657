//! Time zones, by name or by offset.

use jiff::tz::TimeZone;

use super::timestamp::Timestamp;

/// Returns an instant in a time zone: a name such as `Europe/Zurich`, or hours and minutes such as `-08:00`.
pub(crate) fn zone(timestamp: Timestamp, name: &str) -> Option<Timestamp> {
    let offset = match name.split_once(':') {
        Some((hours, minutes)) => {
            let (hours, minutes) = (integer(hours)?, integer(minutes)?);
            let minutes = if name.starts_with('-') { -minutes } else { minutes };
            hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?
        }
        None if matches!(name, "" | "UTC" | "Local") => 0,
        None => named(timestamp, name)?,
    };
    Some(timestamp.at_offset(offset))
}

/// Parses an integer with an optional sign.
fn integer(text: &str) -> Option<i32> {
    text.parse().ok()
}

fn named(timestamp: Timestamp, name: &str) -> Option<i32> {
    let zone = TimeZone::get(name).ok()?;
    // Go reads zones from files, so names are case-sensitive.
    if zone.iana_name() != Some(name) {
        return None;
    }
    let (seconds, nanoseconds) = timestamp.parts();
    let timestamp = jiff::Timestamp::new(seconds, nanoseconds).ok()?;
    Some(zone.to_offset(timestamp).seconds())
}
