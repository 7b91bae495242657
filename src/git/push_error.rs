//! What can become of a push that did not succeed.

use super::Error;
use super::words::{one_line, told};
use tidegate_model::revision::CommitId;

/// A push that did not change the remote, or whose outcome is unknown.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// The race was lost: the branch is not where it was expected. Fetch, commit on top, push again.
    #[error("the branch has moved on the remote")]
    Stale {
        /// Where the branch is; `None` if it does not exist.
        remote: Option<CommitId>,
    },
    /// The remote refused: a hook, or a protected branch. Somebody must fix the rules or the content.
    #[error("the remote refused the push: {reason}{}", told(&one_line(messages.as_bytes())))]
    Rejected {
        /// The reason in the remote's report.
        reason: String,
        /// What hooks printed, control characters removed; empty if they printed nothing.
        messages: String,
    },
    /// The remote could not be reached or broke off. The push may have happened: pushing again is safe and finds out.
    #[error(transparent)]
    Unreachable(Error),
    /// The remote wants other credentials, or any at all.
    #[error(transparent)]
    Unauthorized(Error),
    /// Anything else, on this side; nothing was sent.
    #[error(transparent)]
    Failed(Error),
}

impl PushError {
    /// Returns `true` if the same push may succeed later with nobody fixing anything.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }

    /// Returns `true` if the remote answered, and said no.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Rejected { .. } | Self::Unauthorized(_))
    }
}

impl From<Error> for PushError {
    fn from(error: Error) -> Self {
        match error {
            Error::Unauthorized { .. } | Error::NoToken { .. } => Self::Unauthorized(error),
            error if error.is_transient() => Self::Unreachable(error),
            error => Self::Failed(error),
        }
    }
}
