//! Computes the parts of a private RSA key that OpenSSH does not store.

use ring::rsa::{KeyPair, KeyPairComponents, PublicKeyComponents};
use ssh_key::private::RsaKeypair;

use super::wire;

/// Creates a key pair that can sign; `None` if the numbers are inconsistent or the key is too short.
pub(crate) fn key_pair(keys: &RsaKeypair) -> Option<KeyPair> {
    let (public, private) = (&keys.public, &keys.private);
    let bytes = |number: &ssh_key::Mpint| number.as_positive_bytes().map(|bytes| wire::trimmed(bytes).to_vec());
    let (n, e) = (bytes(&public.n)?, bytes(&public.e)?);
    let (d, p, q, inverse) = (bytes(&private.d)?, bytes(&private.p)?, bytes(&private.q)?, bytes(&private.iqmp)?);
    let components = KeyPairComponents {
        public_key: PublicKeyComponents { n: &n, e: &e },
        d: &d,
        p: &p,
        q: &q,
        dP: &remainder(&d, &one_less(&p)?),
        dQ: &remainder(&d, &one_less(&q)?),
        qInv: &inverse,
    };
    KeyPair::from_components(&components).ok()
}

/// Returns an odd number minus one.
fn one_less(number: &[u8]) -> Option<Vec<u8>> {
    let mut less = number.to_vec();
    let last = less.last_mut().filter(|byte| **byte & 1 == 1)?;
    *last -= 1;
    Some(less)
}

/// Returns the remainder of a division, by long division in binary. A key is read only once, so speed does not matter.
fn remainder(number: &[u8], divisor: &[u8]) -> Vec<u8> {
    let width = divisor.len() + 1;
    let divisor = wire::padded(divisor, width).unwrap_or_default();
    let mut rest = vec![0; width];
    for bit in number.iter().flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1)) {
        double(&mut rest, bit);
        if rest >= divisor {
            subtract(&mut rest, &divisor);
        }
    }
    wire::trimmed(&rest).to_vec()
}

/// Doubles a number and adds a bit. The first byte of the number must have room for the carry.
fn double(number: &mut [u8], bit: u8) {
    let mut carry = bit;
    for byte in number.iter_mut().rev() {
        let high = *byte >> 7;
        *byte = *byte << 1 | carry;
        carry = high;
    }
}

/// Subtracts a number that is not larger and has the same number of bytes.
fn subtract(number: &mut [u8], less: &[u8]) {
    let mut borrow = false;
    for (byte, less) in number.iter_mut().zip(less).rev() {
        let (difference, first) = byte.overflowing_sub(*less);
        let (difference, second) = difference.overflowing_sub(u8::from(borrow));
        *byte = difference;
        borrow = first || second;
    }
}
