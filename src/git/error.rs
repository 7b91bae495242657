//! Errors of Git operations, and whether a retry can help.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use crate::sanitize::remote_message;
use crate::tree::entries::DuplicateEntry;
use tidegate_model::revision::CommitId;

/// A failed operation on a mirror or its remote.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The string is not a supported URL or path. The user fixes the configuration.
    #[error("{url:?} is not the address of a Git repository: {why}")]
    Address {
        /// The refused string, without any password that it contained.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A token would travel in clear text. The user fixes the configuration.
    #[error("credentials are not sent to {url} over plain http: use https")]
    PlainHttp {
        /// The address of the remote.
        url: String,
    },
    /// The token could not be read. The operator fixes the file or the environment.
    #[error("the token for the remote cannot be read from {place}")]
    Token {
        /// The file or environment variable.
        place: String,
        /// Why it cannot be read.
        #[source]
        source: std::io::Error,
    },
    /// The state directory is unusable. The operator fixes or removes it; a mirror can always be fetched again.
    #[error("the mirror in {dir:?} cannot be opened")]
    Open {
        /// The state directory.
        dir: PathBuf,
        /// Why it cannot be opened.
        #[source]
        source: gix::Error,
    },
    /// A directory is in no repository. The user names one.
    #[error("there is no Git repository in {} or above it", dir.display())]
    NoRepository {
        /// The directory.
        dir: PathBuf,
    },
    /// The path of the mirror holds something that Tidegate did not create. The user chooses another state directory.
    #[error(
        "{path:?} is not a mirror that Tidegate created, and is left alone: choose another directory with --state-dir"
    )]
    Foreign {
        /// Where the mirror should be.
        path: PathBuf,
    },
    /// Another process, or another [`Mirror`](crate::Mirror) in this process, uses the state directory.
    #[error("the mirror in {dir:?} is already in use")]
    InUse {
        /// The state directory.
        dir: PathBuf,
    },
    /// The remote could not be reached, or closed the connection. A later retry may help.
    #[error("{url} cannot be reached{}", remote_message(message))]
    Unreachable {
        /// The address of the remote.
        url: String,
        /// What it said, if anything.
        message: String,
        /// What broke.
        #[source]
        source: gix::Error,
    },
    /// The server's certificate is not signed by a trusted authority. The operator configures the CA file.
    #[error("the certificate of {url} is not trusted: configure a CA file if a private authority signed it")]
    Certificate {
        /// The address of the remote.
        url: String,
        /// What is wrong with the certificate.
        #[source]
        source: gix::Error,
    },
    /// This machine has no certificates of authorities, so no server can be trusted. The operator installs them.
    #[error("this machine has no certificates of authorities, so {url} cannot be trusted")]
    NoAuthorities {
        /// The address of the remote.
        url: String,
        /// What the TLS library reports.
        #[source]
        source: gix::Error,
    },
    /// The remote does not accept the credentials. The operator fixes the token.
    #[error("{url} does not accept the credentials{}", remote_message(message))]
    Unauthorized {
        /// The address of the remote.
        url: String,
        /// What it said, if anything.
        message: String,
        /// What the remote answered.
        #[source]
        source: gix::Error,
    },
    /// The remote requires credentials, but none are given. The operator configures a token.
    #[error(
        "{url} requires a token, but none is given: pass a token file with --git-token-file, or set the environment \
         variable TIDEGATE_GIT_TOKEN{}",
        remote_message(message)
    )]
    NoToken {
        /// The address of the remote.
        url: String,
        /// What it said, if anything.
        message: String,
    },
    /// The conversation failed permanently: usually there is no repository at the address. The user fixes it.
    #[error("communication with {url} failed{}", remote_message(message))]
    Remote {
        /// The address of the remote.
        url: String,
        /// What it said, if anything.
        message: String,
        /// What went wrong.
        #[source]
        source: gix::Error,
    },
    /// The host key of the ssh server is unknown or has changed. The operator compares keys and fixes the known-hosts file.
    #[error("the host key of {url} is not trusted; ssh says {message:?}")]
    HostKey {
        /// The address of the remote.
        url: String,
        /// What `ssh` said.
        message: String,
    },
    /// A file that the conversation needs is missing or unusable. The operator fixes it.
    #[error("the {what} {path:?} cannot be used: {why}")]
    File {
        /// What the file is.
        what: &'static str,
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it, and how to fix it.
        why: String,
    },
    /// The address of a proxy is unusable. The operator fixes the environment.
    #[error("the proxy in {place} cannot be used: {why}")]
    Proxy {
        /// The environment variable.
        place: String,
        /// What is wrong with it, and what is correct.
        why: &'static str,
    },
    /// The operation took too long. A later retry may help.
    #[error("communication with {url} timed out after {limit:?}")]
    TimedOut {
        /// The address of the remote.
        url: String,
        /// The time limit.
        limit: Duration,
    },
    /// [`Mirror::interrupt`](crate::Mirror::interrupt) was called.
    #[error("the operation was interrupted")]
    Interrupted,
    /// The string is not a valid branch name.
    #[error("{branch:?} cannot be the name of a branch")]
    Branch {
        /// The refused name.
        branch: String,
        /// The rule that it breaks.
        #[source]
        source: gix::Error,
    },
    /// The string is not a valid path of a file in a commit.
    #[error("{path:?} cannot be the path of a file in a commit")]
    Path {
        /// The refused path.
        path: String,
    },
    /// A commit could not be signed. Nothing was written; the operator fixes the key.
    #[error("the commit cannot be signed: {why}")]
    Signing {
        /// What the signer said.
        why: String,
    },
    /// The commit is not in the mirror.
    #[error("the mirror has no commit {commit}")]
    UnknownCommit {
        /// The requested commit.
        commit: CommitId,
    },
    /// The commit has no such directory.
    #[error("commit {commit} has no directory {path:?}")]
    NoDirectory {
        /// The requested commit.
        commit: CommitId,
        /// The requested path.
        path: String,
    },
    /// The followed ref does not point at a commit. The author of the tag fixes it.
    #[error("{name} points at a {kind}, not at a commit: only commits can be followed")]
    NoCommit {
        /// The full name of the ref.
        name: String,
        /// What it points at: a blob or a tree.
        kind: String,
    },
    /// The file is larger than the limit.
    #[error("{path:?} has {bytes} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The path of the file.
        path: String,
        /// Its size.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// A commit contains a malformed directory, so readers disagree about its files. Its author makes the commit again.
    #[error(
        "a directory of the commit contains {name:?} twice (tree {tree}), so it is not clear which one counts; make the commit again with \
         git, and have the server check what is pushed (receive.fsckObjects)"
    )]
    DuplicateEntry {
        /// The object ID of the directory.
        tree: String,
        /// The name that it contains twice.
        name: String,
    },
    /// Two commits differ in more entries than the limit.
    #[error("the commits differ in more than {limit} files and directories")]
    TooMany {
        /// The limit on entries.
        limit: usize,
    },
    /// A local branch is not at the commit that the caller expects. Nothing was moved.
    #[error("branch {branch:?} is not at the expected commit")]
    Moved {
        /// The name of the branch.
        branch: String,
        /// Its current tip; `None` if it does not exist.
        found: Option<CommitId>,
    },
    /// A push is not a fast-forward: it would drop commits from the remote's branch. Nothing was sent.
    #[error("{new} does not descend from {old}: the push is not a fast-forward and would lose commits")]
    NotFastForward {
        /// The commit on the remote.
        old: CommitId,
        /// The commit to push.
        new: CommitId,
    },
    /// The repository on disk could not be read or written.
    #[error("local repository: cannot {operation}")]
    Repository {
        /// What was attempted, as the end of a sentence.
        operation: &'static str,
        /// Why it failed.
        #[source]
        source: gix::Error,
    },
    /// A local repository cannot be watched for changes.
    #[error("{path:?} cannot be watched for changes")]
    Watch {
        /// The path of the repository.
        path: PathBuf,
        /// Why it cannot be watched.
        #[source]
        source: notify::Error,
    },
}

