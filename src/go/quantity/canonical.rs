//! The canonical form of a quantity: as few digits as possible, and the largest suffix that needs no fraction.

use super::decimal::Decimal;
use super::value::{Amount, Format, Quantity};

const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

impl Quantity {
    /// Returns the string in the form that Kubernetes shows; `None` if it is not a quantity.
    pub fn canonical(text: &str) -> Option<String> {
        let quantity: Self = text.parse().ok()?;
        Some(if quantity.canonical || text == "0" { text.to_owned() } else { quantity.write() })
    }

    fn write(&self) -> String {
        if self.sign() == 0 {
            return "0".to_owned();
        }
        let decimal = self.amount.as_decimal();
        let integer = decimal.clone().rounded_up(0);
        let is_tiny = |bound: i64| decimal.compare(&Decimal::of(bound, 0));
        let tiny = is_tiny(-1024).is_gt() && is_tiny(1024).is_lt();
        if self.format == Format::Binary && !tiny && integer.compare(&decimal).is_eq() {
            return write_binary(integer);
        }
        let format = if self.format == Format::Binary { Format::Decimal } else { self.format };
        write_decimal(&self.amount, format)
    }
}

/// Writes an integer with the largest power of 1024 that divides it.
fn write_binary(integer: Decimal) -> String {
    // A binary quantity is at most 2^63 - 1.
    let mut number: i128 = integer.unscaled().parse().unwrap_or(i128::MAX);
    let mut times = 0;
    while number.abs() >= 1024 && number % 1024 == 0 {
        number /= 1024;
        times += 1;
    }
    format!("{number}{}", BINARY.get(times).unwrap_or(&""))
}

/// Writes a number with a power of ten that is a multiple of three.
fn write_decimal(amount: &Amount, format: Format) -> String {
    let decimal = amount.as_decimal();
    let zeros = decimal.digits.iter().rev().take_while(|digit| **digit == 0).count();
    let exponent = i64::try_from(zeros).unwrap_or(i64::MAX) - decimal.scale;
    let steps = exponent.div_euclid(3);
    // Rounded to the multiple of three below, so no digit is lost.
    let number = decimal.rounded_up(-3 * steps).unscaled();
    match format {
        Format::Exponent if steps == 0 => number,
        Format::Exponent => format!("{number}e{}", 3 * steps),
        // If no suffix is large enough, upstream omits the power.
        Format::Decimal | Format::Binary => {
            let suffix = usize::try_from(steps + 3).ok().and_then(|at| DECIMAL.get(at)).unwrap_or(&"");
            format!("{number}{suffix}")
        }
    }
}
