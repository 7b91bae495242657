//! `tidegate.toml`: the location of the objects, and how Tidegate handles this repository.

mod grant;
mod keys;
mod load;
mod people;
mod reader;
mod types;

pub use keys::{Key, Kind, SECTIONS, Section};
pub(super) use load::read;
pub use load::{settings, settings_of};
pub use types::{Applications, Executor, Grant, Images, Prune, SETTINGS_FILE, Settings};
