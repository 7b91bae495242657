//! Revisions of the config repository in the journal: who wrote, signed and approved them, and which were not trusted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// A revision of the config repository, as people know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The commit.
    pub commit: CommitId,
    /// First line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// Who committed it, where that is somebody else: the forge, or whoever merged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub committer: String,
    /// When it was written.
    #[schemars(with = "Rfc3339")]
    pub time: Timestamp,
    /// The tag that named it, where tags are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The pull or merge request that brought it, as its message tells: `#12`, or `group/project!34`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<String>,
    /// What its trailers `Approved-by` and `Reviewed-by` say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved_by: Vec<String>,
    /// Whose signature was found good on it, where signatures are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<SignedBy>,
    /// The commits that its message says to revert.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reverts: Vec<CommitId>,
}

/// A good signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedBy {
    /// Whom the key belongs to, as the list of trusted keys says.
    pub signer: String,
    /// Fingerprint of the key.
    pub key: String,
}

/// A revision that is not followed, because it is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedRevision {
    /// What was refused.
    pub revision: Revision,
    /// Why, and what to do.
    pub reason: String,
}

/// A rewriting of history: the branch went to a commit that does not continue the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rewrite {
    /// Where the branch was.
    pub from: CommitId,
    /// Where it went.
    pub to: CommitId,
    /// Whether it was followed there.
    pub accepted: bool,
}
