//! Changed bytes for everything that reads bytes of others: repositories, the hub, the journal, people, agents and clients of the sandbox.
//!
//! Each target takes any bytes and may neither panic nor hang. Its inputs are its samples, changed at random as a function of the seed.
//! `PROPTEST_RNG_SEED` is the seed, which CI takes from the date, and `TIDEGATE_FUZZ` the number of inputs for each target:
//!
//! ```text
//! PROPTEST_RNG_SEED=20270101 TIDEGATE_FUZZ=1000000 cargo test --locked --test main fuzz::
//! ```
//!
//! An input that fails is printed, and belongs into the samples of its target.

mod hub;
mod journal;
mod mutate;
mod people;
mod repository;
mod syntax;

#[path = "../kustomize/overlay/entry_points.rs"]
mod entry_points;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use self::mutate::Mutator;

/// Number of inputs of each target, unless the environment names one.
const INPUTS: u64 = 150;
/// An input that takes longer than this hangs. The slowest ones take a hundredth of it in a debug build.
const LONGEST: Duration = Duration::from_secs(30);

/// Returns a number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// Runs a target on its samples, and on changed ones.
fn fuzz(samples: &[Vec<u8>], target: impl Fn(&[u8])) {
    let seed = number("PROPTEST_RNG_SEED", 1);
    let mut mutator = Mutator::new(seed, samples);
    let changed = (0..number("TIDEGATE_FUZZ", INPUTS)).map(|_| mutator.next());
    for input in samples.iter().cloned().chain(changed) {
        let began = Instant::now();
        let ended = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let took = began.elapsed();
        assert!(ended.is_ok(), "this input panics (seed {seed}): {}", input.escape_ascii());
        assert!(took < LONGEST, "this input takes {took:?} (seed {seed}): {}", input.escape_ascii());
    }
}

/// Runs a target that takes a string. Bytes that are not UTF-8 are replaced.
fn fuzz_text(samples: &[&str], target: impl Fn(&str)) {
    let samples: Vec<Vec<u8>> = samples.iter().map(|sample| sample.as_bytes().to_vec()).collect();
    fuzz(&samples, |bytes| target(&String::from_utf8_lossy(bytes)));
}
