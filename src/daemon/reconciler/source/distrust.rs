//! Why a revision is not followed, as a value. It is put into words only for the journal.

use super::keys::UnusableKeys;
use tidegate_model::instance::InstanceId;
use tidegate_model::revision::CommitId;
use tidegate_signature::Verdict;

/// Why a revision is not followed. Displays as a sentence with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Distrust {
    /// The repository at the address is another one.
    #[error(
        "the repository at this address was replaced by another one: it contains neither the followed history nor the journal of \
         instance {instance}; put the old repository back, or restart the daemon with an empty --state-dir to follow this one as a new \
         instance"
    )]
    Replaced {
        /// The instance of this daemon.
        instance: InstanceId,
    },
    /// The trusted keys cannot be read.
    #[error(transparent)]
    Keys(UnusableKeys),
    /// Too many commits would have to be checked.
    #[error("there are more than {most} commits since {}, the last verified one", verified.short())]
    TooManyCommits {
        /// How many are checked.
        most: usize,
        /// The last verified commit.
        verified: CommitId,
    },
    /// History was rewritten, and the policy forbids that.
    #[error(
        "the history of the branch was rewritten, which [verify] rewrites = \"refuse\" forbids; push a commit that continues the last \
         followed one"
    )]
    Rewritten,
    /// The revision itself has no good signature.
    #[error(
        "commit {}: {why}; sign it with a trusted key, or have someone with such a key merge it", commit.short()
    )]
    Unsigned {
        /// The commit.
        commit: CommitId,
        /// What is wrong with its signature.
        why: NoSignature,
    },
    /// A commit below the revision has no good signature.
    #[error(
        "commit {}: {why}, and [verify] commits = \"every\" requires every commit to be signed, so a signed one on top does not help; \
         rewrite the commits that were not followed yet, to remove this one or to sign it",
        commit.short()
    )]
    UnsignedBelow {
        /// The commit.
        commit: CommitId,
        /// What is wrong with its signature.
        why: NoSignature,
    },
}

/// Why there is no good signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoSignature {
    /// That of the commit does not count, and there is no tag.
    #[error("{0}")]
    OfCommit(Verdict),
    /// That of the commit does not count, and the tag object has another name than the tag under which it was found.
    #[error("{of_commit}, and the object of its tag {found} has the name {named}")]
    RenamedTag {
        /// The signature of the commit.
        of_commit: Verdict,
        /// The name under which the tag was found.
        found: String,
        /// The name in the tag object.
        named: String,
    },
    /// That of the tag does not count either.
    #[error("its tag {tag}: {of_tag}")]
    OfTag {
        /// The name of the tag.
        tag: String,
        /// The signature of the tag.
        of_tag: Verdict,
    },
}
