//! The branch of the journal: what a tick found is committed to it, pushed, and rebased if someone else has pushed, too.

mod branch;
mod error;
mod evidence;
mod fleet_file;
mod format;
mod identity;
mod local_record;
mod own;
mod rebase;
mod recovery;
mod rival_check;
mod task;
mod term;

pub use branch::{JournalBranch, Unpushed};
pub use error::Error;
pub use evidence::{Evidence, Vouching};
pub(crate) use local_record::LocalRecord;
pub use rival_check::{RivalCheck, rival_check};
pub use task::{Pace, write_journal};
