//! Why an entry of the journal did not reach the remote.

use tidegate_git::PushError;
use tidegate_journal::format::FORMAT;
use tidegate_journal::writer::Writer;
use tidegate_model::instance::Instance;
use tidegate_model::revision::CommitId;

/// Why an entry did not reach the remote. It is kept and retried.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The mirror could not be read or written, or the remote could not be fetched.
    #[error("the journal cannot be updated")]
    Git(#[source] tidegate_git::Error),
    /// The remote did not accept the journal.
    #[error("the journal cannot be pushed to branch {branch}")]
    Push {
        /// The journal's branch.
        branch: String,
        /// The cause.
        #[source]
        source: PushError,
    },
    /// An entry cannot be written as YAML.
    #[error("the journal cannot be written")]
    Entry(#[source] tidegate_journal::Unwritable),
    /// Another daemon started first. The operator has to stop one of the two.
    #[error(
        "daemon {theirs} already keeps the journal on branch {branch}, and this one ({ours}) started later, so it stops: two daemons \
         must not share a journal; stop one of them, or give this one its own journal with --journal-branch"
    )]
    Rival {
        /// The journal's branch.
        branch: String,
        /// This daemon.
        ours: Box<Writer>,
        /// The daemon that started first.
        theirs: Box<Writer>,
    },
    /// Another replica leads: its term is not earlier than that of this one.
    #[error("replica {theirs} leads now and keeps the journal on branch {branch}, so this one ({ours}) ends")]
    Deposed {
        /// The journal's branch.
        branch: String,
        /// This daemon.
        ours: Box<Writer>,
        /// The one that leads.
        theirs: Box<Writer>,
    },
    /// The term of the last leader is higher than any that a replica begins: someone edited it.
    #[error(
        "sync.yaml on branch {branch} says that a replica led in term {term}, which no replica reaches, so no term can follow it; restore the \
         file from the history of the branch"
    )]
    Term {
        /// The journal's branch.
        branch: String,
        /// The term in the journal.
        term: u64,
    },
    /// Other clients moved the branch each time that the term of this replica was pushed.
    #[error(
        "the term of this replica could not be pushed to branch {branch}: other clients moved the branch each time"
    )]
    Contended {
        /// The journal's branch.
        branch: String,
    },
    /// The journal belongs to another instance: the repository or the branch was replaced.
    #[error(
        "the journal on branch {branch} belongs to instance {theirs}, but this is instance {ours}: the repository or the branch was \
         replaced; restart the daemon to continue as instance {theirs}, or give it its own journal with --journal-branch"
    )]
    Foreign {
        /// The journal's branch.
        branch: String,
        /// This instance.
        ours: Instance,
        /// The instance of the journal.
        theirs: Instance,
    },
    /// A later build has written the journal. This one could lose what it does not know, so it writes nothing.
    #[error(
        "the journal on branch {branch} has format {theirs}, which a later version of Tidegate has written, and this one knows formats up to {FORMAT}: \
         start that version again; nothing was written"
    )]
    Newer {
        /// The journal's branch.
        branch: String,
        /// The format of the journal.
        theirs: u32,
    },
    /// The repository was replaced by another one. Nothing is pushed to it.
    #[error(
        "the journal is not pushed to branch {branch}: the repository at this address was replaced by another one, which contains \
         neither the followed history nor this journal"
    )]
    Replaced {
        /// The journal's branch.
        branch: String,
    },
    /// There is a signing key, and nothing vouches for the journal. The operator has to decide.
    #[error(
        "no commit of the journal on branch {branch} is signed with [journal] signing_key_file, so nothing in it can be trusted; if you \
         have checked it, vouch for it: write trusted_commit = \"{tip}\" in section [journal] of the daemon's file"
    )]
    Unproven {
        /// The journal's branch.
        branch: String,
        /// Its last commit.
        tip: CommitId,
    },
    /// The identity of the instance cannot be read, or is missing. The operator has to restore the file.
    #[error(
        "sync.yaml on branch {branch} cannot be read or names no instance, so this instance does not know its identity and cannot recognize its own objects \
         on the hub; restore the file from the history of the branch"
    )]
    Unidentified {
        /// The journal's branch.
        branch: String,
    },
}

impl Error {
    /// Returns `true` if this daemon must stop.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Rival { .. } | Self::Deposed { .. } | Self::Foreign { .. } | Self::Newer { .. })
    }

    /// Returns `true` if the remote is reachable and refused the request.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Git(error) => error.is_refusal(),
            Self::Push { source, .. } => source.is_refusal(),
            Self::Replaced { .. } => true,
            Self::Entry(_)
            | Self::Rival { .. }
            | Self::Deposed { .. }
            | Self::Term { .. }
            | Self::Contended { .. }
            | Self::Foreign { .. }
            | Self::Newer { .. }
            | Self::Unproven { .. }
            | Self::Unidentified { .. } => false,
        }
    }

    /// Returns the local Git error that is the cause, if there is one.
    pub(super) fn git(&self) -> Option<&tidegate_git::Error> {
        match self {
            Self::Git(error) => Some(error),
            Self::Push { source: tidegate_git::PushError::Failed(error), .. } => Some(error),
            Self::Push { .. }
            | Self::Entry(_)
            | Self::Rival { .. }
            | Self::Deposed { .. }
            | Self::Term { .. }
            | Self::Contended { .. }
            | Self::Foreign { .. }
            | Self::Newer { .. }
            | Self::Replaced { .. }
            | Self::Unproven { .. }
            | Self::Unidentified { .. } => None,
        }
    }
}
