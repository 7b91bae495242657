//! Reads the history of a repository: commits, tags, and how two commits relate.

pub(crate) mod blame;
pub(crate) mod chain;
pub(crate) mod directory;
pub(crate) mod log;
pub(crate) mod shallow;
pub(crate) mod tag;

pub use blame::Blame;
pub use chain::Chain;
pub use directory::DirectoryHistory;
pub use log::{CommitInfo, LogEntry};
pub use tag::Tag;
