//! Pull requests, and what people say about them.

use tidegate_model::time::Timestamp;

/// A pull request, which GitLab calls a merge request.
#[derive(Debug, Clone)]
pub struct PullRecord {
    /// Its number in the project.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Its description.
    pub body: String,
    /// The number of the account that opened it.
    pub author: u64,
    /// The owner of the repository of its branch.
    pub head_owner: String,
    /// Its branch.
    pub head_branch: String,
    /// The newest commit of its branch.
    pub head: String,
    /// The branch that it is to be merged into.
    pub base_branch: String,
    /// The commit of that branch when the pull request was pushed last.
    pub base: String,
    /// Whether it is open.
    pub state: PullStatus,
    /// Whether it is a draft.
    pub is_draft: bool,
    /// When it was opened.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
    /// Each push, oldest first.
    pub versions: Vec<VersionRecord>,
    /// The reviews and approvals, oldest first.
    pub reviews: Vec<ReviewRecord>,
    /// Whether someone has read whether it can be merged, since it was pushed last.
    pub is_mergeable_known: bool,
    /// The branch of a merge queue that has the merge, if it is in the queue.
    pub queued: Option<String>,
}

/// Whether a pull request is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PullStatus {
    /// It is open.
    Open,
    /// It was closed.
    Closed {
        /// When.
        at: Timestamp,
    },
    /// It was merged.
    Merged {
        /// The number of the account.
        by: u64,
        /// When.
        at: Timestamp,
        /// The commit to which the base branch moved.
        commit: String,
        /// The commit of the base branch before.
        from: String,
        /// The squashed commit, if it is another one.
        squashed: Option<String>,
        /// Whether the commit has two parents.
        is_merge_commit: bool,
    },
}

/// A push to the branch of a pull request.
#[derive(Debug, Clone)]
pub struct VersionRecord {
    /// Its number.
    pub id: u64,
    /// The commit of the branch.
    pub head: String,
    /// The newest common ancestor of the branch and its base.
    pub base: String,
    /// The commit of the base branch.
    pub start: String,
    /// When.
    pub at: Timestamp,
}

/// A review, or on GitLab an approval.
#[derive(Debug, Clone)]
pub struct ReviewRecord {
    /// Its number.
    pub id: u64,
    /// The number of the account.
    pub by: u64,
    /// What it says.
    pub verdict: Verdict,
    /// The commit that was reviewed.
    pub commit: String,
    /// The commit of the base branch then.
    pub base: String,
    /// The text.
    pub body: String,
    /// When.
    pub at: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
    /// Whether someone dismissed it.
    pub is_dismissed: bool,
    /// Whether the branch has other contents than the reviewed commit.
    pub is_stale: bool,
    /// Whether it counts for the protection of the branch.
    pub is_official: bool,
}

/// What a review says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The change may be merged.
    Approve,
    /// The change must not be merged as it is.
    RequestChanges,
    /// Neither.
    Comment,
}

impl PullRecord {
    /// Returns `true` if it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.state == PullStatus::Open
    }

    /// Returns when it was merged.
    pub(crate) fn merged_at(&self) -> Option<Timestamp> {
        match &self.state {
            PullStatus::Merged { at, .. } => Some(*at),
            PullStatus::Open | PullStatus::Closed { .. } => None,
        }
    }

    /// Returns when it was closed or merged.
    pub(crate) fn closed_at(&self) -> Option<Timestamp> {
        match &self.state {
            PullStatus::Merged { at, .. } | PullStatus::Closed { at } => Some(*at),
            PullStatus::Open => None,
        }
    }

    /// Returns the account that merged it.
    pub(crate) fn merged_by(&self) -> Option<u64> {
        match &self.state {
            PullStatus::Merged { by, .. } => Some(*by),
            PullStatus::Open | PullStatus::Closed { .. } => None,
        }
    }

    /// Returns the commit to which the base branch moved.
    pub(crate) fn merge_commit(&self) -> Option<&str> {
        match &self.state {
            PullStatus::Merged { commit, .. } => Some(commit),
            PullStatus::Open | PullStatus::Closed { .. } => None,
        }
    }

    /// Returns `open` or `closed`, as GitHub and Gitea do for merged ones, too.
    pub(crate) fn state_name(&self) -> &'static str {
        if self.is_open() { "open" } else { "closed" }
    }
}
