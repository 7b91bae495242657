//! Pull requests, as far as approvals are concerned: the facts that a forge and Git tell.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subject::{Author, Authors, Voucher};
use tidegate_model::digest::Digest;
use tidegate_model::forge::{Account, Membership, Opinion};
use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The pull requests that are known, by number.
pub type Pulls = BTreeMap<u64, PullRecord>;

/// What is known of a pull request. It is journaled, and everything that a verdict needs is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullRecord {
    /// Its page.
    pub url: String,
    /// Its title, which its author chose.
    pub title: String,
    /// Who opened it; absent if the account is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Account>,
    /// Whether it is open.
    pub state: Standing,
    /// The newest commit of its branch.
    pub head: CommitId,
    /// The accounts that pushed to its branch, as far as the forge names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushers: Vec<Account>,
    /// The commits of the followed branch that the forge links to it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub linked: BTreeSet<CommitId>,
    /// What the daemon asks for, if the daemon opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateRequest>,
    /// The revisions that brought the current digests of add-ons, if the forge links them to this pull request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub brought: BTreeMap<UnitName, CommitId>,
    /// The trees that people reviewed, and that of the head, by commit. For a request of the daemon: what it asks for, with the accounts of
    /// those who made the change.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trees: BTreeMap<CommitId, Reviewed>,
    /// What people said, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<SeenOpinion>,
    /// The approvals in comments, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Commanded>,
    /// Whether people who said something belong to teams, or have roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memberships: Vec<KnownMembership>,
    /// When the daemon saw first that it is not open any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub ended: Option<Timestamp>,
    /// The number of the comment with the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<u64>,
}

/// Whether a pull request is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It is open.
    Open,
    /// It was closed without being merged.
    Closed,
    /// It was merged into the followed branch.
    Merged,
}

/// A request of the daemon to approve a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateRequest {
    /// The add-on.
    pub addon: UnitName,
    /// The digest that is rolled out.
    pub digest: Digest,
    /// The decision group that waits; absent for the start of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The instance that asks.
    pub instance: InstanceId,
    /// Since when clusters wait for it.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// The commit of the request. An opinion about another commit does not count.
    pub commit: CommitId,
    /// Whether the daemon closed it, because it is not needed any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_withdrawn: bool,
}

/// A tree that someone may have reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reviewed {
    /// The digests of the add-ons that the pull request changes. An add-on that it does not change was not reviewed.
    pub digests: BTreeMap<UnitName, Digest>,
    /// Who made the commits up to this one that the followed branch does not have.
    pub authors: Authors,
    /// When the daemon saw it first.
    #[schemars(with = "Rfc3339")]
    pub seen: Timestamp,
}

/// An opinion, and when the daemon saw it first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeenOpinion {
    /// The opinion.
    #[serde(flatten)]
    pub opinion: Opinion,
    /// When the daemon saw it first, by its own clock.
    #[schemars(with = "Rfc3339")]
    pub seen: Timestamp,
}

/// An approval in a comment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Commanded {
    /// Who wrote it; absent if the account is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Account>,
    /// The add-on.
    pub addon: UnitName,
    /// The decision group; absent for the start of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The digest, as written.
    pub digest: String,
    /// The newest commit of the branch when the daemon saw the comment first. What was pushed later was not approved.
    pub head: CommitId,
    /// When it was written, by the clock of the forge.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// When the daemon saw it first.
    #[schemars(with = "Rfc3339")]
    pub seen: Timestamp,
    /// Whether it was changed after it was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_edited: bool,
    /// Where it can be read.
    pub url: String,
}

/// Whether an account belongs to a team, or has a role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KnownMembership {
    /// The number of the account.
    pub id: u64,
    /// The team or role as a rule names it, such as `team:platform/leads` or `role:maintain`.
    pub of: String,
    /// Whether it belongs to it.
    pub is: Membership,
}

impl GateRequest {
    /// Returns `true` if it asks for an earlier rollout: if the digest has left force since then. `replaced` is when it left force last.
    pub fn is_over(&self, replaced: Option<Timestamp>) -> bool {
        replaced.is_some_and(|replaced| self.since < replaced)
    }

    /// Returns `true` if it still asks for what it was opened for; see [`GateRequest::is_over`].
    pub fn asks(&self, replaced: Option<Timestamp>) -> bool {
        !self.is_withdrawn && !self.is_over(replaced)
    }
}

impl PullRecord {
    /// Returns the newest opinion of each account, oldest first. An opinion replaces all older ones of the same account, even if it was
    /// dismissed.
    pub fn latest(&self) -> Vec<&SeenOpinion> {
        let is_latest = |index: usize, seen: &SeenOpinion| {
            let by = seen.opinion.by.as_ref().map(|by| by.id);
            let newer = self.opinions.iter().skip(index + 1).filter_map(|newer| newer.opinion.by.as_ref());
            by.is_none_or(|id| newer.into_iter().all(|account| account.id != id))
        };
        let opinions = self.opinions.iter().enumerate();
        opinions.filter(|(index, seen)| is_latest(*index, seen)).map(|(_, seen)| seen).collect()
    }

    /// Returns those who took part in it besides the authors of its commits: who opened it, and who pushed to its branch. `None` if the
    /// account that opened it is gone.
    pub(super) fn participants(&self) -> Option<Vec<Author>> {
        let opener = self.author.as_ref()?;
        let author =
            |account: &Account| Author { account: Some(account.clone()), voucher: Voucher::Forge, ..Author::default() };
        Some([opener].into_iter().chain(&self.pushers).map(author).collect())
    }

    /// Returns whether an account belongs to a team or has a role, if that is known.
    pub fn membership(&self, id: u64, of: &str) -> Option<&Membership> {
        self.memberships.iter().find(|known| known.id == id && known.of == of).map(|known| &known.is)
    }
}
