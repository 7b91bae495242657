//! `tidegate demo --scenario`: each scenario is told to its end, and its journal is one that Tidegate would write.

use std::path::Path;
use std::process::{Child, Output, Stdio};

use regex::Regex;
use tokio::runtime::{Builder, Runtime};

use super::{code, program, run, session, shown, text, tidegate};
use crate::daemon::{now, transport};
use crate::redacted::{redacted, timeless};
use crate::scratch::tempdir;
use tidegate::cli::Process;
use tidegate_daemon::reconciler::clock::Clock;

/// How long a step may take. On an idle machine, a scenario in a process of its own takes 10 to 20 s.
const TIMEOUT: &str = "100s";

/// The arguments of a demo that ends, except for its directory.
const DEMO: [&str; 6] = ["demo", "--exit-when-done", "--clusters", "20", "--timeout", TIMEOUT];

/// Runs a demo in this process, where only virtual time passes, and without a network.
pub(super) fn demo(directory: &Path, arguments: &[&str]) -> Output {
    let paused: fn() -> std::io::Result<Runtime> =
        || Builder::new_current_thread().enable_all().start_paused(true).build();
    let process = Process::captured(Clock::new(now), paused).with_forges(|forge| Some(transport(forge)));
    run(&process, &[&DEMO, &["--dir", directory.to_str().unwrap()][..], arguments].concat())
}

