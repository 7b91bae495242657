//! Edits a control file: one decision changes, and everything else in the file stays as it is.

mod change;
mod file;
mod text;

pub use change::Change;
pub use file::{Edited, Uneditable, edited};
