//! Why a recording cannot be written or read.

use std::io;

/// Why a recording cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("it is not a recording of tidegate")]
    Foreign,
    /// Another process writes to the file.
    #[error("another process records in it")]
    InUse,
    /// The file is damaged, so that it cannot be continued.
    #[error("it is damaged: {0}")]
    Broken(String),
    /// Another build wrote all of the recording.
    #[error("tidegate {theirs} recorded it, and this is {ours}; replay it with the same build")]
    Build {
        /// The build that wrote it.
        theirs: String,
        /// This build.
        ours: String,
    },
    /// A part of the file cannot be read.
    #[error("it is damaged after tick {number}, or of another build: {why}")]
    Damaged {
        /// The last tick that can be read.
        number: u64,
        /// What is wrong.
        why: String,
    },
    /// A tick does not continue the one before.
    #[error("it is damaged: tick {number} does not continue the one before")]
    Misfit {
        /// The number of the tick.
        number: u64,
    },
    /// Something cannot be written as CBOR.
    #[error("it cannot be encoded: {0}")]
    Unwritable(String),
}
