//! Turns a report into the files of one journal commit.

mod commit;
mod draft;
mod identity;
mod status;

pub use self::commit::entry;
pub use self::draft::Entry;
pub use self::identity::{identified, term_begun};
