//! Numbers in the SSH wire format: a four-byte length, then the bytes of an integer.

/// Parses two positive numbers and returns them one after the other, each in `width` bytes; `None` if the bytes are
/// anything else.
///
/// # Source
/// RFC 5656, section 3.1.2 (the signature of ECDSA) and RFC 4251, section 5 (`mpint`).
pub(crate) fn fixed(bytes: &[u8], width: usize) -> Option<Vec<u8>> {
    let (first, rest) = number(bytes)?;
    let (second, rest) = number(rest)?;
    if !rest.is_empty() {
        return None;
    }
    let mut pair = padded(first, width)?;
    pair.extend(padded(second, width)?);
    Some(pair)
}

/// Parses a number; returns it without leading zeros, and the rest.
fn number(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (number, rest) = rest.split_at_checked(length)?;
    Some((trimmed(number), rest))
}

/// Removes leading zeros.
pub(super) fn trimmed(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

/// Returns a number in exactly `width` bytes; `None` if it is longer.
pub(super) fn padded(number: &[u8], width: usize) -> Option<Vec<u8>> {
    let number = trimmed(number);
    let mut bytes = vec![0; width.checked_sub(number.len())?];
    bytes.extend(number);
    Some(bytes)
}

/// Encodes two numbers of equal width in the SSH wire format, the reverse of [`fixed`].
pub(crate) fn numbers(pair: &[u8]) -> Vec<u8> {
    let (first, second) = pair.split_at(pair.len() / 2);
    let mut bytes = Vec::new();
    for number in [trimmed(first), trimmed(second)] {
        // Without the zero byte, a number whose highest bit is set would be negative.
        let sign: &[u8] = if number.first().is_some_and(|byte| *byte >= 0x80) { &[0] } else { &[] };
        let length = u32::try_from(sign.len() + number.len()).unwrap_or(u32::MAX);
        bytes.extend(length.to_be_bytes());
        bytes.extend(sign);
        bytes.extend(number);
    }
    bytes
}