/// Starts a demo in a process of its own.
fn started(directory: &Path, arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(DEMO).arg("--dir").arg(directory).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs a scenario, and returns what it prints without what depends on the order of events: the progress, and the commits of the
/// journal.
fn told(scenario: &str, directory: &Path) -> String {
    told_with(&[scenario], directory)
}

/// Like [`told`], with more arguments after the name of the scenario.
fn told_with(scenario: &[&str], directory: &Path) -> String {
    let dir = directory.join("demo");
    read(&demo(&dir, &[&["--scenario"], scenario].concat()), &dir)
}

/// Checks a scenario that has run, and returns what it printed as [`told`] does.
fn read(output: &Output, dir: &Path) -> String {
    let said = text(&output.stdout);
    assert_eq!(code(output), 0, "{said}\n{}", text(&output.stderr));

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

/// Checks the demo without a scenario, which has run, with its journal.
fn check_demo(output: &Output, dir: &Path) {
    let said = text(&output.stdout);
    assert_eq!(code(output), 0, "{said}\n{}", text(&output.stderr));
    let is_progress = |line: &&str| line.starts_with("  hello-template ");
    let rest: Vec<&str> = said.lines().filter(|line| !is_progress(line)).collect();
    insta::assert_snapshot!("demo", redacted(&rest.join("\n")));
    let repository = dir.join("repo.git");
    let status = tidegate(&["status", "--source", repository.to_str().unwrap(), "-o", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(document["addons"][0]["rollout"]["to"], "0.4.1");
    assert_eq!(document["addons"][0]["clusters"]["succeeded"], 20);
    let table = text(&tidegate(&["status", "--source", repository.to_str().unwrap()]).stdout);
    assert!(table.contains("fleet · canary") && table.contains("10/10"), "{table}");
    assert_eq!(code(&tidegate(&["status", "--exit-code", "--source", repository.to_str().unwrap()])), 0);
    let explained = tidegate(&["explain", "--source", repository.to_str().unwrap(), "hello-template"]);
    assert!(text(&explained.stdout).contains("20 Succeeded"), "{}", text(&explained.stdout));
    // The same directory is not used twice.
    insta::assert_snapshot!("demo_again", session(&[["demo", "--dir", dir.to_str().unwrap()]]));
}

/// The forge of the second process is on a port, and the daemon reaches it and its repository over HTTP.
#[test]
fn the_demo_and_the_one_with_a_forge_succeed_in_processes_of_their_own() {
    let directories = [(); 2].map(|()| tempdir());
    let [plain, reviewed] = directories.each_ref().map(|directory| directory.path().join("demo"));
    let (of_plain, of_reviewed) = (started(&plain, &[]), started(&reviewed, &["--scenario", "pull-request"]));
    check_demo(&of_plain.wait_with_output().unwrap(), &plain);
    check_reviewed(&read(&of_reviewed.wait_with_output().unwrap(), &reviewed));
}

#[test]
fn the_demo_succeeds_and_leaves_a_journal() {
    let directory = tempdir();
    let dir = directory.path().join("demo");
    check_demo(&demo(&dir, &[]), &dir);
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
    let directory = tempdir();
    insta::assert_snapshot!("demo_canary_failure", told("canary-failure", directory.path()));
}

#[test]
fn a_broken_version_is_rolled_back_and_a_fixed_one_is_rolled_out() {
    let directory = tempdir();
    let said = told("rollback", directory.path());
    assert!(said.contains("addon-examples:v9.9.9) is not ready in its current version"), "{said}");
    // More canaries may have failed before the rollback starts.
    let evidence = Regex::new(r"\(\d+ failed clusters?: .*\); a commit").unwrap();
    insta::assert_snapshot!("demo_rollback", evidence.replace_all(&said, "([EVIDENCE]); a commit"));
}

#[test]
fn an_approval_of_the_author_does_not_count_and_one_of_someone_else_does() {
    let directory = tempdir();
    insta::assert_snapshot!("demo_approval", told("approval", directory.path()));
    let key = directory.path().join("demo/bob.key");
    let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(key).unwrap());
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_change_is_reviewed_on_gitea_before_it_starts_and_after_the_canaries() {
    let directory = tempdir();
    check_reviewed(&told("pull-request", directory.path()));
}

/// Compares what the scenario with a pull request prints with its snapshot.
fn check_reviewed(said: &str) {
    let differs = [
        (r"[0-9a-f]{64}", "[DIGEST]"),
        (r"[0-9a-f]{40}", "[HASH]"),
        (r"\d+ s from the merge", "[SPAN] from the merge"),
        // The numbers of a forge depend on the order of what the daemon writes.
        (r"#issuecomment-\d+", "#issuecomment-[NUMBER]"),
    ];
    let said = differs.iter().fold(said.to_owned(), |said, (pattern, placeholder)| {
        Regex::new(pattern).unwrap().replace_all(&said, *placeholder).into_owned()
    });
    insta::assert_snapshot!("demo_pull_request", said);
}

#[test]
fn the_same_change_is_reviewed_on_a_github_and_on_a_gitlab() {
    for (forge, noun) in [("github", "pull request"), ("gitlab", "merge request")] {
        let directory = tempdir();
        let said = told_with(&["pull-request", "--forge", forge], directory.path());
        assert!(said.contains(&format!("5. Bob approves {noun} 2. The gate opens.")), "{said}");
        assert!(said.contains("hello-template 0.4.1 is on all clusters."), "{said}");
        assert!(said.contains("login: bob"), "{said}");
    }
}

#[test]
fn a_forge_needs_its_scenario_and_a_git_that_serves_repositories() {
    let directory = tempdir();
    let path = std::env::var("PATH").unwrap();
    let git = directory.path().join("git");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = http-backend ]; then\n  echo \"git: 'http-backend' is not a git command. See 'git --help'.\" >&2\n  \
         exit 1\nfi\nPATH='{path}' exec git \"$@\"\n"
    );
    std::fs::write(&git, script).unwrap();
    std::fs::set_permissions(&git, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = program();
    command.env("PATH", format!("{}:{path}", directory.path().display()));
    let output = command.args(["demo", "--scenario", "pull-request", "--exit-when-done"]).output().unwrap();
    insta::assert_snapshot!("demo_without_http_backend", shown(&output));
    let forge = ["demo", "--scenario", "approval", "--forge", "gitlab", "--exit-when-done"];
    insta::assert_snapshot!("demo_forge_of_another_scenario", session(&[forge]));
}
