//! Tests of recordings.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod damage;
mod replay;

use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tidegate_plan::{Input, Plan};
use tidegate_recording::{Error, Moment, Played, Recorder, Recording, Replay};

const BUILD: &str = "1.2.3";

/// Records the plans of a schedule in a file. Returns their number.
fn record(seed: u64, path: &Path) -> usize {
    let recorder = Recorder::open(path, BUILD).unwrap();
    let state = Rc::new(RefCell::new((recorder, 0)));
    let shared = state.clone();
    let observer = move |input: &Input<'_>, plan: &Plan| {
        let (recorder, count) = &mut *shared.borrow_mut();
        recorder.record(Moment::of(input, Arc::default()), input.now, plan).unwrap();
        *count += 1;
    };
    tidegate_simulation::run_observed(seed, Box::new(observer)).unwrap();
    let (_, count) = *state.borrow();
    count
}

fn open(path: &Path) -> Result<Replay<BufReader<File>>, Error> {
    Recording::open(BufReader::new(File::open(path).unwrap()), BUILD).map(Replay::new)
}

/// Makes the plans of a recording again.
fn played(path: &Path) -> Result<Vec<Played>, Error> {
    let mut replay = open(path)?;
    let mut all = Vec::new();
    while let Some(played) = replay.step()? {
        all.push(played);
    }
    Ok(all)
}
