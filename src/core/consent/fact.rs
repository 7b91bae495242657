//! Facts: approvals as they are found in Git, whether they count or not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// An approval as found in Git, with everything that is known about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fact {
    /// The file with the entry.
    pub file: String,
    /// The add-on.
    pub addon: UnitName,
    /// The digest that is approved, as written.
    pub digest: String,
    /// The decision group; `None` for the start of the rollout.
    pub group: Option<String>,
    /// The instance for which it is given.
    pub instance: InstanceId,
    /// The person whom it names: an alias, an address or a key.
    pub by: String,
    /// The time that it names.
    pub at: Timestamp,
    /// The reason that it gives; empty if it gives none.
    pub reason: String,
    /// Whether it breaks the glass.
    pub break_glass: bool,
    /// The commits that added it. Empty if they are not known, as in a shallow clone.
    pub added: Vec<Addition>,
    /// The commit that removed it, even if it was added again.
    pub withdrawn: Option<CommitId>,
}

/// The commit that added an approval, relative to all of its parents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Addition {
    /// The commit.
    pub commit: CommitId,
    /// The time of its committer.
    pub committed: Timestamp,
    /// When the daemon saw it first; `None` if that is not known.
    pub seen: Option<Timestamp>,
    /// Its signature.
    pub signature: Signature,
    /// Who wrote it.
    pub written: Written,
}

/// Who wrote a commit, according to the commit, and what it changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Written {
    /// The address of the author.
    pub by: String,
    /// Whether the commit was made again after it was written, as by a rebase: its author has another time than its committer.
    pub is_again: bool,
    /// Whether it changes nothing but approvals.
    pub has_only_approvals: bool,
}

/// The verdict on the signature of a commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Signature {
    /// A trusted key made it.
    Good(Signer),
    /// There is no signature.
    Missing,
    /// It is malformed, does not match the commit, or is of a kind that is not accepted. Contains the reason.
    Bad(String),
    /// The key is not trusted. Contains the reason.
    Unknown(String),
    /// The key was revoked. Contains the reason.
    Revoked(String),
    /// The key was not valid at that time. Contains the reason.
    Expired(String),
}

/// Who signed a commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Signer {
    /// The owner of the key, according to the list of trusted keys.
    pub principal: String,
    /// The fingerprint of the key.
    pub key: String,
}
