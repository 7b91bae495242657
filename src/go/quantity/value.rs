//! One quantity.

use std::cmp::Ordering;
use std::str::FromStr;

use super::decimal::Decimal;

/// A quantity. Two quantities are equal if they are the same amount, even if they are written differently.
#[derive(Debug, Clone)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) format: Format,
    /// Whether the string that it was parsed from is canonical.
    pub(super) canonical: bool,
}

/// An amount. Small and large amounts are separate because upstream distinguishes them.
#[derive(Debug, Clone)]
pub(super) enum Amount {
    /// A number times ten to a power.
    Small { value: i64, exponent: i32 },
    /// An amount with too many digits for that.
    Large(Decimal),
}

/// How a quantity is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// With suffixes such as `m` and `G`.
    Decimal,
    /// With suffixes such as `Gi`.
    Binary,
    /// With a power of ten, such as `e3`.
    Exponent,
}

/// Why a string is not a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidQuantity {
    /// It is not a number with a suffix.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Form,
    /// Its suffix is unknown.
    #[error("unable to parse quantity's suffix")]
    Suffix,
    /// Its number is malformed.
    #[error("unable to parse numeric part of quantity")]
    Number,
}

/// Number of decimal digits that always fit into 64 bits.
const SMALL_DIGITS: i64 = 18;
/// The smallest power of ten that a quantity can represent.
const NANO: i64 = -9;
/// The largest power of ten that is accepted. Upstream accepts larger ones, and runs out of memory.
const MAX_EXPONENT: i64 = 10_000;

impl FromStr for Quantity {
    type Err = InvalidQuantity;

    fn from_str(text: &str) -> Result<Self, InvalidQuantity> {
        let parts = Parts::of(text)?;
        let (format, exponent) = suffix(parts.suffix).ok_or(InvalidQuantity::Suffix)?;
        match small(&parts, format, exponent) {
            Some(Ok(quantity)) => Ok(quantity),
            Some(Err(problem)) => Err(problem),
            None => large(&parts, format, exponent),
        }
    }
}

/// The parts of a quantity.
struct Parts<'a> {
    negative: bool,
    /// Digits before the decimal point, without leading zeros.
    whole: &'a str,
    /// Digits after the decimal point.
    fraction: &'a str,
    suffix: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Result<Self, InvalidQuantity> {
        if text.is_empty() {
            return Err(InvalidQuantity::Form);
        }
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let digits = unsigned.trim_start_matches('0');
        let cut = |text: &'a str| {
            text.split_at_checked(text.bytes().take_while(u8::is_ascii_digit).count()).unwrap_or((text, ""))
        };
        let (whole, rest) = cut(digits);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), cut);
        let letters = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
        let exponent = letters.strip_prefix(['+', '-']).unwrap_or(letters);
        if !exponent.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(InvalidQuantity::Form);
        }
        Ok(Self { negative: text.starts_with('-'), whole, fraction, suffix })
    }
}

fn suffix(text: &str) -> Option<(Format, i64)> {
    let decimal = |exponent| Some((Format::Decimal, exponent));
    let binary = |exponent| Some((Format::Binary, exponent));
    match text {
        "n" => decimal(-9),
        "u" => decimal(-6),
        "m" => decimal(-3),
        "" => decimal(0),
        "k" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        "Ki" => binary(10),
        "Mi" => binary(20),
        "Gi" => binary(30),
        "Ti" => binary(40),
        "Pi" => binary(50),
        "Ei" => binary(60),
        other => {
            let exponent: i64 = other.strip_prefix(['e', 'E'])?.parse().ok()?;
            // Upstream truncates the exponent to 32 bits. An exponent still out of bounds is rejected, not computed.
            let exponent = i64::from(exponent as i32);
            (exponent.abs() <= MAX_EXPONENT).then_some((Format::Exponent, exponent))
        }
    }
}

/// Parses a quantity that fits into 64 bits; returns `None` if it does not fit.
fn small(parts: &Parts<'_>, format: Format, exponent: i64) -> Option<Result<Quantity, InvalidQuantity>> {
    let whole = if parts.whole.is_empty() { "0" } else { parts.whole };
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let digits = length(whole).saturating_add(length(parts.fraction));
    let (room, mantissa, scale) = match format {
        Format::Decimal | Format::Exponent => (SMALL_DIGITS - digits, 1, exponent),
        Format::Binary if parts.fraction.is_empty() => (15 - digits - exponent * 3 / 10 - 1, 1_i64 << exponent, 0),
        Format::Binary => return None,
    };
    let scale = scale - length(parts.fraction);
    if room < 0 || scale < NANO {
        return None;
    }
    let shifted = format!("{whole}{}", parts.fraction);
    let Ok(number) = shifted.parse::<i64>() else { return Some(Err(InvalidQuantity::Number)) };
    let value = number.checked_mul(mantissa)?;
    let canonical = match format {
        Format::Binary => exponent % 10 == 0 && number & 7 != 0,
        Format::Decimal | Format::Exponent => scale % 3 == 0 && !shifted.ends_with("000") && !shifted.starts_with('0'),
    };
    let value = if parts.negative { -value } else { value };
    let amount = Amount::Small { value, exponent: i32::try_from(scale).ok()? };
    Some(Ok(Quantity { amount, format, canonical }))
}

