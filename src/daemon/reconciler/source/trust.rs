//! Decides whether a revision is followed: by its signatures, and by whether history was rewritten.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::distrust::{Distrust, NoSignature};
use super::keys::{UnusableKeys, read_keys};
use tidegate_git::{Ancestry, CommitInfo, Tag};
use tidegate_model::chain::Signed;
use tidegate_model::followed::SignedBy;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_signature::{Store, Verdict, verify};

/// Which commits must be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Commits {
    /// The followed commit: the tip of the branch, usually the merge commit of a forge.
    #[default]
    Tip,
    /// Every commit since the last verified one, along all parents.
    Every,
}

/// What to do if the followed branch no longer continues the revision followed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rewrites {
    /// Follow the branch, and record the rewrite in the journal.
    #[default]
    Accept,
    /// Keep the revision in force until the branch continues it again.
    Refuse,
    /// Follow the branch if its tip is signed.
    Signed,
}

/// Which revisions are trusted, as configured by the operator of the daemon.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Which commits must be signed; `None` if signatures are not required.
    pub commits: Option<Commits>,
    /// Files of trusted keys, of those who sign revisions and of those who approve them. Read again for each revision.
    pub keys: Vec<PathBuf>,
    /// What to do if history was rewritten.
    pub rewrites: Rewrites,
    /// Whether the authors that commits name are believed although no one vouches for them. For approvals only.
    pub claimed_authors: bool,
}

impl Policy {
    /// Returns `true` if signatures are checked.
    pub fn looks_at_signatures(&self) -> bool {
        self.commits.is_some() || self.rewrites == Rewrites::Signed
    }

    /// Reads the trusted keys.
    ///
    /// # Errors
    /// [`UnusableKeys`] for the first file that cannot be used.
    pub fn store(&self) -> Result<Store, UnusableKeys> {
        if self.looks_at_signatures() { read_keys(&self.keys) } else { Ok(Store::default()) }
    }

    /// Reads the trusted keys of those who approve, which are needed even if revisions need no signatures. Without usable keys, no
    /// approval counts.
    pub(super) fn approvers(&self) -> Store {
        read_keys(&self.keys).unwrap_or_else(|error| {
            tracing::warn!(%error, "no approval counts");
            Store::default()
        })
    }
}

/// A new revision to decide.
#[derive(Debug)]
pub(super) struct Arrival<'a> {
    /// The commit.
    pub commit: &'a CommitId,
    /// The content of the commit.
    pub info: &'a CommitInfo,
    /// The annotated tag that names it, with the name under which it was found. A signature on it is as good as one on the commit.
    pub tag: Option<(&'a Tag, &'a str)>,
    /// Its relation to the revision followed before; `None` for the first revision, and for another tag.
    pub ancestry: Option<Ancestry>,
    /// The commits since the last one whose signature was good, without the revision itself.
    pub since: &'a [(CommitId, CommitInfo)],
}

/// The verdict on a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TrustDecision {
    /// It is followed.
    Follow {
        /// The good signature, if there is one.
        signature: Option<SignedBy>,
        /// Whether it rewrites history.
        is_rewrite: bool,
    },
    /// The revision followed before stays in force.
    Refuse {
        /// Why, and how to fix it.
        reason: Distrust,
        /// Whether it rewrites history.
        is_rewrite: bool,
    },
}

/// Judges a revision by a policy and the trusted keys.
pub(super) fn decide(policy: &Policy, store: &Store, arrival: &Arrival<'_>) -> TrustDecision {
    let is_rewrite = match arrival.ancestry {
        Some(Ancestry::Behind | Ancestry::Diverged) => true,
        // If the relation is unknown, it counts as a rewrite unless all rewrites are accepted.
        Some(Ancestry::Unknown) => policy.rewrites != Rewrites::Accept,
        Some(Ancestry::Same | Ancestry::Ahead) | None => false,
    };
    let refuse = |reason| TrustDecision::Refuse { reason, is_rewrite };
    if is_rewrite && policy.rewrites == Rewrites::Refuse {
        return refuse(Distrust::Rewritten);
    }
    let must_be_signed = policy.commits.is_some() || (is_rewrite && policy.rewrites == Rewrites::Signed);
    let signed = signature(store, arrival);
    let signature = match (signed, must_be_signed) {
        (Ok(signature), _) => Some(signature),
        (Err(_), false) => None,
        (Err(why), true) => return refuse(Distrust::Unsigned { commit: arrival.commit.clone(), why }),
    };
    if policy.commits == Some(Commits::Every) {
        for (commit, info) in arrival.since {
            if let Err(verdict) = of_commit(store, info) {
                let (commit, why) = (commit.clone(), NoSignature::OfCommit(verdict));
                return refuse(Distrust::UnsignedBelow { commit, why });
            }
        }
    }
    TrustDecision::Follow { signature, is_rewrite }
}

/// Returns `true` if a commit is signed with a trusted key.
pub(crate) fn is_signed(store: &Store, info: &CommitInfo) -> bool {
    of_commit(store, info).is_ok()
}

/// Returns who signed a revision: its commit, or the tag that names it.
fn signature(store: &Store, arrival: &Arrival<'_>) -> Result<SignedBy, NoSignature> {
    let of_commit = match of_commit(store, arrival.info) {
        Ok(signature) => return Ok(signature),
        Err(verdict) => verdict,
    };
    let Some((tag, name)) = arrival.tag else { return Err(NoSignature::OfCommit(of_commit)) };
    let found = name.to_owned();
    // Anyone who may move references can put an old tag, with its good signature, under a new name.
    if tag.name != name {
        return Err(NoSignature::RenamedTag { of_commit, found, named: tag.name.clone() });
    }
    let made = tag.tagger.as_ref().map_or(arrival.info.committer.time, |tagger| tagger.time);
    check_signature(store, tag.signature.as_ref(), made).map_err(|of_tag| match tag.signature {
        Some(_) => NoSignature::OfTag { tag: found, of_tag },
        None => NoSignature::OfCommit(of_commit),
    })
}

/// Returns the verdict on the signature of a commit, with keys that were valid at a time.
pub(super) fn verdict(store: &Store, info: &CommitInfo, at: Timestamp) -> Verdict {
    let verdict = |signed: &Signed| verify(store, &signed.payload, &signed.signature, at);
    info.signature.as_ref().map_or(Verdict::Unsigned, verdict)
}

fn of_commit(store: &Store, info: &CommitInfo) -> Result<SignedBy, Verdict> {
    check_signature(store, info.signature.as_ref(), info.committer.time)
}

fn check_signature(store: &Store, signed: Option<&Signed>, at: Timestamp) -> Result<SignedBy, Verdict> {
    let verdict = signed.map_or(Verdict::Unsigned, |signed| verify(store, &signed.payload, &signed.signature, at));
    match verdict {
        Verdict::Good { signer, key } => Ok(SignedBy { signer, key: key.to_string() }),
        other => Err(other),
    }
}
