//! The subject of a verdict: what is to be approved, and who made it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fact::Signer;
use tidegate_model::digest::Digest;
use tidegate_model::forge::Account;
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;

/// What is to be approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The add-on.
    pub addon: UnitName,
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
    /// All authors, committers, co-authors and signers of its commits, each with who vouches for it. They are known only if someone vouches
    /// for each of them.
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

    /// Returns the authors of both; they are unknown if one of the two is.
    #[must_use]
    pub fn and(&self, others: &Self) -> Self {
        match others {
            Self::Known(others) => self.with(others),
            Self::Unknown(_) => others.clone(),
        }
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
    /// Addresses of the person, as author, committer or co-author of a commit. Anyone who can push can write any address there.
    pub emails: Vec<String>,
    /// The signer of a commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<Signer>,
    /// The account on the forge, if the forge shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    /// The commit; absent for someone who opened a pull request or pushed to its branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// Who vouches for it.
    pub voucher: Voucher,
}

/// Who vouches that the authors of a commit are those that it names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Voucher {
    /// No one. Everyone who can push can make such a commit in the name of anyone.
    #[default]
    Nobody,
    /// The signer: a trusted key signed the commit, which proves that its owner had a part in it. Addresses of others are claims of the
    /// signer.
    Signature,
    /// The forge: it has an account for the address, or the account opened the pull request or pushed to its branch. An account proves who
    /// was logged in; an account for an address proves only whose address it is, so that those who pushed count as well where the forge
    /// names them.
    Forge,
    /// The forge lists the commit in a pull request, but has no account for the address. It counts if `[people]` lists it.
    Listed,
    /// The operator, who lets claims count.
    Operator,
    /// No one has to: the commit only joins its parents, it brought what a pull request has, or the address is in addition to others that
    /// are known.
    Unneeded,
}
