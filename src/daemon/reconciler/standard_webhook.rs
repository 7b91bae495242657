//! The signatures of Standard Webhooks: GitLab sends them, and Tidegate signs its notifications with them.
//!
//! # Source
//! `standard-webhooks/standard-webhooks`, `spec/standard-webhooks.md`: the headers `webhook-id`, `webhook-timestamp` and
//! `webhook-signature`. A signature is `v1,` and the base64 of the HMAC-SHA-256 of `{id}.{timestamp}.{body}`; several are
//! separated by spaces. A secret is `whsec_` and the base64 of the key.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use tidegate_go::base64;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The header with the identity of a message, which is the same in every attempt to deliver it.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures.
pub const SIGNATURE: &str = "webhook-signature";
/// How far the time of a message may differ from the clock.
pub const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

/// How a secret starts.
const SECRET: &str = "whsec_";
/// How a signature with HMAC-SHA-256 starts.
const VERSION: &str = "v1,";
/// Number of signatures of a message that are looked at. A sender that rotates its secret sends two.
const MOST: usize = 8;

/// An HMAC-SHA-256 that is being computed.
pub type Authenticator = Hmac<Sha256>;

/// Returns the HMAC of some bytes. Comparing HMACs takes the same time wherever two secrets differ.
pub fn keyed(key: &[u8], bytes: &[u8]) -> Authenticator {
    let mut code = Authenticator::new_from_slice(key).expect("HMAC accepts a key of any length");
    code.update(bytes);
    code
}

/// Returns the HMAC of a message up to its body, which is still to be added.
pub fn started(key: &[u8], id: &[u8], timestamp: &[u8]) -> Authenticator {
    let mut code = keyed(key, id);
    for part in [b".", timestamp, b"."] {
        code.update(part);
    }
    code
}

/// Returns the key that a secret contains; `None` if it does not start with `whsec_`.
///
/// # Errors
/// If the rest is not base64, or is empty.
pub fn key(secret: &str) -> Option<Result<Vec<u8>, &'static str>> {
    let decoded = base64::decode(secret.strip_prefix(SECRET)?).ok().filter(|key| !key.is_empty());
    Some(decoded.ok_or("does not have base64 after whsec_"))
}

/// Returns the signature of a complete message.
pub fn signature(code: Authenticator) -> String {
    format!("{VERSION}{}", base64::encode(&code.finalize().into_bytes()))
}

/// Returns the HMACs in the header of signatures. Those of other versions are skipped.
pub fn signatures(header: &str) -> Vec<Vec<u8>> {
    let found = header.split(' ').filter_map(|signature| base64::decode(signature.strip_prefix(VERSION)?).ok());
    found.take(MOST).collect()
}

/// Returns `true` if the time of a message is close to the clock. One that is not a number of seconds is not.
pub fn is_fresh(timestamp: &str, now: Timestamp) -> bool {
    let seconds = timestamp.parse::<i64>().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    seconds.is_some_and(|at| at.duration_until(now).abs() <= TOLERANCE)
}
