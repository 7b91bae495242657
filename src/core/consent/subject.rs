//! The subject of a verdict: what is to be approved, and who made it.

use super::fact::Signer;
use tidegate_model::digest::Digest;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::AddonName;
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
    /// When it was the turn of the group; `None` if it is not its turn yet.
    pub reached: Option<Timestamp>,
}

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authors {
    /// All authors, committers, co-authors and signers of its commits.
    Known(Vec<Author>),
    /// They cannot be found out. Contains the reason.
    Unknown(String),
}

/// Someone who took part in a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Author {
    /// Addresses of the person, as author, committer or co-author of a commit.
    pub emails: Vec<String>,
    /// The signer of a commit.
    pub signer: Option<Signer>,
}
