//! Why a forge does not start, or does not do what its handle is asked for.

use super::super::act::Refusal;
use super::super::git::GitError;

/// Why something is not done.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// The socket fails.
    #[error("the forge cannot listen on a port of this machine")]
    Listen(#[source] std::io::Error),
    /// Git fails.
    #[error("git fails in a repository of the forge")]
    Git(#[from] GitError),
    /// The account, branch, pull request or review does not exist.
    #[error("{0} does not exist on the forge; check its name")]
    Missing(String),
    /// The forge does not allow it.
    #[error("the forge does not allow this: {0}")]
    Refused(String),
}

impl From<Refusal> for ForgeError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Git(error) => Self::Git(error),
            Refusal::Missing(what) => Self::Missing(what.to_owned()),
            other => Self::Refused(format!("{other:?}")),
        }
    }
}
