//! Plans that are made again from a recording.

use super::{played, record};

#[test]
fn a_replay_makes_the_same_decisions() {
    let directory = tempfile::tempdir().unwrap();
    for seed in 0..12 {
        let path = directory.path().join(format!("{seed}"));
        let plans = record(seed, &path);
        let played = played(&path).unwrap();
        let different: Vec<_> = played.iter().filter(|played| !played.is_same).map(|played| played.number).collect();
        assert_eq!((played.len(), different), (plans, Vec::new()), "seed {seed}");
    }
}

#[test]
fn a_recording_is_continued_by_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    let (first, second) = (record(1, &path), record(2, &path));
    let played = played(&path).unwrap();
    assert_eq!(played.len(), first + second);
    assert!(played.iter().all(|played| played.is_same));
    let starts: Vec<u64> = played.iter().filter(|played| played.is_first).map(|played| played.number).collect();
    assert_eq!(starts, [1, u64::try_from(first).unwrap() + 1]);
}

#[test]
fn a_plan_takes_few_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recording");
    let plans = record(3, &path);
    let bytes = std::fs::metadata(&path).unwrap().len();
    let a_plan = bytes / u64::try_from(plans).unwrap();
    assert!(a_plan < 3_000, "{bytes} bytes for {plans} plans");
}
