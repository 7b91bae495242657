//! Revisions of the followed repository, and what is known of the one that is followed.
//!
//! The names of the fields of [`Revision`], [`SignedBy`], [`RefusedRevision`], [`Rewrite`], [`Rejection`], [`LastGood`] and [`Judgement`] are part
//! of the journal's format.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::instance::InstanceId;
use crate::name::UnitName;
use crate::replaced::Replaced;
use crate::revision::CommitId;
use crate::time::{Rfc3339, Timestamp};

/// What is known of the followed revision, and of those that were not followed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RevisionFacts {
    /// The last revision seen.
    pub seen: Option<Revision>,
    /// The last revision without complaints.
    pub applied: Option<CommitId>,
    /// The revision that each add-on follows.
    pub addons: BTreeMap<UnitName, CommitId>,
    /// The revisions that rollouts start from, if they are older than the last revision seen.
    pub held: BTreeMap<UnitName, Revision>,
    /// The first complaints about the last revision seen.
    pub complaints: Vec<String>,
    /// Number of complaints beyond those.
    pub unlisted_complaints: usize,
    /// The last revision with good signatures.
    pub verified: Option<CommitId>,
    /// The newest revision, if it is not trusted.
    pub refused: Option<RefusedRevision>,
    /// The last time that the history was rewritten.
    pub rewritten: Option<Rewrite>,
    /// The other instances whose objects are adopted.
    pub adopts: Vec<InstanceId>,
    /// The last changes of the digest of each add-on, newest first; empty if there are neither people nor approvals nor a forge.
    pub changes: BTreeMap<UnitName, Vec<DigestChange>>,
    /// The digests that are not in force any more, also of add-ons that are gone; empty if `changes` is.
    pub replaced: BTreeMap<UnitName, Replaced>,
    /// The policies that judge revisions, and what they decided.
    pub policies: Judgement,
}

/// A change of the digest of an add-on, which approvals are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DigestChange {
    /// The new digest.
    pub digest: Digest,
    /// The digest before; absent if the add-on is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Digest>,
    /// The revision that brought the new digest.
    pub commit: CommitId,
    /// The revision from which the change is counted: that of the last good state of the add-on; absent if this is the first revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<CommitId>,
    /// The revision whose rules were in force then, if that is not [`DigestChange::base`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<CommitId>,
    /// The revision that was seen last, if a change of the rules was waiting there: its RolloutPolicies judge as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<CommitId>,
}

/// Which policies judge revisions, and what they decided about the last one. Empty if no policy is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judgement {
    /// The last revision that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<CommitId>,
    /// The revision whose policies judged it; absent if only those of the daemon did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<CommitId>,
    /// The revision whose policies judge the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<CommitId>,
    /// Why the revision cannot be judged yet; absent if it is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
    /// The policies that it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPolicy>,
}

impl Judgement {
    /// Returns `true` if no policy is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if an add-on is kept on an earlier revision.
    pub fn holds(&self) -> bool {
        self.broken.iter().any(|broken| broken.is_error && !broken.addons.is_empty())
    }
}

/// A policy that a revision breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenPolicy {
    /// The name of the policy.
    pub policy: String,
    /// Whether the add-ons are kept on an earlier revision because of it.
    pub is_error: bool,
    /// The add-ons that break it.
    pub addons: BTreeSet<UnitName>,
    /// What is wrong, what to do, and where the rule is.
    pub message: String,
}

/// A revision of the config repository, described for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The commit.
    pub commit: CommitId,
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it.
    pub author: String,
    /// Who committed it, if not the author: the forge, or the person who merged.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub committer: String,
    /// When it was written.
    #[schemars(with = "Rfc3339")]
    pub time: Timestamp,
    /// The tag that names it, if tags are followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The pull or merge request that introduced it, according to its message: `#12`, or `group/project!34`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<String>,
    /// The people in its `Approved-by` and `Reviewed-by` trailers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved_by: Vec<String>,
    /// The signer of its good signature, if signatures are required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<SignedBy>,
    /// The commits that it reverts, according to its message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reverts: Vec<CommitId>,
}

/// A good signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedBy {
    /// The owner of the key, according to the list of trusted keys.
    pub signer: String,
    /// The fingerprint of the key.
    pub key: String,
}

/// A revision that is not followed, because it is not trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedRevision {
    /// The refused revision.
    pub revision: Revision,
    /// Why, and what to do.
    pub reason: String,
}

/// A rewrite of history: the branch moved to a commit that does not descend from the previous one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rewrite {
    /// The previous tip of the branch.
    pub from: CommitId,
    /// The new tip of the branch.
    pub to: CommitId,
    /// Whether the new tip was followed.
    pub accepted: bool,
}

/// A digest whose rollout failed, so that its clusters return to the last good one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    /// The digest.
    pub digest: Digest,
    /// When it failed.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// What failed, with the evidence.
    pub reason: String,
    /// The policy that asks for the rollback, such as `RolloutPolicy production`.
    pub policy: String,
    /// The last digest that all clusters completed; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<LastGood>,
}

/// The last digest of an add-on that all of its clusters completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastGood {
    /// The digest.
    pub digest: Digest,
    /// A revision that has it.
    pub commit: CommitId,
}
