//! Floats are printed as Go prints them.

use proptest::prelude::*;
use tidegate_go::float::{format_e, format_f, format_g, format_g_in, format_json, parse_float};

/// A float, and Go's output for it in the formats `g`, `e` and `f` with the shortest digits, and in JSON.
const CASES: [(f64, [&str; 4]); 20] = [
    (0.0, ["0", "0e+00", "0", "0"]),
    (-0.0, ["-0", "-0e+00", "-0", "-0"]),
    (1.0, ["1", "1e+00", "1", "1"]),
    (-1.5, ["-1.5", "-1.5e+00", "-1.5", "-1.5"]),
    (0.1, ["0.1", "1e-01", "0.1", "0.1"]),
    (1e-4, ["0.0001", "1e-04", "0.0001", "0.0001"]),
    (
        9.999_999_999_999_999e-5,
        ["9.999999999999999e-05", "9.999999999999999e-05", "0.00009999999999999999", "0.00009999999999999999"],
    ),
    (1e-6, ["1e-06", "1e-06", "0.000001", "0.000001"]),
    (1e-7, ["1e-07", "1e-07", "0.0000001", "1e-7"]),
    (2.5e-10, ["2.5e-10", "2.5e-10", "0.00000000025", "2.5e-10"]),
    (123_456.0, ["123456", "1.23456e+05", "123456", "123456"]),
    (999_999.5, ["999999.5", "9.999995e+05", "999999.5", "999999.5"]),
    (1e6, ["1e+06", "1e+06", "1000000", "1000000"]),
    (1_234_567.5, ["1.2345675e+06", "1.2345675e+06", "1234567.5", "1234567.5"]),
    (1e20, ["1e+20", "1e+20", "100000000000000000000", "100000000000000000000"]),
    (1e21, ["1e+21", "1e+21", "1000000000000000000000", "1e+21"]),
    (-1e100, ["-1e+100", "-1e+100", MINUS_GOOGOL, "-1e+100"]),
    (f64::INFINITY, ["+Inf"; 4]),
    (f64::NEG_INFINITY, ["-Inf"; 4]),
    (f64::NAN, ["NaN"; 4]),
];

const MINUS_GOOGOL: &str =
    "-10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn floats_are_printed_with_the_shortest_digits() {
    for (float, expected) in CASES {
        let printed = [format_g(float), format_e(float, None), format_f(float, None), format_json(float)];
        assert_eq!(printed, expected, "{float}");
    }
}

#[test]
fn floats_are_printed_with_a_precision() {
    let cases = [
        (0.0, 2, "0.00e+00", "0.00"),
        (2.5, 0, "2e+00", "2"),
        (3.5, 0, "4e+00", "4"),
        (1234.5678, 3, "1.235e+03", "1234.568"),
        (9.999, 2, "1.00e+01", "10.00"),
        (0.1, 20, "1.00000000000000005551e-01", "0.10000000000000000555"),
        (-1e-10, 1, "-1.0e-10", "-0.0"),
        (f64::INFINITY, 2, "+Inf", "+Inf"),
        (f64::NAN, 2, "NaN", "NaN"),
    ];
    for (float, digits, exponent, fixed) in cases {
        assert_eq!(format_e(float, Some(digits)), exponent, "{float}");
        assert_eq!(format_f(float, Some(digits)), fixed, "{float}");
    }
}

#[test]
fn the_bounds_of_an_exponent_can_be_set() {
    for (float, expected) in [(1e6, "1000000"), (1e20, "100000000000000000000"), (1e21, "1e+21"), (1e-5, "1e-05")] {
        assert_eq!(format_g_in(float, -4..21), expected);
    }
}

proptest! {
    #[test]
    fn a_printed_float_parses_back(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        for text in [format_g(float), format_e(float, None), format_f(float, None), format_json(float)] {
            let parsed = parse_float(&text).unwrap();
            prop_assert!(parsed.to_bits() == float.to_bits() || parsed.is_nan() && float.is_nan(), "{} {}", text, float);
        }
    }

    #[test]
    fn an_exponent_has_a_sign_and_two_digits(bits in any::<u64>(), precision in prop::option::of(0_usize..20)) {
        let float = f64::from_bits(bits);
        prop_assume!(float.is_finite());
        let text = format_e(float, precision);
        let (mantissa, exponent) = text.split_once('e').unwrap();
        prop_assert!(exponent.starts_with(['+', '-']) && exponent.len() >= 3);
        prop_assert_eq!(precision.unwrap_or(0), precision.and_then(|_| mantissa.split_once('.')).map_or(0, |(_, digits)| digits.len()));
    }
}
