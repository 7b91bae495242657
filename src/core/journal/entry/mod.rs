//! Turns a report into the files of one journal commit.

mod commit;
mod draft;
mod identity;
mod status;

pub use self::commit::{Entry, entry};
pub use self::identity::identified;
