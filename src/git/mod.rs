//! The edge to Git: mirrors, trees, commits and pushes. Everything here blocks, and tries once ([`Error::is_transient`]).
//!
//! A [`Mirror`] is a bare repository in a state directory that follows one [`Remote`], in this process: only `file://` and `ssh://`
//! remotes run a program. The user's Git configuration is never read, and of the environment only the proxies.

mod ancestry;
mod archive;
mod blame;
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
mod recovery;
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
pub use blame::Blame;
pub use chain::Chain;
pub use commit::{NewCommit, Signer};
pub use credentials::Credentials;
pub use error::Error;
pub use follow::Tip;
pub use init::{init_bare, seed};
pub use log::{CommitInfo, LogEntry};
pub use mirror::Mirror;
pub use proxy::Proxies;
pub use push_error::PushError;
pub use remote::{Remote, Timeouts};
pub use selector::{InvalidReference, Reference, VersionRange};
pub use ssh::check_private_key;
pub use tag::Tag;
pub use walk::Limits;
pub use watch::{Watcher, watch};
