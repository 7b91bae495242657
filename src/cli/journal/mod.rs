//! Reads the journal for commands: its current state, or its history.

pub(super) mod archive;
pub(super) mod decisions;
pub(super) mod evidence;
mod format;
pub(super) mod opened;
pub(super) mod outcome;
pub(super) mod reader;
pub(super) mod recorded;
