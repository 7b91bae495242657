//! Why a part of a release cannot be made.

use std::io;
use std::path::PathBuf;

use thiserror::Error as ThisError;

/// Why a binary cannot be the program of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum NotUsable {
    /// It is no program for Linux.
    #[error("it is not an ELF program; build it for Linux")]
    NotElf,
    /// It is for another processor.
    #[error("it is neither for x86-64 nor for arm64")]
    OtherProcessor,
    /// It needs libraries that an empty image does not have.
    #[error(
        "it is linked dynamically, and the image has no libraries; build it with RUSTFLAGS=\"-C target-feature=+crt-static\""
    )]
    Dynamic,
}

/// Why a part of a release cannot be made.
#[derive(Debug, ThisError)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot {verb} {}: {source}", path.display())]
    File {
        /// What was tried: `read`, `write` or `create`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The layer cannot be packed.
    #[error("the layer of the image cannot be packed: {0}")]
    Layer(#[source] io::Error),
    /// A binary cannot be the program of an image.
    #[error("{} cannot be used: {why}", path.display())]
    Binary {
        /// The binary.
        path: PathBuf,
        /// Why.
        why: NotUsable,
    },
    /// Two binaries are for the same processor.
    #[error("{} and another binary are both for {architecture}; give one for each processor", path.display())]
    SameProcessor {
        /// The second one.
        path: PathBuf,
        /// Their processor.
        architecture: &'static str,
    },
    /// No binary was given.
    #[error("no binary is given; an image needs at least one")]
    NoBinary,
    /// A file of certificates contains none.
    #[error("{} contains no certificates in PEM; without them, the program trusts no server", path.display())]
    NoCertificates {
        /// The file.
        path: PathBuf,
    },
    /// The folder for the image is there already.
    #[error("{} already exists; remove it, or choose another folder", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// A time cannot be written as a date.
    #[error("{seconds} seconds after 1970 is not a date")]
    Time {
        /// The time.
        seconds: i64,
    },
    /// What cargo said about the packages, or `Cargo.lock`, cannot be used.
    #[error("the packages cannot be listed: {why}")]
    Packages {
        /// Why.
        why: String,
    },
}

impl Error {
    /// Returns a function that makes the error of a file.
    pub(crate) fn file(verb: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { verb, path, source }
    }
}
