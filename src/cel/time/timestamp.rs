//! One instant.

use std::fmt::Write as _;

/// The first second of the year 1, and the last second of the year 9999: the range of instants.
const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;
const SECOND: i64 = 1_000_000_000;
const DAY: i64 = 86_400;

/// An instant, with the offset of its time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timestamp {
    seconds: i64,
    nanoseconds: i32,
    /// In seconds east of UTC.
    offset: i32,
}

impl Timestamp {
    /// Creates an instant from the seconds since 1970; `None` if it is out of range.
    pub(crate) fn new(seconds: i64, nanoseconds: i32, offset: i32) -> Option<Self> {
        (FIRST..=LAST).contains(&seconds).then_some(Self { seconds, nanoseconds, offset })
    }

    /// Returns the seconds since 1970 and the remaining nanoseconds.
    pub(crate) fn parts(&self) -> (i64, i32) {
        (self.seconds, self.nanoseconds)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.parts() == (FIRST, 0)
    }

    /// Returns the instant that is `span` nanoseconds later.
    pub(crate) fn plus(&self, span: i64) -> Option<Self> {
        let nanoseconds = i64::from(self.nanoseconds) + span % SECOND;
        let seconds = self.seconds.checked_add(span / SECOND)?.checked_add(nanoseconds.div_euclid(SECOND))?;
        Self::new(seconds, i32::try_from(nanoseconds.rem_euclid(SECOND)).ok()?, self.offset)
    }

    /// Returns the nanoseconds since another instant.
    pub(crate) fn since(&self, other: &Self) -> Option<i64> {
        let seconds = self.seconds.checked_sub(other.seconds)?.checked_mul(SECOND)?;
        seconds.checked_add(i64::from(self.nanoseconds) - i64::from(other.nanoseconds))
    }

    /// Returns the same instant in another zone.
    pub(crate) fn at_offset(self, offset: i32) -> Self {
        Self { offset, ..self }
    }

    fn local(&self) -> i64 {
        self.seconds + i64::from(self.offset)
    }

    /// Returns year, month and day, the last two from 1.
    pub(crate) fn date(&self) -> (i64, i64, i64) {
        civil(self.local().div_euclid(DAY))
    }

    /// Returns the day of the year, from 0.
    pub(crate) fn day_of_year(&self) -> i64 {
        let days = self.local().div_euclid(DAY);
        let (year, _, _) = civil(days);
        days - days_to(year, 1, 1)
    }

    /// Returns the day of the week; Sunday is 0.
    pub(crate) fn weekday(&self) -> i64 {
        // 1 January 1970 was a Thursday.
        (self.local().div_euclid(DAY) + 4).rem_euclid(7)
    }

    /// Returns hours, minutes and seconds.
    pub(crate) fn clock(&self) -> (i64, i64, i64) {
        let seconds = self.local().rem_euclid(DAY);
        (seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    pub(crate) fn milliseconds(&self) -> i64 {
        i64::from(self.nanoseconds) / 1_000_000
    }

    /// Formats the instant in its zone, with as many fractional digits as needed.
    pub(crate) fn text(&self) -> String {
        let ((year, month, day), (hours, minutes, seconds)) = (self.date(), self.clock());
        let mut text = format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}");
        if self.nanoseconds != 0 {
            let digits = format!("{:09}", self.nanoseconds);
            text.push('.');
            text.push_str(digits.trim_end_matches('0'));
        }
        if self.offset == 0 {
            text.push('Z');
        } else {
            let sign = if self.offset < 0 { '-' } else { '+' };
            let minutes = self.offset.unsigned_abs() / 60;
            // Writing to a string cannot fail.
            let _ = write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
        }
        text
    }
}

/// Returns the days from 1970 to a date.
///
/// # Source
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
pub(super) fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the date that is `days` days after 1 January 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}
