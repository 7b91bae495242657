//! Why a daemon could not start, or ended by itself.

use std::path::PathBuf;

use crate::reconciler::tick::Breach;
use crate::reconciler::{journal, source};
use tidegate_model::name::NamespacedName;

/// Why a daemon could not start, or ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The config repository could not be read at the start.
    #[error("the config repository cannot be followed")]
    Source(#[source] source::Error),
    /// The journal could not be read at the start.
    #[error("the journal cannot be opened")]
    Journal(#[source] journal::Error),
    /// A task ended unexpectedly.
    #[error("a task of the daemon ended unexpectedly")]
    Task(#[source] tokio::task::JoinError),
    /// Another daemon keeps the same journal, and this one has to end.
    #[error(transparent)]
    Rival(journal::Error),
    /// This replica led, and does not hold its Lease any more.
    #[error("{} the Lease {lease}, so this replica ends; it stands by when it is started again", holds(leader))]
    Succeeded {
        /// The Lease.
        lease: NamespacedName,
        /// The replica that leads; empty if none does.
        leader: String,
    },
    /// This replica was elected, and its Lease was not renewed before it could start.
    #[error(
        "the Lease of this replica was not renewed in time, so it does not start; it stands by when it is started again"
    )]
    Expired,
    /// The daemon was stopped before all entries of the journal could be pushed.
    #[error(
        "stopped, but {} of the journal could not be pushed to branch {branch}: {} only in {dir:?}, and the next start with the \
         same --state-dir pushes {}",
        counted(*entries), if *entries == 1 { "it is" } else { "they are" }, if *entries == 1 { "it" } else { "them" }
    )]
    Unpushed {
        /// Number of entries.
        entries: usize,
        /// The journal's branch.
        branch: String,
        /// The directory that holds them.
        dir: PathBuf,
    },
    /// The checker found that rules were broken.
    #[error("rules were broken, which is a bug in Tidegate; nothing more is written; please report this")]
    Breach(#[source] Breach),
}

impl Error {
    /// Returns `true` if the configuration is wrong, as opposed to an outage.
    pub fn is_mistake(&self) -> bool {
        match self {
            Self::Source(source::Error::Nothing { .. })
            | Self::Journal(
                journal::Error::Unidentified { .. } | journal::Error::Term { .. } | journal::Error::Newer { .. },
            ) => true,
            Self::Source(source::Error::Git(error)) | Self::Journal(journal::Error::Git(error)) => {
                matches!(
                    error,
                    tidegate_git::Error::Branch { .. }
                        | tidegate_git::Error::Token { .. }
                        | tidegate_git::Error::Open { .. }
                        | tidegate_git::Error::Foreign { .. }
                        | tidegate_git::Error::InUse { .. }
                )
            }
            _ => false,
        }
    }

    /// Returns `true` if Git could not be used at the start, as opposed to a failure while the daemon ran.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Source(_) | Self::Journal(_))
    }
}

fn holds(leader: &str) -> String {
    if leader.is_empty() { "no replica holds".to_owned() } else { format!("replica {leader} holds") }
}

fn counted(entries: usize) -> String {
    if entries == 1 { "one entry".to_owned() } else { format!("{entries} entries") }
}
