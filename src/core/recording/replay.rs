//! Plans that are made again from a recording.

use std::io::BufRead;

use tidegate_model::time::Timestamp;
use tidegate_plan::{Memo, Plan, plan};

use crate::decision::digest;
use crate::file::{Error, Recording, Tick};
use crate::moment::Moment;

/// Makes the plans of a recording again, one after the other.
pub struct Replay<R> {
    recording: Recording<R>,
    memo: Memo,
}

/// A plan that was made again.
#[derive(Debug)]
pub struct Played {
    /// The number of the tick in the recording, from 1.
    pub number: u64,
    /// The time of the tick.
    pub now: Timestamp,
    /// Whether the daemon was started since the tick before.
    pub is_first: bool,
    /// The plan.
    pub plan: Plan,
    /// Whether the plan decides the same as the daemon did.
    pub is_same: bool,
}

impl<R: BufRead> Replay<R> {
    /// Begins to read a recording.
    pub fn new(recording: Recording<R>) -> Self {
        Self { recording, memo: Memo::default() }
    }

    /// Makes the next plan again; `None` at the end.
    ///
    /// # Errors
    /// [`Error`] if the recording is damaged, or cannot be read.
    pub fn step(&mut self) -> Result<Option<Played>, Error> {
        let Some(Tick { number, now, is_first, decided }) = self.recording.step()? else { return Ok(None) };
        if is_first {
            self.memo = Memo::default();
        }
        let moment = self.recording.moment().ok_or(Error::Misfit { number })?;
        let plan = plan(&moment.input(now), &mut self.memo);
        let is_same = digest(&plan, &moment.past.report) == decided;
        Ok(Some(Played { number, now, is_first, plan, is_same }))
    }

    /// Returns how many plans of other builds were left out.
    pub fn left_out(&self) -> u64 {
        self.recording.left_out()
    }

    /// Returns `true` if the file ends in the middle of a tick.
    pub fn is_incomplete(&self) -> bool {
        self.recording.is_incomplete()
    }

    /// Returns what the last plan was made from.
    pub fn moment(&self) -> Option<&Moment> {
        self.recording.moment()
    }
}
