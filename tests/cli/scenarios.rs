//! `tidegate demo --scenario`: each scenario is told to its end, and its journal is one that Tidegate would write.

use std::path::Path;

use regex::Regex;

use super::{code, text, tidegate};
use crate::redacted::timeless;

/// How long a step may take. On an idle machine, a whole scenario takes 10 to 20 s.
const TIMEOUT: &str = "100s";

/// Runs a scenario, and returns what it prints without what depends on the speed of the machine: the progress, and the commits of the
/// journal.
fn told(scenario: &str, directory: &Path) -> String {
    let dir = directory.join("demo");
    let arguments = ["demo", "--scenario", scenario, "--exit-when-done", "--clusters", "20", "--timeout", TIMEOUT];
    let output = tidegate(&[&arguments[..], &["--dir", dir.to_str().unwrap()]].concat());
    let said = text(&output.stdout);
    assert_eq!(code(&output), 0, "{said}\n{}", text(&output.stderr));

    let repository = dir.join("repo.git");
    let verified = tidegate(&["verify-history", "--source", repository.to_str().unwrap()]);
    assert_eq!(code(&verified), 0, "{}", text(&verified.stdout));

    let progress = Regex::new(r"^  hello-template \d+\.\d+\.\d+: ").unwrap();
    let commit = Regex::new(r"^  [0-9a-f]{12} ").unwrap();
    let rest: Vec<&str> = said.lines().filter(|line| !progress.is_match(line) && !commit.is_match(line)).collect();
    assert!(said.lines().any(|line| commit.is_match(line)), "{said}");
    let rest = timeless(&rest.join("\n"));
    // All works were reported at one moment, or not.
    Regex::new(r"at \[TIME\]( to \[TIME\])?").unwrap().replace_all(&rest, "at [TIME]").into_owned()
}

#[test]
fn the_readme_names_all_scenarios() {
    let page = include_str!("../../README.md");
    let help = text(&tidegate(&["demo", "--help"]).stdout);
    for scenario in ["canary-failure", "rollback", "approval"] {
        assert!(
            page.contains(&format!("`{scenario}`")) || page.contains(&format!("`--scenario {scenario}`")),
            "{scenario}"
        );
        assert!(help.contains(&format!("- {scenario}")), "{help}");
    }
}

#[test]
fn a_broken_version_stops_at_the_canaries_and_a_revert_heals_them() {
    let directory = tempfile::tempdir().unwrap();
    insta::assert_snapshot!("demo_canary_failure", told("canary-failure", directory.path()));
}

#[test]
fn a_broken_version_is_rolled_back_and_a_fixed_one_is_rolled_out() {
    let directory = tempfile::tempdir().unwrap();
    let said = told("rollback", directory.path());
    assert!(said.contains("addon-examples:v9.9.9) is not ready in its current version"), "{said}");
    // More canaries may have failed before the rollback starts.
    let evidence = Regex::new(r"\(\d+ failed clusters?: .*\); a commit").unwrap();
    insta::assert_snapshot!("demo_rollback", evidence.replace_all(&said, "([EVIDENCE]); a commit"));
}

#[test]
fn an_approval_of_the_author_does_not_count_and_one_of_someone_else_does() {
    let directory = tempfile::tempdir().unwrap();
    insta::assert_snapshot!("demo_approval", told("approval", directory.path()));
    let key = directory.path().join("demo/bob.key");
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(key).unwrap());
    assert_eq!(mode & 0o777, 0o600);
}
