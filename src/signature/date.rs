//! The dates of an allowed-signers file.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use tidegate_model::time::Timestamp;

/// What a date looks like, as the end of a complaint.
pub(super) const SHAPE: &str =
    "a date is written as YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with a Z behind it for UTC";

/// Reads a date.
///
/// Without the `Z`, OpenSSH takes the time zone of the machine. A decision must not depend on where it is made, so UTC is
/// taken for these too.
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
