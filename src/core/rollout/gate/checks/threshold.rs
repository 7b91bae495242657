//! Comparisons with a number, such as `< 0.01`.

use std::fmt;

/// What an observed number must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Threshold {
    comparison: Comparison,
    limit: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// The signs of the comparisons; those of two characters first, because `<` starts `<=`.
const SIGNS: [(&str, Comparison); 6] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Threshold {
    /// Parses a comparison; `None` if it is malformed.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (comparison, rest) =
            SIGNS.iter().find_map(|(sign, comparison)| Some((*comparison, text.strip_prefix(sign)?)))?;
        let digits = rest.strip_prefix(' ').unwrap_or(rest);
        let is_plain = digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.'));
        let limit: f64 = digits.parse().ok().filter(|_| is_plain)?;
        limit.is_finite().then_some(Self { comparison, limit })
    }

    /// Returns `true` if a number is as it must be.
    pub(super) fn holds(&self, number: f64) -> bool {
        match self.comparison {
            Comparison::Less => number < self.limit,
            Comparison::LessOrEqual => number <= self.limit,
            Comparison::Greater => number > self.limit,
            Comparison::GreaterOrEqual => number >= self.limit,
            Comparison::Equal => number == self.limit,
            Comparison::NotEqual => number != self.limit,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = SIGNS.iter().find(|(_, comparison)| *comparison == self.comparison).map_or("", |(sign, _)| sign);
        write!(f, "{sign} {}", self.limit)
    }
}

/// Returns a number as people read it: with at most six decimals.
pub(super) fn written(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    // A number that is too small for six decimals, or too large for the multiplication, stays as it is.
    if rounded.is_finite() && (rounded != 0.0 || number == 0.0) { rounded.to_string() } else { format!("{number:e}") }
}