impl Error {
    /// Returns `true` if the same call may succeed later although no one has changed anything.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::TimedOut { .. })
    }

    /// Returns `true` if the remote answered but did not accept the credentials, or requires credentials and got none.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unauthorized { .. } | Self::NoToken { .. })
    }

    /// Returns `true` if the mirror itself may be damaged, so that fetching it again may help. A full or read-only disk
    /// does not count as damage.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Repository { source, .. } => !is_of_disk(source, true),
            Self::UnknownCommit { .. } => true,
            _ => false,
        }
    }

    /// Returns `true` if the disk of this machine is full or cannot be written.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Repository { source, .. } | Self::Open { source, .. } => is_of_disk(source, true),
            Self::Remote { source, .. } | Self::Unreachable { source, .. } => is_of_disk(source, false),
            _ => false,
        }
    }

    /// Wraps a failure of the local repository.
    pub(crate) fn local(operation: &'static str) -> impl Fn(gix::Error) -> Self {
        move |source| match duplicate(&source) {
            Some(DuplicateEntry { tree, name }) => Self::DuplicateEntry { tree: tree.clone(), name: name.clone() },
            None => Self::Repository { operation, source },
        }
    }
}

/// Returns the cause of an error if it is a malformed directory. Fetching the mirror again would not change it.
fn duplicate(error: &gix::Error) -> Option<&DuplicateEntry> {
    error.iter_errors().find_map(|error| error.downcast_ref())
}

/// Returns `true` if the disk is full or cannot be written. A missing permission counts only for local files.
pub(crate) fn is_of_disk(error: &gix::Error, is_local: bool) -> bool {
    let is_so = |kind| match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::ReadOnlyFilesystem => true,
        ErrorKind::PermissionDenied => is_local,
        _ => false,
    };
    error.iter_errors().filter_map(|error| error.downcast_ref::<std::io::Error>()).any(|error| is_so(error.kind()))
}
