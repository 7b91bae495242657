//! What a journal records that needs evidence from the repository: which clusters started, and which rules judged them.

mod claim;
pub(super) mod gate;
mod start;

pub use claim::{Claim, Entry, Start, Started, What};
pub(in crate::audit) use start::{Step, start};
