//! Reads from a commit message who approved the commit, what it merges and what it reverts.
//!
//! Messages are written by people and by forges, and nothing in them is proven: a trailer shows only what the author of the commit
//! wrote, and approves nothing.

mod merge;
mod quoted;
mod read;
mod revert;
mod trailer;

pub use merge::Merge;
pub use read::{Approvals, read};
pub use revert::Revert;
pub use trailer::{Trailer, trailers};
