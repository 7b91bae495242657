//! The edge to Git: mirrors, trees, commits and pushes.
//!
//! A [`Mirror`] is a bare repository in a state directory that follows one [`Remote`]. It fetches branches, reads files
//! without a work tree, writes commits and pushes them with the expected old value, all in this process; only `file://`
//! and `ssh://` remotes run a program (`git` or `ssh`). The user's Git configuration and environment are never read.
//!
//! Everything here blocks: asynchronous callers run each call on a thread for blocking work, and a [`Mirror`] may be
//! shared between such threads. Every call tries once and says through [`Error::is_transient`] whether trying again
//! can help; the loop that retries is the caller's.

mod archive;
mod chain;
mod commit;
mod connection;
mod credentials;
mod deadline;
mod error;
mod fetch;
mod id;
mod init;
mod log;
mod mirror;
mod pack;
mod push;
mod read;
mod reference;
mod remote;
mod report;
mod state;
mod walk;
mod watch;

pub use archive::Archive;
pub use chain::Chain;
pub use commit::NewCommit;
pub use credentials::Credentials;
pub use error::{Error, PushError};
pub use init::{init_bare, seed};
pub use log::{CommitInfo, LogEntry};
pub use mirror::Mirror;
pub use remote::{Remote, Timeouts};
pub use walk::Limits;
pub use watch::{Watcher, watch};
