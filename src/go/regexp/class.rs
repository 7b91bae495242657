//! Character classes.

use super::escape::NOTHING;
use super::parser::{Parser, error_at};
use super::piece::write_char;

/// Maximum number of Unicode classes: each has hundreds of ranges.
const MAX_TABLES: u32 = 256;

/// Classes with one letter, and their characters.
const PERL: [(&str, &str); 6] = [
    (r"\d", "[0-9]"),
    (r"\D", "[^0-9]"),
    (r"\s", r"[\t\n\x0c\r ]"),
    (r"\S", r"[^\t\n\x0c\r ]"),
    (r"\w", "[0-9A-Za-z_]"),
    (r"\W", "[^0-9A-Za-z_]"),
];

/// Named classes in brackets.
const NAMED: [(&str, &str); 14] = [
    ("alnum", "0-9A-Za-z"),
    ("alpha", "A-Za-z"),
    ("ascii", r"\x00-\x7f"),
    ("blank", r"\t\x20"),
    ("cntrl", r"\x00-\x1f\x7f"),
    ("digit", "0-9"),
    ("graph", r"\x21-\x7e"),
    ("lower", "a-z"),
    ("print", r"\x20-\x7e"),
    ("punct", r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e"),
    ("space", r"\t-\r\x20"),
    ("upper", "A-Z"),
    ("word", "0-9A-Za-z_"),
    ("xdigit", "0-9A-Fa-f"),
];

/// Scripts whose full name has four letters. To `regex`, all other names of four letters are abbreviations, which Go does
/// not know.
const SHORT_SCRIPTS: [&str; 7] = ["cham", "kawi", "lisu", "modi", "newa", "thai", "toto"];

impl<'t> Parser<'t> {
    /// Parses a class that starts with a backslash, if there is one.
    pub(super) fn escaped_class(&mut self) -> Result<Option<String>, String> {
        if self.rest.starts_with(r"\p") || self.rest.starts_with(r"\P") {
            return self.unicode_class().map(Some);
        }
        let found = PERL.iter().find(|(escape, _)| self.rest.starts_with(escape));
        Ok(found.map(|(escape, class)| {
            self.take(escape);
            (*class).to_owned()
        }))
    }

    /// Parses `\pL`, `\p{Greek}`, `\P{^Greek}`.
    fn unicode_class(&mut self) -> Result<String, String> {
        let before = self.rest;
        let mut negated = self.take(r"\P");
        self.take(r"\p");
        let start = self.rest;
        let name = match self.next() {
            Some('{') => {
                let Some((name, rest)) = self.rest.split_once('}') else {
                    return Err(error_at("invalid character class range", before));
                };
                self.rest = rest;
                name
            }
            _ => self.since(start),
        };
        let name = match name.strip_prefix('^') {
            Some(name) => {
                negated = !negated;
                name
            }
            None => name,
        };
        self.tables += 1;
        if self.tables > MAX_TABLES {
            return Err(error_at("expression too large", self.whole));
        }
        table(name, negated).ok_or_else(|| error_at("invalid character class range", self.since(before)))
    }

    /// Parses a class in brackets.
    pub(super) fn class(&mut self) -> Result<String, String> {
        let whole = self.rest;
        self.take("[");
        let negated = self.take("^");
        let mut items = String::new();
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            if let Some(class) = self.named_class()? {
                items.push_str(&class);
            } else if let Some(class) = self.escaped_class()? {
                items.push_str(&class);
            } else {
                self.range(whole, &mut items)?;
            }
        }
        self.take("]");
        Ok(match (items.is_empty(), negated) {
            (true, false) => NOTHING.to_owned(),
            (true, true) => r"[\x00-\x{10ffff}]".to_owned(),
            (false, _) => format!("[{}{items}]", if negated { "^" } else { "" }),
        })
    }

    /// Parses `[:alpha:]` or `[:^alpha:]`.
    fn named_class(&mut self) -> Result<Option<String>, String> {
        let before = self.rest;
        let Some((name, rest)) = before.strip_prefix("[:").and_then(|rest| rest.split_once(":]")) else {
            return Ok(None);
        };
        self.rest = rest;
        let (bare, negated) = name.strip_prefix('^').map_or((name, ""), |bare| (bare, "^"));
        match NAMED.iter().find(|(known, _)| *known == bare) {
            Some((_, ranges)) => Ok(Some(format!("[{negated}{ranges}]"))),
            None => Err(error_at("invalid character class range", self.since(before))),
        }
    }

    /// Parses a character or a range of characters.
    fn range(&mut self, whole: &'t str, items: &mut String) -> Result<(), String> {
        let before = self.rest;
        let low = self.class_char(whole)?;
        let mut high = low;
        if self.rest.len() >= 2 && self.rest.starts_with('-') && !self.rest.starts_with("-]") {
            self.take("-");
            high = self.class_char(whole)?;
            if high < low {
                return Err(error_at("invalid character class range", self.since(before)));
            }
        }
        // No string contains surrogates.
        let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
        let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
        if low <= high {
            write_char(items, low);
            items.push('-');
            write_char(items, high);
        }
        Ok(())
    }

    fn class_char(&mut self, whole: &'t str) -> Result<u32, String> {
        if self.rest.starts_with('\\') {
            return self.escape();
        }
        self.next().map(u32::from).ok_or_else(|| error_at("missing closing ]", whole))
    }
}

/// Returns a Unicode class in the syntax of `regex`; `None` if Go has no class of that name.
fn table(name: &str, negated: bool) -> Option<String> {
    let plain: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect();
    if plain.is_empty() || plain.starts_with("is") || !plain.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    if matches!(plain.as_str(), "cs" | "surrogate") {
        // No string contains surrogates, and `regex` has no table of them.
        return Some(if negated { r"[\x00-\x{10ffff}]" } else { NOTHING }.to_owned());
    }
    let letter = if negated { 'P' } else { 'p' };
    let known = |kind: &str| {
        let class = format!("\\{letter}{{{kind}={plain}}}");
        regex::Regex::new(&class).is_ok().then_some(class)
    };
    let is_short = plain.len() == 4 && !SHORT_SCRIPTS.contains(&plain.as_str());
    known("gc").or_else(|| known("sc").filter(|_| !is_short))
}
