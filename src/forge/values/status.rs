//! Statuses of commits.

/// The state of a commit status, a check run or a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// It waits. Gitea has no other word for what runs.
    Pending,
    /// It runs. GitHub's and Gitea's statuses show it as pending.
    Running,
    /// It succeeded.
    Success,
    /// It failed.
    Failure,
    /// It could not be done, which is not the same as a failure. GitLab shows it as failed.
    Error,
}

impl State {
    /// Returns `true` if it does not change any more.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Success | Self::Failure | Self::Error)
    }
}

/// The latest status of a commit in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitStatus {
    /// The name of the status.
    pub context: String,
    /// Its state.
    pub state: State,
    /// Its description.
    pub text: String,
    /// The ID of the account that wrote it; `None` if that is gone.
    pub creator: Option<u64>,
}

impl CommitStatus {
    /// Keeps the first status of each context. `is_same` compares the names of contexts.
    pub(crate) fn latest(newest_first: impl IntoIterator<Item = Self>, is_same: fn(&str, &str) -> bool) -> Vec<Self> {
        let mut latest: Vec<Self> = Vec::new();
        for status in newest_first {
            if !latest.iter().any(|other| is_same(&other.context, &status.context)) {
                latest.push(status);
            }
        }
        latest
    }
}
