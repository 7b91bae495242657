//! Base64 as Go reads and writes it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A byte that is not base64, by its offset. The message is Go's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal base64 data at input byte {0}")]
pub struct IllegalByte(pub usize);

/// Encodes bytes, with padding.
///
/// # Source
/// Go `encoding/base64`, `StdEncoding.Encode`.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().enumerate().fold(0_u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for place in 0..4 {
            let sextet = (bits >> (18 - 6 * place)) as usize & 63;
            let is_there = place <= chunk.len();
            out.push(ALPHABET.get(sextet).filter(|_| is_there).map_or('=', |byte| char::from(*byte)));
        }
    }
    out
}

/// Decodes a string. Line breaks are skipped, and bits after the last byte are ignored.
///
/// # Errors
/// The offset that Go reports. For input that ends too early it is the length of the input, or the start of its last, incomplete
/// group of four digits if it has no padding.
///
/// # Source
/// Go `encoding/base64`, `StdEncoding.Decode`.
pub fn decode(text: &str) -> Result<Vec<u8>, IllegalByte> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut from = text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\n' | b'\r'));
    let (mut bits, mut sextets) = (0_u32, 0_usize);
    while let Some((at, byte)) = from.next() {
        if let Some(sextet) = ALPHABET.iter().position(|letter| *letter == byte) {
            (bits, sextets) = (bits << 6 | sextet as u32, sextets + 1);
            if sextets == 4 {
                out.extend(bits.to_be_bytes().iter().skip(1));
                (bits, sextets) = (0, 0);
            }
            continue;
        }
        if byte != b'=' || sextets < 2 {
            return Err(IllegalByte(at));
        }
        if sextets == 2 {
            match from.next() {
                None => return Err(IllegalByte(text.len())),
                Some((_, b'=')) => {}
                // Go reports the position before the byte.
                Some((at, _)) => return Err(IllegalByte(at - 1)),
            }
        }
        if let Some((at, _)) = from.next() {
            return Err(IllegalByte(at));
        }
        let bytes = (bits << (6 * (4 - sextets))).to_be_bytes();
        out.extend(bytes.iter().skip(1).take(sextets - 1));
        return Ok(out);
    }
    if sextets == 0 { Ok(out) } else { Err(IllegalByte(text.len() - sextets)) }
}
