//! Errors of downloads, and whether a retry can help.

use std::time::Duration;

use tidegate_model::error_chain::ErrorChain;

/// A download, or the rendering of a chart, that failed. No message contains a password, or the query of an address that a server
/// named.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be used. The author of the declaration fixes it.
    #[error("{address:?} cannot be downloaded: {why}")]
    Address {
        /// The address, without its query.
        address: String,
        /// What is wrong with it, and what to write.
        why: String,
    },
    /// There is no complete answer. A later retry may help.
    #[error("{address} cannot be reached: {why}")]
    Unreachable {
        /// The address.
        address: String,
        /// What failed.
        why: String,
    },
    /// The answer is not complete in time. A later retry may help.
    #[error("{address} has not sent everything within {limit:?}; check the network, or try a mirror of the source")]
    TimedOut {
        /// The address.
        address: String,
        /// The time limit.
        limit: Duration,
    },
    /// The server does not accept the credentials, or requires some.
    #[error("{address} is not accessible (status {status}): {why}")]
    Denied {
        /// The address.
        address: String,
        /// The status of the answer.
        status: u16,
        /// What to do about it.
        why: String,
    },
    /// There is nothing at the address.
    #[error("{address} does not exist (status {status}); check the address, and whether it needs credentials")]
    NotFound {
        /// The address.
        address: String,
        /// The status of the answer.
        status: u16,
    },
    /// The server sends the client to an address where it does not go.
    #[error("{address} leads to {target}, which is not followed: {why}")]
    Redirect {
        /// The address that was declared.
        address: String,
        /// Where it leads: scheme, host and port only.
        target: String,
        /// Why it is not followed.
        why: String,
    },
    /// What came is not what it should be.
    #[error("{what} cannot be used: {why}")]
    Content {
        /// What was downloaded, with its address.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// No version of a chart matches the request.
    #[error("{repository} has no version of the chart {chart:?} that matches {wanted:?}; {known}")]
    Version {
        /// The repository.
        repository: String,
        /// The name of the chart.
        chart: String,
        /// The requested version or range.
        wanted: String,
        /// The versions that exist.
        known: String,
    },
    /// The branch, tag or commit does not exist, or has no such directory.
    #[error("{repository}: {why}")]
    Reference {
        /// The repository.
        repository: String,
        /// What is missing, and what to do.
        why: String,
    },
    /// The Git edge failed.
    #[error("{}", ErrorChain(.0))]
    Git(tidegate_git::Error),
    /// helm cannot be run, or failed.
    #[error("helm {what}: {why}")]
    Helm {
        /// What failed.
        what: &'static str,
        /// Why, and what to do.
        why: String,
    },
    /// vela cannot be run, or failed.
    #[error("vela {what}: {why}")]
    Vela {
        /// What failed.
        what: &'static str,
        /// Why, and what to do.
        why: String,
    },
    /// A file of this machine cannot be read or written.
    #[error("{what}: {source}")]
    Local {
        /// What failed.
        what: String,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    /// Returns `true` if the same call may succeed later although no one has changed anything.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::Git(error) => error.is_transient(),
            _ => false,
        }
    }
}

impl From<tidegate_git::Error> for Error {
    fn from(error: tidegate_git::Error) -> Self {
        Self::Git(error)
    }
}
