//! Parses the options of a line in an allowed-signers file, and the dates in them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use tidegate_model::time::Timestamp;

use super::cursor::Cursor;
use super::patterns::Patterns;
use crate::parse_error::ParseError;
use crate::validity::Validity;

/// The options of a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub(crate) namespaces: Option<Patterns>,
    pub(crate) validity: Validity,
}

impl Options {
    /// Parses options up to the next space or tab.
    ///
    /// # Shape
    /// `name="value"`, separated by commas; names are case-insensitive.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        let mut options = Self::default();
        loop {
            let start = cursor.clone();
            options.read_one(cursor)?;
            if let (Some(from), Some(until)) = (options.validity.from, options.validity.until)
                && from >= until
            {
                return Err(start.error("valid-before is not later than valid-after, so the key is never valid"));
            }
            if cursor.take(',') {
                continue;
            }
            if cursor.rest().is_empty() || cursor.rest().starts_with([' ', '\t']) {
                return Ok(options);
            }
            return Err(cursor.error("a comma is missing between two options, or a space before the key"));
        }
    }

    fn read_one(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
        let start = cursor.clone();
        let name = cursor.take_while(|c| !matches!(c, '=' | ',' | '"' | ' ' | '\t')).to_ascii_lowercase();
        match name.as_str() {
            "cert-authority" => Err(start.error(
                "cert-authority is not supported, because certificates are not: write one line per signer, each with its own key",
            )),
            "namespaces" => {
                let list = value(cursor, "namespaces", "git")?;
                once(&start, &mut self.namespaces, Patterns::read(&list))
            }
            "valid-after" => {
                let from = instant(cursor, "valid-after")?;
                once(&start, &mut self.validity.from, from)
            }
            "valid-before" => {
                let until = instant(cursor, "valid-before")?;
                once(&start, &mut self.validity.until, until)
            }
            _ => Err(start.error(format!(
                "{name:?} is neither a key type nor an option: options are namespaces=\"git\", valid-after=\"20260131\" and \
                 valid-before=\"20261231\""
            ))),
        }
    }
}

fn once<T>(start: &Cursor<'_>, slot: &mut Option<T>, value: T) -> Result<(), ParseError> {
    if slot.replace(value).is_some() {
        return Err(start.error("the option is given a second time: write it once"));
    }
    Ok(())
}

fn value(cursor: &mut Cursor<'_>, name: &str, example: &str) -> Result<String, ParseError> {
    if !cursor.take('=') || !cursor.rest().starts_with('"') {
        return Err(cursor.error(format!("the value is missing or not quoted: write {name}=\"{example}\"")));
    }
    let start = cursor.clone();
    cursor.quoted().ok_or_else(|| start.error(format!("the closing quote is missing: write {name}=\"{example}\"")))
}

fn instant(cursor: &mut Cursor<'_>, name: &str) -> Result<Timestamp, ParseError> {
    let mut start = cursor.clone();
    let text = value(cursor, name, "20260131")?;
    // Point at the date, after the equals sign and the quote.
    start.take('=');
    start.take('"');
    date(&text).ok_or_else(|| start.error(format!("{text:?} is not a date: {DATE_FORMAT}")))
}

/// The format of a date, for the end of a message.
const DATE_FORMAT: &str = "a date is written as YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, followed by Z for UTC";

/// Parses a date.
///
/// Without the `Z`, OpenSSH uses the time zone of the machine. A decision must not depend on where it is made, so UTC is
/// used in that case, too.
///
/// # Source
/// ssh-keygen(1), ALLOWED SIGNERS.
fn date(text: &str) -> Option<Timestamp> {
    let digits = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    if !matches!(digits.len(), 8 | 12 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year = digits.get(..4)?.parse().ok()?;
    let part = |from: usize| digits.get(from..from + 2).map_or(Some(0), |part| part.parse::<i8>().ok());
    let moment = DateTime::new(year, part(4)?, part(6)?, part(8)?, part(10)?, part(12)?, 0).ok()?;
    TimeZone::UTC.to_timestamp(moment).ok()
}
