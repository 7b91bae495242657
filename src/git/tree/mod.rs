//! Reads the files of a commit, within limits, and compares the trees of two commits.

pub(crate) mod diff;
pub(crate) mod entries;
pub(crate) mod read;
mod walk;

pub use walk::Limits;
