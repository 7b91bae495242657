//! Plain dates and times, which become strings in a normal form.

/// The rest of a text.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// Consumes between `least` and `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let len = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at_checked(len).filter(|_| len >= least)?;
        self.0 = rest;
        digits.parse().ok()
    }

    fn take(&mut self, expected: char) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// Consumes a fraction of a second, if there is one. Returns its digits.
    fn fraction(&mut self) -> &'a str {
        let Some(rest) = self.0.strip_prefix(['.', ',']) else { return "" };
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = rest.split_at_checked(len).unwrap_or((rest, ""));
        if !digits.is_empty() {
            self.0 = rest;
        }
        digits.get(..9).unwrap_or(digits).trim_end_matches('0')
    }

    /// Consumes `Z` or an offset. Returns it in its normal form.
    fn zone(&mut self) -> Option<String> {
        if self.take('Z').is_some() {
            return Some("Z".to_owned());
        }
        let sign = self.0.chars().next().filter(|c| matches!(c, '+' | '-'))?;
        self.take(sign)?;
        let hours = self.number(2, 2).filter(|hours| *hours < 24)?;
        self.take(':')?;
        let minutes = self.number(2, 2).filter(|minutes| *minutes < 60)?;
        Some(if hours == 0 && minutes == 0 { "Z".to_owned() } else { format!("{sign}{hours:02}:{minutes:02}") })
    }
}

/// Returns a date or time in its normal form; `None` if the text is neither.
///
/// # Source
/// go-yaml `parseTimestamp`: a date; a date, `T` or `t`, a time and a zone; a date, a space and a time. Go `time.RFC3339Nano`.
pub(crate) fn normal(text: &str) -> Option<String> {
    let mut rest = Rest(text);
    let year = rest.number(4, 4)?;
    rest.take('-')?;
    let month = rest.number(1, 2)?;
    rest.take('-')?;
    let day = rest.number(1, 2)?;
    if !(1..=12).contains(&month) || day == 0 || day > days(year, month) {
        return None;
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    if rest.0.is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    let separator = rest.0.chars().next().filter(|c| matches!(c, 'T' | 't' | ' '))?;
    rest.take(separator)?;
    let hour = rest.number(1, 2).filter(|hour| *hour < 24)?;
    rest.take(':')?;
    let minute = rest.number(1, 2).filter(|minute| *minute < 60)?;
    rest.take(':')?;
    let second = rest.number(1, 2).filter(|second| *second < 60)?;
    let fraction = rest.fraction();
    let zone = if separator == ' ' { "Z".to_owned() } else { rest.zone()? };
    let point = if fraction.is_empty() { "" } else { "." };
    rest.0.is_empty().then(|| format!("{date}T{hour:02}:{minute:02}:{second:02}{point}{fraction}{zone}"))
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
