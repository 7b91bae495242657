//! Reads a recording.

use std::io::BufRead;

use tidegate_model::time::Timestamp;

use super::error::Error;
use super::frame::{Frame, Next, first, next};
use crate::moment::Moment;
use crate::tracked::Tracked;

/// A recording, from which one tick is read after the other.
pub struct Recording<R> {
    file: R,
    /// This build.
    build: String,
    moment: Option<Moment>,
    number: u64,
    /// Whether a daemon was started since the last tick.
    is_start: bool,
    is_incomplete: bool,
}

/// A tick of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its time.
    pub now: Timestamp,
    /// Whether the daemon was started since the tick before.
    pub is_first: bool,
    /// The digest of what was decided.
    pub decided: String,
}

impl<R: BufRead> Recording<R> {
    /// Begins to read a recording. It has to be one of this build.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Build`] or [`Error::Io`].
    pub fn open(mut file: R, build: &str) -> Result<Self, Error> {
        let theirs = first(&mut file)?.ok_or(Error::Foreign)?;
        let build = build.to_owned();
        let mut opened = Self { file, build, moment: None, number: 0, is_start: false, is_incomplete: false };
        opened.start(theirs)?;
        Ok(opened)
    }

    fn start(&mut self, theirs: String) -> Result<(), Error> {
        if theirs != self.build {
            return Err(Error::Build { number: self.number, theirs, ours: self.build.clone() });
        }
        (self.moment, self.is_start) = (None, true);
        Ok(())
    }

    /// Reads the next tick; `None` at the end.
    ///
    /// # Errors
    /// [`Error`] if the recording is damaged, or cannot be read.
    pub fn step(&mut self) -> Result<Option<Tick>, Error> {
        loop {
            let bytes = match next(&mut self.file, self.number)? {
                Next::Member(bytes) => bytes,
                Next::Incomplete => {
                    self.is_incomplete = true;
                    return Ok(None);
                }
                Next::End => return Ok(None),
            };
            match Frame::decoded(&bytes, self.number)? {
                Frame::Start { build, .. } => self.start(build)?,
                Frame::Tick { now, change, decided } => {
                    let number = self.number + 1;
                    self.moment = match change {
                        Some(change) => Moment::changed(self.moment.take(), *change),
                        None => self.moment.take(),
                    };
                    if self.moment.is_none() {
                        return Err(Error::Misfit { number });
                    }
                    self.number = number;
                    let is_first = std::mem::take(&mut self.is_start);
                    return Ok(Some(Tick { number, now, is_first, decided }));
                }
            }
        }
    }

    /// Returns what the plan of the last tick was made from.
    pub fn moment(&self) -> Option<&Moment> {
        self.moment.as_ref()
    }

    /// Returns `true` if the file ends in the middle of a tick.
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }
}
