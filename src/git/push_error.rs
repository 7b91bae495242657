//! Errors of pushes.

use crate::Error;
use crate::sanitize::{one_line, remote_message};
use tidegate_model::revision::CommitId;

/// A push that did not change the remote, or whose outcome is unknown.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// The race was lost: the branch is not at the expected commit. Fetch, commit on top, push again.
    #[error("the branch has moved on the remote")]
    Stale {
        /// The tip of the branch; `None` if it does not exist.
        remote: Option<CommitId>,
    },
    /// The remote refused the push: a hook, or a protected branch. Someone must fix the rules or the content.
    #[error("the remote refused the push: {reason}{}", remote_message(&one_line(messages.as_bytes())))]
    Rejected {
        /// The reason in the remote's report.
        reason: String,
        /// The output of hooks, with control characters removed; empty if there was none.
        messages: String,
    },
    /// The remote could not be reached or closed the connection. The push may have happened: pushing again is safe and
    /// shows whether it did.
    #[error(transparent)]
    Unreachable(Error),
    /// The remote does not accept the credentials, or requires some.
    #[error(transparent)]
    Unauthorized(Error),
    /// Any other error; nothing was sent.
    #[error(transparent)]
    Failed(Error),
}

impl PushError {
    /// Returns `true` if the same push may succeed later although no one has changed anything.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }

    /// Returns `true` if the remote answered and refused the push.
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
