//! When a certificate expires: the few bytes of X.509 that this needs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use tidegate_model::time::Timestamp;

/// Returns when the first certificate in a PEM file expires; `None` if the file contains no certificate, or the first one cannot be read.
///
/// # Source
/// RFC 5280, section 4.1: `Certificate`, `TBSCertificate` and `Validity`.
pub fn pem_expiration(pem: &str) -> Option<Timestamp> {
    let body = pem.split_once("-----BEGIN CERTIFICATE-----")?.1.split_once("-----END CERTIFICATE-----")?.0;
    let body: String = body.split_whitespace().collect();
    der_expiration(&STANDARD.decode(body).ok()?)
}

/// Returns when a certificate in DER format expires; `None` if it cannot be read.
pub(super) fn der_expiration(der: &[u8]) -> Option<Timestamp> {
    let (certificate, _) = element(der, 0x30)?;
    let (mut rest, _) = element(certificate, 0x30)?;
    // The version has a default, so it may be missing.
    if let Some((_, after)) = element(rest, 0xa0) {
        rest = after;
    }
    // The serial number, the algorithm of the signature, and the issuer.
    for tag in [0x02, 0x30, 0x30] {
        rest = element(rest, tag)?.1;
    }
    let (validity, _) = element(rest, 0x30)?;
    let (_, ends) = moment(validity)?;
    moment(ends).map(|(ends, _)| ends)
}

/// Splits the first element of DER with this tag into its content and what follows it.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    if found != tag {
        return None;
    }
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x84 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}

/// Splits a time off: `UTCTime` until 2049, or `GeneralizedTime`.
fn moment(der: &[u8]) -> Option<(Timestamp, &[u8])> {
    let (digits, rest) = match element(der, 0x17) {
        Some((short, rest)) => {
            let short = std::str::from_utf8(short).ok()?;
            let century = if short.get(..2)? < "50" { "20" } else { "19" };
            (format!("{century}{short}"), rest)
        }
        None => {
            let (long, rest) = element(der, 0x18)?;
            (std::str::from_utf8(long).ok()?.to_owned(), rest)
        }
    };
    let part = |from: usize, to: usize| digits.get(from..to);
    let (day, time) = ((part(0, 4)?, part(4, 6)?, part(6, 8)?), (part(8, 10)?, part(10, 12)?, part(12, 14)?));
    let text = format!("{}-{}-{}T{}:{}:{}Z", day.0, day.1, day.2, time.0, time.1, time.2);
    Some((text.parse().ok()?, rest))
}
