//! Bases in other Git repositories: a commit, and the files of it that a base needs.

mod closure;
mod request;

pub use request::{GitRequest, GitTree};
pub(crate) use request::{mirror, tree};
