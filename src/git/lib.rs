//! The interface to Git: mirrors, trees, commits and pushes. All calls block, and none is retried ([`Error::is_transient`]). A
//! [`Mirror`] is a bare repository in a state directory that follows one [`Remote`], in this process: only `ssh://` remotes, and pushes
//! to a local repository with hooks, run a program. The user's Git configuration is never read; of the environment, only the proxy
//! variables are.
//!
//! ```
//! use tidegate_git::{Credentials, Mirror, Remote};
//! # use tidegate_git::{NewCommit, init_bare, seed};
//! # let directory = tempfile::tempdir()?;
//! # let repository = directory.path().join("fleet.git");
//! # init_bare(&repository, "main")?;
//! # let commit = seed(&repository, &NewCommit {
//! #     branch: "main".to_owned(),
//! #     parent: None,
//! #     files: [("README.md".to_owned(), Some(b"hello".to_vec()))].into(),
//! #     message: "first".to_owned(),
//! #     author: "Ann".to_owned(),
//! #     email: "ann@example.org".to_owned(),
//! #     at: "2026-01-31T12:00:00Z".parse()?,
//! # })?;
//! # let (address, state) = (repository.display().to_string(), directory.path().join("state"));
//!
//! let mirror = Mirror::open(state, Remote::new(&address, Credentials::None)?)?;
//! let tips = mirror.fetch(&["main"])?;
//! let tip = tips.get("main").ok_or("there is no branch main")?;
//! # assert_eq!(*tip, commit);
//! assert_eq!(mirror.read(tip, "README.md")?.as_deref(), Some(&b"hello"[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod exchange;
mod history;
mod id;
mod local;
mod local_repository;
mod mirror;
mod protocol;
mod push_error;
mod request;
mod sanitize;
mod selector;
mod store;
mod transport;
mod tree;
mod watch;

pub use error::Error;
pub use history::{Blame, Chain, CommitInfo, DirectoryHistory, LogEntry, Tag};
pub use local_repository::LocalRepository;
pub use mirror::{Ancestry, Mirror, Tip};
pub use push_error::PushError;
pub use selector::{InvalidReference, Reference, VersionRange};
pub use store::{NewCommit, Signer, init_bare, seed, seed_signed};
pub use transport::{
    Credentials, Proxies, PublicOnly, Remote, Timeouts, check_private_key, http_client, install_tls_provider,
    is_private,
};
pub use tree::Limits;
pub use watch::{Watcher, watch};
