//! Numbers on the wire of SSH: a length of four bytes, then the bytes of a whole number.

/// Takes two positive numbers and returns them side by side, each in `width` bytes; `None` if the bytes are anything else.
///
/// # Source
/// RFC 5656, section 3.1.2 (the signature of ECDSA) and RFC 4251, section 5 (`mpint`).
pub(super) fn fixed(bytes: &[u8], width: usize) -> Option<Vec<u8>> {
    let (first, rest) = number(bytes)?;
    let (second, rest) = number(rest)?;
    if !rest.is_empty() {
        return None;
    }
    let mut pair = padded(first, width)?;
    pair.extend(padded(second, width)?);
    Some(pair)
}

/// Returns a number of the wire without the zeros before it, and what follows it.
fn number(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (number, rest) = rest.split_at_checked(length)?;
    Some((trimmed(number), rest))
}

/// Removes the zeros before a number.
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

/// Writes a pair of numbers of equal width as SSH has them, the reverse of [`fixed`].
pub(super) fn numbers(pair: &[u8]) -> Vec<u8> {
    let (first, second) = pair.split_at(pair.len() / 2);
    let mut bytes = Vec::new();
    for number in [trimmed(first), trimmed(second)] {
        // A number whose highest bit is set would be a negative one.
        let sign: &[u8] = if number.first().is_some_and(|byte| *byte >= 0x80) { &[0] } else { &[] };
        let length = u32::try_from(sign.len() + number.len()).unwrap_or(u32::MAX);
        bytes.extend(length.to_be_bytes());
        bytes.extend(sign);
        bytes.extend(number);
    }
    bytes
}
