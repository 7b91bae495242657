//! Decimal numbers of any length, for quantities that do not fit into 64 bits.

use std::cmp::Ordering;

/// A decimal number: `digits` times ten to the power of `-scale`.
///
/// # Shape
/// The most significant digit comes first, and is not 0; zero has no digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) negative: bool,
    pub(super) digits: Vec<u8>,
    pub(super) scale: i64,
}

impl Decimal {
    /// Creates a number from its digits; leading zeros are allowed.
    pub(super) fn new(negative: bool, digits: impl IntoIterator<Item = u8>, scale: i64) -> Self {
        let digits = digits.into_iter().skip_while(|digit| *digit == 0).collect();
        Self { negative, digits, scale }
    }

    /// Creates a number from an integer and a scale.
    pub(super) fn of(value: i64, scale: i64) -> Self {
        let digits = value.unsigned_abs().to_string().into_bytes().into_iter().map(|byte| byte - b'0');
        Self::new(value < 0, digits, scale)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the number multiplied by a small factor.
    pub(super) fn times(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for digit in self.digits.iter_mut().rev() {
            carry += u32::from(*digit) * factor;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        let mut front = Vec::new();
        while carry > 0 {
            front.push((carry % 10) as u8);
            carry /= 10;
        }
        self.digits.splice(0..0, front.into_iter().rev());
        self
    }

    /// Returns the number at another scale, rounded away from zero if digits are lost.
    pub(super) fn rounded_up(mut self, scale: i64) -> Self {
        if scale >= self.scale {
            let zeros = usize::try_from(scale - self.scale).unwrap_or(0);
            if !self.is_zero() {
                self.digits.extend(std::iter::repeat_n(0, zeros));
            }
            return Self { scale, ..self };
        }
        let lost = usize::try_from(self.scale - scale).unwrap_or(usize::MAX);
        let kept = self.digits.len().saturating_sub(lost);
        let inexact = self.digits.iter().skip(kept).any(|digit| *digit != 0);
        self.digits.truncate(kept);
        let rounded = Self { scale, ..self };
        if !inexact {
            return rounded;
        }
        let negative = rounded.negative;
        Self { negative, ..rounded.magnitude_plus(&Self { negative, digits: vec![1], scale }) }
    }

    /// Returns the sum.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.clone().rounded_up(scale), other.clone().rounded_up(scale));
        if a.negative == b.negative {
            return Self { negative: a.negative, ..a.magnitude_plus(&b) };
        }
        match a.compare_magnitude(&b) {
            Ordering::Equal => Self { negative: false, digits: Vec::new(), scale },
            Ordering::Greater => Self { negative: a.negative, ..a.magnitude_minus(&b) },
            Ordering::Less => Self { negative: b.negative, ..b.magnitude_minus(&a) },
        }
    }

    fn magnitude_plus(&self, other: &Self) -> Self {
        let mut digits = Vec::new();
        let mut carry = 0;
        let (mut a, mut b) = (self.digits.iter().rev(), other.digits.iter().rev());
        loop {
            let (x, y) = (a.next(), b.next());
            if x.is_none() && y.is_none() && carry == 0 {
                break;
            }
            let sum = x.copied().unwrap_or(0) + y.copied().unwrap_or(0) + carry;
            digits.push(sum % 10);
            carry = sum / 10;
        }
        Self::new(false, digits.into_iter().rev(), self.scale)
    }

    /// Subtracts a number of the same scale that is not larger.
    fn magnitude_minus(&self, other: &Self) -> Self {
        let mut borrow = 0;
        let mut taken = other.digits.iter().rev();
        let difference = self.digits.iter().rev().map(|digit| {
            let take = taken.next().copied().unwrap_or(0) + borrow;
            borrow = u8::from(*digit < take);
            *digit + 10 * borrow - take
        });
        let digits: Vec<u8> = difference.collect();
        Self::new(false, digits.into_iter().rev(), self.scale)
    }

    /// Compares two numbers.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (-1, -1) => other.compare_magnitude(self),
            (1, 1) => self.compare_magnitude(other),
            (a, b) => a.cmp(&b),
        }
    }

    /// Returns -1, 0 or 1.
    pub(super) fn sign(&self) -> i64 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let exponent = |number: &Self| i64::try_from(number.digits.len()).unwrap_or(i64::MAX) - number.scale;
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        exponent(self).cmp(&exponent(other)).then_with(|| {
            let longest = self.digits.len().max(other.digits.len());
            let padded = |number: &Self| {
                number.digits.clone().into_iter().chain(std::iter::repeat(0)).take(longest).collect::<Vec<u8>>()
            };
            padded(self).cmp(&padded(other))
        })
    }

    /// Returns the digits as an integer in decimal notation, ignoring the scale.
    pub(super) fn unscaled(&self) -> String {
        let sign = if self.sign() < 0 { "-" } else { "" };
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") }
    }
}
