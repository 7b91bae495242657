//! `tidegate demo --scenario`: each scenario is told to its end, and its journal is one that Tidegate would write.

use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::{code, session, shown, text, tidegate};
use crate::redacted::timeless;

/// How long a step may take. On an idle machine, a whole scenario takes 10 to 20 s.
const TIMEOUT: &str = "100s";

/// Runs a scenario, and returns what it prints without what depends on the speed of the machine: the progress, and the commits of the
/// journal.
fn told(scenario: &str, directory: &Path) -> String {
    told_with(&[scenario], directory)
}

/// Like [`told`], with more arguments after the name of the scenario.
fn told_with(scenario: &[&str], directory: &Path) -> String {
    let dir = directory.join("demo");
    let arguments = ["--exit-when-done", "--clusters", "20", "--timeout", TIMEOUT, "--dir", dir.to_str().unwrap()];
    let output = tidegate(&[&["demo", "--scenario"], scenario, &arguments].concat());
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
    for scenario in ["canary-failure", "rollback", "approval", "pull-request"] {
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

#[test]
fn a_change_is_reviewed_on_gitea_before_it_starts_and_after_the_canaries() {
    let directory = tempfile::tempdir().unwrap();
    let said = told("pull-request", directory.path());
    let differs = [
        (r"[0-9a-f]{40}", "[HASH]"),
        (r"\d+ s from the merge", "[SPAN] from the merge"),
        // The numbers of a forge depend on the order of what the daemon writes.
        (r"#issuecomment-\d+", "#issuecomment-[NUMBER]"),
    ];
    let said = differs.iter().fold(said, |said, (pattern, placeholder)| {
        Regex::new(pattern).unwrap().replace_all(&said, *placeholder).into_owned()
    });
    insta::assert_snapshot!("demo_pull_request", said);
}

#[test]
fn the_same_change_is_reviewed_on_a_github_and_on_a_gitlab() {
    for (forge, noun) in [("github", "pull request"), ("gitlab", "merge request")] {
        let directory = tempfile::tempdir().unwrap();
        let said = told_with(&["pull-request", "--forge", forge], directory.path());
        assert!(said.contains(&format!("5. Bob approves {noun} 2. The gate opens.")), "{said}");
        assert!(said.contains("hello-template 0.4.1 is on all clusters."), "{said}");
        assert!(said.contains("login: bob"), "{said}");
    }
}

#[test]
fn a_forge_needs_its_scenario_and_a_git_that_serves_repositories() {
    let directory = tempfile::tempdir().unwrap();
    let path = std::env::var("PATH").unwrap();
    let git = directory.path().join("git");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = http-backend ]; then\n  echo \"git: 'http-backend' is not a git command. See 'git --help'.\" >&2\n  \
         exit 1\nfi\nPATH='{path}' exec git \"$@\"\n"
    );
    std::fs::write(&git, script).unwrap();
    std::fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.env_clear().env("PATH", format!("{}:{path}", directory.path().display()));
    let output = command.args(["demo", "--scenario", "pull-request", "--exit-when-done"]).output().unwrap();
    insta::assert_snapshot!("demo_without_http_backend", shown(&output));
    let forge = ["demo", "--scenario", "approval", "--forge", "gitlab", "--exit-when-done"];
    insta::assert_snapshot!("demo_forge_of_another_scenario", session(&[forge]));
}
