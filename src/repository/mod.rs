//! From the files of one commit to a typed, validated repository, with the place of every complaint.
//!
//! [`load`] reads everything and collects all complaints; [`hold`] then puts together what is in force: a complaint blocks the
//! add-ons that it touches and nothing else, and a blocked add-on stays whole on its last good revision.
//!
//! Pure: bytes go in, values come out. Whatever the bytes are, it ends, and it does not panic.

mod assemble;
mod catalog;
mod complaint;
mod declared;
mod held;
mod load;
mod near;
mod node;
mod reference;
mod settings;
mod strategy;
mod words;

pub use assemble::{Addon, Configuration, Repository};
pub use complaint::{Complaint, Place, Severity};
pub use declared::Declared;
pub use held::{Held, hold};
pub use load::{Loaded, load};
pub use settings::{JournalSettings, PruneSettings, RepositorySettings, RolloutSettings, Settings};
