//! The members of the file.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use tidegate_model::time::Timestamp;

use super::error::Error;
use crate::moment::MomentChange;

/// What identifies a recording.
pub(super) const KIND: &str = "tidegate recording";

/// A start has fewer bytes. Any other archive may be as large as the disk.
const LONGEST_START: u64 = 4_096;

/// One member of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Frame {
    /// A daemon was started.
    Start {
        /// [`KIND`].
        kind: String,
        /// Its build.
        build: String,
    },
    /// A plan was made.
    Tick {
        /// The time of the plan.
        now: Timestamp,
        /// What has changed since the plan before; everything, in the first one of a daemon.
        change: Option<Box<MomentChange>>,
        /// The digest of what was decided.
        decided: String,
    },
}

impl Frame {
    /// Returns the member.
    pub(super) fn encoded(&self) -> Result<Vec<u8>, Error> {
        let mut member = GzEncoder::new(Vec::new(), Compression::fast());
        ciborium::into_writer(self, &mut member).map_err(|error| Error::Unwritable(error.to_string()))?;
        Ok(member.finish()?)
    }

    /// Returns the content of a member.
    pub(super) fn decoded(bytes: &[u8]) -> Result<Self, ciborium::de::Error<io::Error>> {
        ciborium::from_reader(bytes)
    }
}

/// What is next in the file.
pub(super) enum Next {
    /// A member.
    Member(Vec<u8>),
    /// Part of a member: the process ended while it was written.
    Incomplete,
    /// Something that is no member, with the reason.
    Damaged(String),
    /// Nothing.
    End,
}

/// Reads the next member.
pub(super) fn next(file: &mut impl BufRead) -> io::Result<Next> {
    next_within(file, u64::MAX)
}

/// Reads the next member, if its content has at most this number of bytes.
fn next_within(file: &mut impl BufRead, limit: u64) -> io::Result<Next> {
    if file.fill_buf()?.is_empty() {
        return Ok(Next::End);
    }
    let mut bytes = Vec::new();
    match GzDecoder::new(file).take(limit).read_to_end(&mut bytes) {
        Ok(read) if u64::try_from(read).is_ok_and(|read| read == limit) => Ok(Next::Damaged("too large".to_owned())),
        Ok(_) => Ok(Next::Member(bytes)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(Next::Incomplete),
        Err(error) => Ok(Next::Damaged(error.to_string())),
    }
}

/// Reads the first member. Returns the build that wrote it; `None` if the file is empty.
pub(super) fn first(file: &mut impl BufRead) -> Result<Option<String>, Error> {
    let bytes = match next_within(file, LONGEST_START)? {
        Next::End => return Ok(None),
        Next::Incomplete | Next::Damaged(_) => return Err(Error::Foreign),
        Next::Member(bytes) => bytes,
    };
    match Frame::decoded(&bytes) {
        Ok(Frame::Start { kind, build }) if kind == KIND => Ok(Some(build)),
        _ => Err(Error::Foreign),
    }
}
