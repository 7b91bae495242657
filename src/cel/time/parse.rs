//! Parses instants.

use super::timestamp::{Timestamp, days_to};

impl Timestamp {
    /// Parses an instant in RFC 3339. As in Go, a one-digit hour and a comma before the fraction are accepted.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut rest = Rest(text.as_bytes());
        let year = rest.number(4, 4)?;
        rest.byte(b"-")?;
        let month = rest.number(2, 2)?;
        rest.byte(b"-")?;
        let day = rest.number(2, 2)?;
        rest.byte(b"T")?;
        let hour = rest.number(1, 2)?;
        rest.byte(b":")?;
        let minute = rest.number(2, 2)?;
        rest.byte(b":")?;
        let second = rest.number(2, 2)?;
        let nanoseconds = rest.fraction();
        let offset = rest.offset()?;
        let fits = (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60
            && rest.0.is_empty();
        if !fits {
            return None;
        }
        let seconds = days_to(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - i64::from(offset);
        Self::new(seconds, nanoseconds, offset)
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The rest of a text.
struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn byte(&mut self, any_of: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first().filter(|(first, _)| any_of.contains(first))?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at_checked(count).filter(|_| count >= least)?;
        self.0 = rest;
        Some(digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
    }

    /// Parses the fraction of a second; digits after the ninth are dropped.
    fn fraction(&mut self) -> i32 {
        let [b'.' | b',', after @ ..] = self.0 else { return 0 };
        let count = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let Some((digits, rest)) = after.split_at_checked(count).filter(|_| count > 0) else { return 0 };
        self.0 = rest;
        let padded = digits.iter().copied().chain(std::iter::repeat(b'0')).take(9);
        padded.fold(0, |number, digit| number * 10 + i32::from(digit - b'0'))
    }

    fn offset(&mut self) -> Option<i32> {
        if self.byte(b"Z").is_some() {
            return Some(0);
        }
        let sign = if self.byte(b"+-")? == b'-' { -1 } else { 1 };
        let hours = self.number(2, 2)?;
        self.byte(b":")?;
        let minutes = self.number(2, 2)?;
        // Go accepts offsets of 24 hours and of 60 minutes.
        let seconds = (hours <= 24 && minutes <= 60).then_some(hours * 3600 + minutes * 60)?;
        i32::try_from(seconds).ok().map(|seconds| sign * seconds)
    }
}
