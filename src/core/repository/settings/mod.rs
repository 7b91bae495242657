//! `tidegate.toml`: the location of the objects, and how Tidegate handles this repository.

mod grant;
mod keys;
mod load;
mod people;
mod reader;
mod rendering;
mod types;

pub use keys::{Key, Kind, SECTIONS, Section};
pub(super) use load::read;
pub use load::{renderings, settings, settings_of};
pub use rendering::{ABOUT as VENDOR_ABOUT, FIELDS as VENDOR_FIELDS, Field as VendorField, Rendering, VENDOR};
pub use types::{Applications, Executor, Grant, Images, Prune, SETTINGS_FILE, Settings};
