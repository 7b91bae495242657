//! Writes a recording.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use tidegate_model::time::Timestamp;
use tidegate_plan::Plan;

use super::error::Error;
use super::frame::{Frame, KIND, Next, first, next};
use crate::decision;
use crate::moment::Moment;
use crate::tracked::Tracked;

/// The file shows what is on the hub, so only the user of the daemon may read it.
const MODE: u32 = 0o600;

/// Records what plans are made from.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    before: Option<Moment>,
}

impl Recorder {
    /// Begins a recording, or continues one. A tick that is incomplete, because the process was killed, is removed.
    ///
    /// # Errors
    /// [`Error::Foreign`] if the file is something else, [`Error::Broken`] if it is damaged, [`Error::InUse`] if another process writes to it,
    /// and [`Error::Io`] if it cannot be written.
    pub fn open(path: &Path, build: &str) -> Result<Self, Error> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).mode(MODE).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(Error::Foreign);
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::InUse),
            Err(TryLockError::Error(error)) => return Err(Error::Io(error)),
        }
        let end = end(&mut BufReader::new(&mut file))?;
        file.set_len(end)?;
        let mut recorder = Self { file, before: None };
        recorder.write(&Frame::Start { kind: KIND.to_owned(), build: build.to_owned() })?;
        Ok(recorder)
    }

    /// Records a plan.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be written. Nothing more can be recorded in it then.
    pub fn record(&mut self, moment: Moment, now: Timestamp, plan: &Plan) -> Result<(), Error> {
        let change = moment.change(self.before.as_ref()).map(Box::new);
        let decided = decision::digest(plan, &moment.past.report);
        self.before = Some(moment);
        self.write(&Frame::Tick { now, change, decided })
    }

    fn write(&mut self, frame: &Frame) -> Result<(), Error> {
        Ok(self.file.write_all(&frame.encoded()?)?)
    }
}

/// Returns where the last complete member of a file ends.
fn end(file: &mut BufReader<&mut File>) -> Result<u64, Error> {
    if first(file)?.is_none() {
        return Ok(0);
    }
    loop {
        let end = file.stream_position()?;
        match next(file)? {
            Next::Member(_) => {}
            Next::Damaged(why) => return Err(Error::Broken(why)),
            Next::Incomplete | Next::End => return Ok(end),
        }
    }
}
