//! The document as text: one line per entry, as YAML in which every value is also JSON.

mod error;
mod lines;
mod path;
mod read;
mod write;

pub use self::error::Error;
