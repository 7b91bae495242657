//! Recordings of daemons, and replays of them.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::setup::World;
use tidegate_daemon::reconciler::Daemon;
use tidegate_recording::{Recorder, Recording, Replay};

const BUILD: &str = env!("CARGO_PKG_VERSION");

/// Whether daemons are recorded, each in a file of its own, and how many of them were.
#[derive(Debug, Default)]
pub(super) struct Recordings(Option<AtomicU64>);

impl World {
    /// Records all daemons that are started from now on.
    pub(in crate::daemon) fn recorded(mut self) -> Self {
        self.recordings = Recordings(Some(AtomicU64::new(0)));
        self
    }

    fn recording(&self, number: u64) -> PathBuf {
        self.directory.path().join(format!("recording-{number}"))
    }

    /// Returns the recorder of the next daemon.
    pub(super) fn recorder(&self) -> Option<Recorder> {
        let number = self.recordings.0.as_ref()?.fetch_add(1, Ordering::SeqCst);
        Some(Recorder::open(&self.recording(number), BUILD).unwrap())
    }

    /// Asserts that all recorded plans are the same when they are made again. Returns their number.
    pub(in crate::daemon) fn replayed(&self) -> u64 {
        let recordings = self.recordings.0.as_ref().map_or(0, |count| count.load(Ordering::SeqCst));
        let mut plans = 0;
        for number in 0..recordings {
            let file = BufReader::new(File::open(self.recording(number)).unwrap());
            let mut replay = Replay::new(Recording::open(file, BUILD).unwrap());
            while let Some(played) = replay.step().unwrap() {
                assert!(played.is_same, "plan {} of process {number} is another one when made again", played.number);
                plans += 1;
            }
        }
        plans
    }
}

/// Lets a daemon be recorded.
pub(super) fn recorded(daemon: Daemon, recorder: Option<Recorder>) -> Daemon {
    match recorder {
        Some(recorder) => daemon.with_recorder(recorder),
        None => daemon,
    }
}
