//! The subject of a verdict: what is to be approved, and who made it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fact::Signer;
use tidegate_model::digest::Digest;
use tidegate_model::forge::Account;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::AddonName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// What is to be approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The add-on.
    pub addon: AddonName,
    /// The digest of what is rolled out.
    pub digest: Digest,
    /// The decision group that waits; `None` for the start of the rollout.
    pub group: Option<String>,
    /// The instance that judges.
    pub instance: InstanceId,
    /// Who made the change.
    pub authors: Authors,
    /// Who made the changes before the last one that are judged with it.
    pub earlier: Authors,
    /// The revision that brought the digest; `None` if it is not known.
    pub change: Option<CommitId>,
    /// When the digest left force last; `None` if it never did.
    pub replaced: Option<Timestamp>,
    /// When it was the turn of the group; `None` if it is not its turn yet.
    pub reached: Option<Timestamp>,
}

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Authors {
    /// All authors, committers, co-authors and signers of its commits.
    Known(Vec<Author>),
    /// They cannot be found out. Contains the reason.
    Unknown(String),
}

impl Authors {
    /// Creates a sorted list, without duplicates.
    pub fn known(mut authors: Vec<Author>) -> Self {
        authors.sort();
        authors.dedup();
        Self::Known(authors)
    }

    /// Adds others; they stay unknown if they are.
    #[must_use]
    pub fn with(&self, others: &[Author]) -> Self {
        match self {
            Self::Known(known) => Self::known(known.iter().chain(others).cloned().collect()),
            Self::Unknown(why) => Self::Unknown(why.clone()),
        }
    }
}

/// Someone who took part in a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Author {
    /// Addresses of the person, as author, committer or co-author of a commit.
    pub emails: Vec<String>,
    /// The signer of a commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<Signer>,
    /// The account on the forge, if the forge shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
}
