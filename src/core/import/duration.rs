//! Durations.

use jiff::SignedDuration;
use tidegate_go::duration::parse_go_duration;

use crate::field::Field;
use crate::report::Report;

/// Reads a duration in Go's syntax. Anything else is reported.
pub(crate) fn duration(field: &Field<'_>, report: &mut Report) -> Option<SignedDuration> {
    let text = field.text(report)?;
    match parse_go_duration(text) {
        Ok(duration) if !duration.is_negative() => Some(duration),
        Ok(_) => {
            field.refuse(report, "must not be negative");
            None
        }
        Err(error) => {
            field.refuse(report, error.to_string());
            None
        }
    }
}

/// Returns a duration as the strategies of OCM accept it: one number with one unit, rounded up to seconds.
pub(crate) fn written(duration: SignedDuration) -> String {
    let seconds = duration.as_secs() + i64::from(duration.subsec_nanos() > 0);
    match seconds {
        _ if seconds % 3600 == 0 && seconds > 0 => format!("{}h", seconds / 3600),
        _ if seconds % 60 == 0 && seconds > 0 => format!("{}m", seconds / 60),
        _ => format!("{seconds}s"),
    }
}
