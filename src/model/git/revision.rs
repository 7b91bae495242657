//! Revisions of the config repository.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The ID of a Git commit in lowercase hexadecimal (40 digits for SHA-1, 64 for SHA-256).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommitId(String);

impl CommitId {
    /// Returns the full ID.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first twelve digits, for display.
    pub fn short(&self) -> &str {
        crate::digest::short(&self.0)
    }
}

/// A string that is not a commit ID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a commit id: 40 or 64 hexadecimal digits are expected")]
pub struct InvalidCommitId(String);

impl FromStr for CommitId {
    type Err = InvalidCommitId;
    fn from_str(text: &str) -> Result<Self, InvalidCommitId> {
        let hex = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if hex && matches!(text.len(), 40 | 64) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidCommitId(text.to_owned()))
        }
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

impl JsonSchema for CommitId {
    fn schema_name() -> Cow<'static, str> {
        "CommitId".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The id of a Git commit.",
            "type": "string",
            "pattern": "^([0-9a-f]{40}|[0-9a-f]{64})$"
        })
    }
}
