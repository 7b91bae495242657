//! What the message of a commit says about who approved it, what it merges and what it reverts.
//!
//! Messages are written by people and by forges. Nothing in them is proven: a trailer says what the author of the commit wrote,
//! and whether that counts is decided by who signed the commit.

mod merge;
mod quoted;
mod read;
mod revert;
mod trailer;

pub use merge::Merge;
pub use read::{Approvals, read};
pub use revert::Revert;
pub use trailer::{Trailer, trailers};
