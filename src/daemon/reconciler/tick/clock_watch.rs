//! Notices when the clock of the machine is set: it shows another time than the one before, plus what has passed since.

use tokio::time::Instant;

use tidegate_model::time::{SignedDuration, Timestamp};

/// A clock that is corrected by less was not set: time synchronization does that all the time.
const TOLERATED: SignedDuration = SignedDuration::from_secs(5);

/// The time at the last look, on both clocks.
#[derive(Debug, Default)]
pub(super) struct ClockWatch(Option<(Timestamp, Instant)>);

impl ClockWatch {
    /// Returns the time that the clock should show, if it was set since the last look.
    pub(super) fn stepped(&mut self, now: Timestamp) -> Option<Timestamp> {
        let instant = Instant::now();
        let (time, then) = self.0.replace((now, instant))?;
        let passed = SignedDuration::try_from(instant.duration_since(then)).ok()?;
        let expected = time.checked_add(passed).ok()?;
        (expected.duration_until(now).abs() > TOLERATED).then_some(expected)
    }
}
