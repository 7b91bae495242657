//! The config repository: which commit is followed, whether it is trusted, and what it declares.

mod error;
mod journal_location;
mod local_record;
mod poll;
mod relevance;
mod resume;
mod revision;
mod task;
mod trust;

pub(crate) use error::Error;
pub(crate) use journal_location::{STATUS_DIRECTORY, files_below, is_branch, journal_branch};
pub(super) use poll::{Follow, Followed, OwnJournal, Source};
pub(super) use task::{Following, announce, follow};
pub(super) use trust::is_signed;
pub(crate) use trust::read_keys;
pub use trust::{Commits, Policy, Rewrites};
