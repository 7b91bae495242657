//! The branch of the journal: what a tick found is committed to it, pushed, and rebased if someone else has pushed, too.

mod branch;
mod identity;
mod rebase;
mod recovery;
mod task;

pub use branch::{Error, JournalBranch, Unpushed};
pub use task::{Pace, write_journal};
