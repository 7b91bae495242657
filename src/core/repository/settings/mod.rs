//! `tidegate.toml`: the location of the objects, and how Tidegate handles this repository.

mod load;
mod people;
mod reader;
mod types;

pub(super) use load::read;
pub use load::{settings, settings_of};
pub use types::{Prune, SETTINGS_FILE, Settings};
