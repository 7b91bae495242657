//! Reads a recording.

use std::io::BufRead;

use tidegate_model::time::Timestamp;

use super::error::Error;
use super::frame::{Frame, Next, first, next};
use crate::moment::{Moment, MomentChange};
use crate::tracked::Tracked;

/// A recording, from which one tick is read after the other. Ticks of other builds are left out.
pub struct Recording<R> {
    file: R,
    /// This build.
    build: String,
    /// The build that wrote what is next.
    writer: String,
    moment: Option<Moment>,
    number: u64,
    /// How many ticks of other builds were left out.
    left_out: u64,
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
    /// Begins to read a recording.
    ///
    /// # Errors
    /// [`Error::Foreign`] or [`Error::Io`].
    pub fn open(mut file: R, build: &str) -> Result<Self, Error> {
        let writer = first(&mut file)?.ok_or(Error::Foreign)?;
        Ok(Self {
            file,
            build: build.to_owned(),
            writer,
            moment: None,
            number: 0,
            left_out: 0,
            is_start: true,
            is_incomplete: false,
        })
    }

    /// Reads the next tick; `None` at the end.
    ///
    /// # Errors
    /// [`Error`] if the recording is damaged, cannot be read, or has only ticks of other builds.
    pub fn step(&mut self) -> Result<Option<Tick>, Error> {
        loop {
            let number = self.number;
            let bytes = match next(&mut self.file)? {
                Next::Member(bytes) => bytes,
                Next::Damaged(why) => return Err(Error::Damaged { number, why }),
                end @ (Next::Incomplete | Next::End) => {
                    self.is_incomplete = matches!(end, Next::Incomplete);
                    return self.end();
                }
            };
            match Frame::decoded(&bytes) {
                Ok(Frame::Start { build, .. }) => {
                    (self.writer, self.moment, self.is_start) = (build, None, true);
                }
                // Its content may be another one.
                _ if self.writer != self.build => (self.number, self.left_out) = (number + 1, self.left_out + 1),
                Ok(Frame::Tick { now, change, decided }) => {
                    self.number += 1;
                    self.change(change)?;
                    let is_first = std::mem::take(&mut self.is_start);
                    return Ok(Some(Tick { number: self.number, now, is_first, decided }));
                }
                Err(why) => return Err(Error::Damaged { number, why: why.to_string() }),
            }
        }
    }

    fn change(&mut self, change: Option<Box<MomentChange>>) -> Result<(), Error> {
        self.moment = match change {
            Some(change) => Moment::changed(self.moment.take(), *change),
            None => self.moment.take(),
        };
        if self.moment.is_some() { Ok(()) } else { Err(Error::Misfit { number: self.number }) }
    }

    fn end(&self) -> Result<Option<Tick>, Error> {
        if self.left_out > 0 && self.left_out == self.number {
            return Err(Error::Build { theirs: self.writer.clone(), ours: self.build.clone() });
        }
        Ok(None)
    }

    /// Returns how many ticks of other builds were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
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
