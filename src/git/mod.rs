//! The edge to Git: mirrors, trees, commits and pushes.
//!
//! A [`Mirror`] is a bare repository in a state directory that follows one [`Remote`]. It fetches what is followed, with
//! no more history than is needed, reads files without a work tree, writes commits and pushes them with the expected old
//! value, all in this process; only `file://` and `ssh://` remotes run a program (`git` or `ssh`). The user's Git
//! configuration is never read, and of the environment only the proxies.
//!
//! Everything here blocks: asynchronous callers run each call on a thread for blocking work, and a [`Mirror`] may be
//! shared between such threads. Every call tries once and says through [`Error::is_transient`] whether trying again
//! can help; the loop that retries is the caller's.

mod ancestry;
mod archive;
mod chain;
mod commit;
mod connection;
mod conversation;
mod credentials;
mod deadline;
mod error;
mod fetch;
mod follow;
mod http;
mod id;
mod init;
mod log;
mod mirror;
mod pack;
mod proxy;
mod push;
mod push_error;
mod read;
mod reference;
mod remote;
mod report;
mod selector;
mod shallow;
mod ssh;
mod state;
mod tag;
mod tidy;
mod touched;
mod walk;
mod watch;
mod words;

pub use ancestry::Ancestry;
pub use archive::Archive;
pub use chain::Chain;
pub use commit::{NewCommit, Signer};
pub use credentials::Credentials;
pub use error::Error;
pub use follow::Tip;
pub use init::{init_bare, seed};
pub use log::{CommitInfo, LogEntry, Person, Signed};
pub use mirror::Mirror;
pub use proxy::Proxies;
pub use push_error::PushError;
pub use remote::{Remote, Timeouts};
pub use selector::{InvalidReference, Reference, VersionRange};
pub use tag::Tag;
pub use walk::Limits;
pub use watch::{Watcher, watch};
