//! The file of a recording.

mod error;
mod frame;
mod read;
mod write;

pub use error::Error;
pub use read::{Recording, Tick};
pub use write::Recorder;
