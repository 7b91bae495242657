//! The first digits of a digest, as people write them.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use tidegate_model::digest::Digest;

/// The first digits of a digest, at least twelve.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(try_from = "String")]
pub struct DigestStart(String);

/// A string that is not the start of a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a digest; write at least its first 12 digits, as `tidegate plan` and `tidegate status` print them"
)]
pub struct InvalidDigestStart(String);

impl DigestStart {
    /// Returns the first twelve digits of a digest.
    pub fn of(digest: &Digest) -> Self {
        Self(digest.short().to_owned())
    }

    /// Returns `true` if a digest starts with these digits.
    pub fn starts(&self, digest: &Digest) -> bool {
        digest.as_str().starts_with(&self.0)
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for DigestStart {
    type Err = InvalidDigestStart;
    fn from_str(text: &str) -> Result<Self, InvalidDigestStart> {
        let is_hex = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if is_hex && (12..=64).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidDigestStart(text.to_owned()))
        }
    }
}

impl TryFrom<String> for DigestStart {
    type Error = InvalidDigestStart;
    fn try_from(text: String) -> Result<Self, InvalidDigestStart> {
        text.parse()
    }
}

impl fmt::Display for DigestStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for DigestStart {
    fn schema_name() -> Cow<'static, str> {
        "DigestStart".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The first digits of a digest, at least twelve.",
            "type": "string",
            "pattern": "^[0-9a-f]{12,64}$"
        })
    }
}
