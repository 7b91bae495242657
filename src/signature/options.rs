//! Parses the options of a line in an allowed-signers file.

use tidegate_model::time::Timestamp;

use super::cursor::Cursor;
use super::date;
use super::fault::Fault;
use super::pattern::Patterns;
use super::validity::Validity;

/// The options of a line.
#[derive(Debug, Clone, Default)]
pub(super) struct Options {
    pub(super) namespaces: Option<Patterns>,
    pub(super) validity: Validity,
}

impl Options {
    /// Parses options up to the next space or tab.
    ///
    /// # Shape
    /// `name="value"`, separated by commas; names are case-insensitive.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let mut options = Self::default();
        loop {
            let start = cursor.clone();
            options.read_one(cursor)?;
            if let (Some(from), Some(until)) = (options.validity.from, options.validity.until)
                && from >= until
            {
                return Err(start.fault("valid-before is not later than valid-after, so the key is never valid"));
            }
            if cursor.take(',') {
                continue;
            }
            if cursor.rest().is_empty() || cursor.rest().starts_with([' ', '\t']) {
                return Ok(options);
            }
            return Err(cursor.fault("a comma is missing between two options, or a space before the key"));
        }
    }

    fn read_one(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let start = cursor.clone();
        let name = cursor.take_while(|c| !matches!(c, '=' | ',' | '"' | ' ' | '\t')).to_ascii_lowercase();
        match name.as_str() {
            "cert-authority" => Err(start.fault(
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
            _ => Err(start.fault(format!(
                "{name:?} is neither a key type nor an option: options are namespaces=\"git\", valid-after=\"20260131\" and \
                 valid-before=\"20261231\""
            ))),
        }
    }
}

fn once<T>(start: &Cursor<'_>, slot: &mut Option<T>, value: T) -> Result<(), Fault> {
    if slot.replace(value).is_some() {
        return Err(start.fault("the option is given a second time: write it once"));
    }
    Ok(())
}

fn value(cursor: &mut Cursor<'_>, name: &str, example: &str) -> Result<String, Fault> {
    if !cursor.take('=') || !cursor.rest().starts_with('"') {
        return Err(cursor.fault(format!("the value is missing or not quoted: write {name}=\"{example}\"")));
    }
    let start = cursor.clone();
    cursor.quoted().ok_or_else(|| start.fault(format!("the closing quote is missing: write {name}=\"{example}\"")))
}

fn instant(cursor: &mut Cursor<'_>, name: &str) -> Result<Timestamp, Fault> {
    let mut start = cursor.clone();
    let text = value(cursor, name, "20260131")?;
    // Point at the date, after the equals sign and the quote.
    start.take('=');
    start.take('"');
    date::read(&text).ok_or_else(|| start.fault(format!("{text:?} is not a date: {}", date::SHAPE)))
}
