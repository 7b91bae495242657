//! The repositories of the forge, which are real ones: served by git over HTTP, and merged by git.

mod answers;
mod commit;
mod history;
mod http;
mod merge;
mod moves;
mod objects;
mod program;
mod refs;
mod repository;

pub(crate) use commit::Commit;
pub(crate) use history::ChangedFile;
pub(crate) use http::{GitRequest, check, repository_of};
pub use merge::Method;
pub(crate) use merge::{Merge, Merged};
pub use program::GitError;
pub(crate) use program::Identity;
pub(crate) use repository::Repository;
