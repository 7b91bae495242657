//! The config repository: which commit is followed, whether it is trusted, and what it declares.

mod approvals;
mod distrust;
mod error;
mod floor;
mod journal_location;
mod judge;
mod judgement;
mod keys;
mod local_record;
mod poll;
mod relevance;
mod resume;
mod revision;
mod rollback;
mod task;
mod trust;

pub(super) use approvals::authors;
pub use approvals::{author_of, is_decision, signature_of};
pub use error::Error;
pub use floor::{Floor, FloorFiles, UnusablePolicies, read_floor};
pub(crate) use journal_location::{Choice, trusted_branch};
pub use journal_location::{STATUS_DIRECTORY, files_below, is_branch, journal_branch};
pub use judgement::Judge;
pub use keys::{UnusableKeys, read_keys};
pub use poll::{Follow, Followed, OwnJournal, Source};
pub use revision::of as described;
pub use rollback::Decisions;
pub(super) use task::{Following, announce, follow};
pub(crate) use trust::is_signed;
pub use trust::{Commits, Policy, Rewrites};
