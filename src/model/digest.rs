//! Digests of content.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use tidegate_go::canonical::sha256_hex;

/// The SHA-256 of some content, as 64 lowercase hexadecimal digits.
///
/// The whole hash is kept and compared, because someone can find two contents whose first twelve digits are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(String);

impl Digest {
    /// Returns the digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha256_hex(bytes))
    }

    /// Returns all digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first twelve digits, for display.
    pub fn short(&self) -> &str {
        short(&self.0)
    }
}

/// Returns the first twelve digits of a digest or commit, for display; all of it if it is shorter.
pub fn short(digits: &str) -> &str {
    digits.get(..12).unwrap_or(digits)
}

impl Default for Digest {
    /// Returns the digest of nothing.
    fn default() -> Self {
        Self::of(b"")
    }
}

/// A string that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a digest: 64 lowercase hexadecimal digits are expected")]
pub struct InvalidDigest(String);

impl FromStr for Digest {
    type Err = InvalidDigest;
    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for Digest {
    type Error = InvalidDigest;
    fn try_from(text: String) -> Result<Self, InvalidDigest> {
        let is_hex = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if is_hex && text.len() == 64 { Ok(Self(text)) } else { Err(InvalidDigest(text)) }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> Cow<'static, str> {
        "Digest".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A SHA-256 in lowercase hexadecimal.",
            "type": "string",
            "pattern": "^[0-9a-f]{64}$"
        })
    }
}
