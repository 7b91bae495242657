//! Generated histories: commands, pushes, people's edits, faults, absences and clock steps in any order, and what holds after each.
//!
//! A history is a function of its seed. `TIDEGATE_HISTORY_SEED` is the first seed, and `TIDEGATE_HISTORIES` the number of histories:
//!
//! ```text
//! TIDEGATE_HISTORY_SEED=20270101 TIDEGATE_HISTORIES=1000 cargo test --test main generated_histories -- --nocapture
//! ```
//!
//! `TIDEGATE_HISTORY_TRACE` prints the state after each step.

mod end;
mod faults;
mod forge;
mod generate;
mod manager;
mod notes;
mod observer;
mod ordered;
mod page;
mod people;
mod plan;
mod play;
mod replicas;
mod repository;
mod step;
mod unit;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) use self::observer::Observer;
use self::step::Step;

/// The seeds of the histories that the suite plays. They have replicas, a rival, a deleted journal, a bad version, and an application that
/// is removed, broken and restored, and goes over to steps.
const SEEDS: [u64; 2] = [871, 2676];

/// How many histories are played from a seed of the environment.
const HISTORIES: u64 = 1;

/// Returns a number from the environment.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// Returns the seeds of the histories to play.
fn seeds() -> Vec<u64> {
    match number("TIDEGATE_HISTORY_SEED") {
        Some(first) => (first..first + number("TIDEGATE_HISTORIES").unwrap_or(HISTORIES)).collect(),
        None => SEEDS.to_vec(),
    }
}

/// Plays one history on a clock of its own.
fn play(steps: &[Step]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(play::history(steps));
}

#[test]
fn generated_histories_end_as_promised() {
    let mut failed = Vec::new();
    for seed in seeds() {
        let steps = generate::history(seed);
        let start = std::time::Instant::now();
        if catch_unwind(AssertUnwindSafe(|| play(&steps))).is_err() {
            eprintln!("seed {seed}: {steps:#?}");
            failed.push(seed);
        }
        eprintln!("seed {seed}: {:?}", start.elapsed());
    }
    assert!(failed.is_empty(), "these seeds fail: {failed:?}");
}
