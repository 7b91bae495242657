//! What can go wrong at the edge to Git, and whether trying again can help.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use super::http::is_passing;
use super::words::told;
use tidegate_model::revision::CommitId;

/// A failed operation on a mirror or its remote.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is no URL or path that can be followed. The user fixes the configuration.
    #[error("{url:?} is not the address of a Git repository: {why}")]
    Address {
        /// The refused text, without any password that it held.
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
    /// In the place of the mirror is something that Tidegate did not make. The user names another state directory.
    #[error("{path:?} is not a mirror that Tidegate made, and is left alone: name another directory with --state-dir")]
    Foreign {
        /// Where the mirror should be.
        path: PathBuf,
    },
    /// Another process, or another [`Mirror`](super::Mirror) of this one, works in the state directory.
    #[error("the mirror in {dir:?} is in use by someone else")]
    InUse {
        /// The state directory.
        dir: PathBuf,
    },
    /// The remote could not be reached, or broke off. Trying again later helps.
    #[error("{url} cannot be reached{}", told(said))]
    Unreachable {
        /// The address of the remote.
        url: String,
        /// What it said, if it said anything.
        said: String,
        /// What broke.
        #[source]
        source: gix::Error,
    },
    /// The server shows a certificate that nobody trusted here has signed. The operator names the file of the CA.
    #[error("the certificate of {url} is not trusted: name a CA file if a private authority has signed it")]
    Certificate {
        /// The address of the remote.
        url: String,
        /// What is wrong with the certificate.
        #[source]
        source: gix::Error,
    },
    /// The remote wants other credentials, or any at all. The operator fixes the token.
    #[error("{url} does not accept the credentials{}", told(said))]
    Unauthorized {
        /// The address of the remote.
        url: String,
        /// What it said, if it said anything.
        said: String,
        /// What the remote answered.
        #[source]
        source: gix::Error,
    },
    /// The remote wants credentials, and none are given. The operator names a token.
    #[error(
        "{url} wants a token, and none is given: name the file that holds it with --git-token-file, or put it in the environment \
         variable TIDEGATE_GIT_TOKEN{}",
        told(said)
    )]
    NoToken {
        /// The address of the remote.
        url: String,
        /// What it said, if it said anything.
        said: String,
    },
    /// The conversation broke down for good: mostly there is no repository at the address. The user fixes it.
    #[error("the conversation with {url} failed{}", told(said))]
    Remote {
        /// The address of the remote.
        url: String,
        /// What it said, if it said anything.
        said: String,
        /// What went wrong.
        #[source]
        source: gix::Error,
    },
    /// The ssh server is not the one that is known, or nobody knows it. The operator compares keys and fixes the file of
    /// known hosts.
    #[error("{url} is not known by its host key; ssh says {said:?}")]
    HostKey {
        /// The address of the remote.
        url: String,
        /// What `ssh` said.
        said: String,
    },
    /// A file that the conversation needs is missing or unusable. The operator fixes it.
    #[error("the {what} {path:?} cannot be used: {why}")]
    File {
        /// What it is.
        what: &'static str,
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// The address of a proxy is unusable. The operator fixes the environment.
    #[error("the proxy in {place} cannot be used: {why}")]
    Proxy {
        /// The variable of the environment.
        place: String,
        /// What is wrong with it, and what is right.
        why: &'static str,
    },
    /// The operation took longer than it may. Trying again later may help.
    #[error("the conversation with {url} was given up after {limit:?}")]
    TimedOut {
        /// The address of the remote.
        url: String,
        /// The time that it was given.
        limit: Duration,
    },
    /// [`Mirror::interrupt`](super::Mirror::interrupt) was called.
    #[error("the operation was interrupted")]
    Interrupted,
    /// The text cannot be the name of a branch.
    #[error("{branch:?} cannot be the name of a branch")]
    Branch {
        /// The refused name.
        branch: String,
        /// The rule that it breaks.
        #[source]
        source: gix::Error,
    },
    /// The text cannot be the path of a file in a commit.
    #[error("{path:?} cannot be the path of a file in a commit")]
    Path {
        /// The refused path.
        path: String,
    },
    /// A commit was to be signed and is not. Nothing was written; the operator fixes the key.
    #[error("the commit cannot be signed: {why}")]
    Signing {
        /// What the signer said.
        why: String,
    },
    /// The commit is not in the mirror.
    #[error("the mirror has no commit {commit}")]
    UnknownCommit {
        /// The commit that was asked for.
        commit: CommitId,
    },
    /// The commit has no such directory.
    #[error("commit {commit} has no directory {path:?}")]
    NoDirectory {
        /// The commit that was asked for.
        commit: CommitId,
        /// The path that was asked for.
        path: String,
    },
    /// What is followed points at something that is no commit. The author of the tag fixes it.
    #[error("{name} points at a {kind}, not at a commit: only commits can be followed")]
    NoCommit {
        /// The full name of the reference.
        name: String,
        /// What it points at: a blob or a tree.
        kind: String,
    },
    /// The file is larger than the limit.
    #[error("{path:?} has {bytes} bytes, more than the {limit} that are read")]
    TooLarge {
        /// The path of the file.
        path: String,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// Two commits differ in more than is looked at.
    #[error("the commits differ in more than {limit} files and directories")]
    TooMany {
        /// The most that is looked at.
        limit: usize,
    },
    /// A local branch is not where the caller thinks that it is. Nothing was moved.
    #[error("branch {branch:?} is not where it was expected")]
    Moved {
        /// The name of the branch.
        branch: String,
        /// Where it is; `None` if it does not exist.
        found: Option<CommitId>,
    },
    /// A push would drop commits from the remote's branch. Nothing was sent.
    #[error("{new} does not continue {old}: a push would lose commits")]
    NotFastForward {
        /// The commit on the remote.
        old: CommitId,
        /// The commit to push.
        new: CommitId,
    },
    /// The repository on disk could not be read or written.
    #[error("the local repository cannot {operation}")]
    Repository {
        /// What was tried, as the end of a sentence.
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
    /// Returns `true` if the same call may succeed later with nobody fixing anything.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::TimedOut { .. })
    }

    /// Returns `true` if the remote answered, and wants other credentials or any at all.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unauthorized { .. } | Self::NoToken { .. })
    }

    /// Returns `true` if the mirror itself may be damaged, so that it helps to fetch it again. A disk that is full, or that
    /// may not be written, is no damage.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Repository { source, .. } => !is_of_disk(source, true),
            Self::UnknownCommit { .. } => true,
            _ => false,
        }
    }

    /// Sorts a failed conversation with the remote by who can fix it.
    pub(super) fn conversation(url: String, said: String, source: gix::Error) -> Self {
        if format!("{source:?}").contains("invalid peer certificate") {
            Self::Certificate { url, source }
        } else if source.is_unauthenticated() || source.is_permission_denied() {
            Self::Unauthorized { url, said, source }
        } else if source.can_retry_lenient() || is_passing(&source) {
            Self::Unreachable { url, said, source }
        } else {
            Self::Remote { url, said, source }
        }
    }

    /// Returns `true` if the disk of this machine is full, or may not be written.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Repository { source, .. } | Self::Open { source, .. } => is_of_disk(source, true),
            Self::Remote { source, .. } | Self::Unreachable { source, .. } => is_of_disk(source, false),
            _ => false,
        }
    }

    /// Wraps a failure of the repository on disk.
    pub(super) fn local(operation: &'static str) -> impl Fn(gix::Error) -> Self {
        move |source| Self::Repository { operation, source }
    }
}

/// Returns `true` if the disk is full or may not be written. That a permission is missing says so of a local file only.
fn is_of_disk(error: &gix::Error, is_local: bool) -> bool {
    let is_so = |kind| match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::ReadOnlyFilesystem => true,
        ErrorKind::PermissionDenied => is_local,
        _ => false,
    };
    error.iter_errors().filter_map(|error| error.downcast_ref::<std::io::Error>()).any(|error| is_so(error.kind()))
}
