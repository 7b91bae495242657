//! What is read from a Git repository: commit IDs, chains of commits, and the files of a commit.

pub mod chain;
pub mod merge;
pub mod reserved;
pub mod revision;
pub mod tree;
