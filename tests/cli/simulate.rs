//! `tidegate simulate`.

use super::program;

/// Returns what the command prints about schedules, without the line that sums them up.
fn simulated(arguments: &[&str]) -> String {
    let output = program().arg("simulate").args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (traces, sum) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    assert!(sum.ends_with("; 0 broke a rule"), "{sum}");
    traces.to_owned()
}

#[test]
fn a_seed_is_played_again_to_the_byte() {
    let arguments = ["--seed", "5", "--seeds", "1", "--trace"];
    let once = simulated(&arguments);
    assert!(once.starts_with("seed 5:\n") && once.contains("begins term 1: Accepted"), "{once}");
    assert_eq!(once, simulated(&arguments));
}

#[test]
fn schedules_that_keep_the_rules_are_counted_and_not_printed() {
    assert_eq!(simulated(&["--seeds", "3"]), "");
}