fn large(parts: &Parts<'_>, format: Format, exponent: i64) -> Result<Quantity, InvalidQuantity> {
    let digits = parts.whole.bytes().chain(parts.fraction.bytes()).map(|byte| byte - b'0');
    let fraction = i64::try_from(parts.fraction.len()).map_err(|_| InvalidQuantity::Number)?;
    let mut amount = match format {
        Format::Decimal | Format::Exponent => Decimal::new(false, digits, fraction - exponent),
        Format::Binary => {
            let number = Decimal::new(false, digits, fraction);
            (0..exponent / 10).fold(number, |number, _| number.times(1024))
        }
    };
    if !amount.is_zero() {
        // A tiny amount is rounded up to the smallest possible amount.
        amount = amount.rounded_up(-NANO);
    }
    let mut written = format;
    if format == Format::Binary {
        let most = Decimal::of(i64::MAX, 0);
        if amount.compare(&most) == Ordering::Greater {
            amount = most;
        }
        if !amount.is_zero() && amount.compare(&Decimal::of(1, 0)) == Ordering::Less {
            written = Format::Decimal;
        }
    }
    amount.negative = parts.negative;
    Ok(Quantity { amount: Amount::Large(amount), format: written, canonical: false })
}

impl Amount {
    pub(super) fn as_decimal(&self) -> Decimal {
        match self {
            Self::Small { value, exponent } => Decimal::of(*value, -i64::from(*exponent)),
            Self::Large(decimal) => decimal.clone(),
        }
    }
}

impl Quantity {
    /// Creates a quantity from an integer.
    pub fn from_integer(value: i64) -> Self {
        Self { amount: Amount::Small { value, exponent: 0 }, format: Format::Exponent, canonical: false }
    }

    /// Returns -1, 0 or 1.
    pub fn sign(&self) -> i64 {
        match &self.amount {
            Amount::Small { value, .. } => value.signum(),
            Amount::Large(decimal) => decimal.sign(),
        }
    }

    /// Compares two amounts.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (&self.amount, &other.amount) {
            (Amount::Small { value: a, exponent: x }, Amount::Small { value: b, exponent: y }) if x == y => a.cmp(b),
            (a, b) => a.as_decimal().compare(&b.as_decimal()),
        }
    }

    /// Returns the amount as an integer; `None` for fractions, and for any amount that upstream does not store in 64 bits.
    pub fn as_integer(&self) -> Option<i64> {
        match &self.amount {
            Amount::Small { value, exponent } => scaled_up(*value, i64::from(*exponent)),
            Amount::Large(_) => None,
        }
    }

    /// Returns the sum of two amounts.
    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |value| value, |decimal| decimal)
    }

    /// Returns the difference of two amounts.
    pub fn minus(&self, other: &Self) -> Self {
        // The smallest integer cannot be negated. As upstream does, the sum is tried with the wrapped value and never fits.
        self.combined(other, i64::wrapping_neg, |decimal| Decimal { negative: !decimal.negative, ..decimal })
    }

    fn combined(&self, other: &Self, small: fn(i64) -> i64, large: fn(Decimal) -> Decimal) -> Self {
        let format = if self.sign() == 0 { other.format } else { self.format };
        let sum = match (&self.amount, &other.amount) {
            (Amount::Small { value: a, exponent: x }, Amount::Small { value: b, exponent: y }) => {
                small_sum((*a, *x), (small(*b), *y))
            }
            _ => None,
        };
        let amount =
            sum.unwrap_or_else(|| Amount::Large(self.amount.as_decimal().plus(&large(other.amount.as_decimal()))));
        Self { amount, format, canonical: false }
    }

    /// Returns the amount as a floating-point number, computed as upstream does: the digits, times a power of ten.
    pub fn as_float(&self) -> f64 {
        let (base, exponent) = match &self.amount {
            Amount::Small { value, exponent } => (*value as f64, *exponent),
            // An integer in decimal notation always parses.
            Amount::Large(decimal) => {
                (decimal.unscaled().parse().unwrap_or(f64::NAN), i32::try_from(-decimal.scale).unwrap_or(i32::MIN))
            }
        };
        if exponent == 0 { base } else { base * power_of_ten(exponent) }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

fn scaled_up(value: i64, exponent: i64) -> Option<i64> {
    if exponent < 0 {
        return None;
    }
    if value == 0 {
        return Some(0);
    }
    (0..exponent).try_fold(value, |value, _| value.checked_mul(10))
}

/// Adds two amounts at the finer of their scales; `None` if the sum does not fit into 64 bits.
fn small_sum((a, x): (i64, i32), (b, y): (i64, i32)) -> Option<Amount> {
    let (value, exponent) = match (a, b) {
        (_, 0) => (a, x),
        (0, _) => (b, y),
        _ => {
            let finer = x.min(y);
            let at = |value, exponent: i32| scaled_up(value, i64::from(exponent - finer));
            (at(a, x)?.checked_add(at(b, y)?)?, finer)
        }
    };
    Some(Amount::Small { value, exponent })
}

/// Returns a power of ten, rounded as Go's tables round it: in one step up to 31, in two steps beyond.
fn power_of_ten(exponent: i32) -> f64 {
    const ONES: [f64; 32] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31,
    ];
    const UP: [f64; 10] = [1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288];
    const DOWN: [f64; 11] = [1e0, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320];
    let size = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
    let ones = ONES.get(size % 32).copied().unwrap_or(1.0);
    match exponent {
        309.. => f64::INFINITY,
        0.. => UP.get(size / 32).map_or(f64::INFINITY, |power| power * ones),
        -323.. => DOWN.get(size / 32).map_or(0.0, |power| power / ones),
        _ => 0.0,
    }
}
