//! Parses the dates in an allowed-signers file.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use tidegate_model::time::Timestamp;

/// The format of a date, for the end of a message.
pub(super) const SHAPE: &str = "a date is written as YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, followed by Z for UTC";

/// Parses a date.
///
/// Without the `Z`, OpenSSH uses the time zone of the machine. A decision must not depend on where it is made, so UTC is
/// used in that case, too.
///
/// # Source
/// ssh-keygen(1), ALLOWED SIGNERS.
pub(super) fn read(text: &str) -> Option<Timestamp> {
    let digits = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year = digits.get(..4)?.parse().ok()?;
    let part = |from: usize| digits.get(from..from + 2).map_or(Some(0), |part| part.parse::<i8>().ok());
    let moment = DateTime::new(year, part(4)?, part(6)?, part(8)?, part(10)?, part(12)?, 0).ok()?;
    TimeZone::UTC.to_timestamp(moment).ok()
}
