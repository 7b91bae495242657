//! The pipelines in `docs/pipelines`: valid YAML, with commands and flags that exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tidegate_review::presentation::Options;

use super::{code, text, tidegate};
use crate::git_command::git;
use crate::scratch::tempdir;

/// The pipelines that look for newer versions.
const NEWER: [&str; 3] =
    ["docs/pipelines/github-newer.yaml", "docs/pipelines/gitlab-newer.yml", "docs/pipelines/gitea-newer.yaml"];

const FILES: [(&str, usize); 3] = [
    ("docs/pipelines/github-actions.yaml", Options::GITHUB),
    ("docs/pipelines/gitlab-ci.yml", Options::OTHERS),
    ("docs/pipelines/gitea-actions.yaml", Options::OTHERS),
];

/// Returns all strings of a pipeline.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// Returns the arguments of each run of the program in a pipeline.
fn runs(file: &str) -> Vec<Vec<String>> {
    let source = std::fs::read_to_string(file).unwrap();
    let pipeline: Value = serde_saphyr::from_str(&source).unwrap_or_else(|error| panic!("{file}: {error}"));
    let lines = strings(&pipeline).into_iter().flat_map(str::lines).map(str::trim);
    let commands = lines.filter_map(|line| line.strip_prefix("tidegate "));
    let arguments = |command: &str| command.split(['>', '|']).next().unwrap().split(' ').map(str::to_owned).collect();
    commands.map(arguments).collect()
}

#[test]
fn every_pipeline_validates_and_plans() {
    for (file, _) in FILES {
        let commands: BTreeSet<String> = runs(file).into_iter().map(|run| run[0].clone()).collect();
        assert!(commands.contains("validate") && commands.contains("plan"), "{file}: {commands:?}");
    }
}

#[test]
fn every_pipeline_finds_the_comment_and_keeps_its_limit() {
    for (file, budget) in FILES {
        let source = std::fs::read_to_string(file).unwrap();
        assert!(source.contains(&format!("budget=$(({budget} / $#))")), "{file}");
        // The other occurrence is the comment if there is no plan.
        assert_eq!(source.matches("<!-- tidegate:plan v1").count(), 2, "{file}");
    }
}

#[test]
fn pipelines_use_only_commands_and_flags_that_exist() {
    let commands = text(&tidegate(&["--help"]).stdout);
    for run in FILES.iter().map(|(file, _)| *file).chain(NEWER).flat_map(runs) {
        let command = run[0].as_str();
        if command.starts_with('-') {
            assert!(commands.contains(command), "tidegate has no {command}");
            continue;
        }
        let is_there = commands.lines().any(|line| line.trim().split(' ').next() == Some(command));
        assert!(is_there, "tidegate has no command {command}");
        let help = text(&tidegate(&[command, "--help"]).stdout);
        for flag in run.iter().filter(|argument| argument.starts_with("--")) {
            assert!(help.contains(flag.as_str()), "tidegate {command} has no {flag}");
        }
    }
}

#[test]
fn every_pipeline_for_newer_versions_opens_pull_requests_on_a_schedule() {
    for file in NEWER {
        let source = std::fs::read_to_string(file).unwrap();
        assert!(source.contains("schedule"), "{file}");
        assert!(runs(file).iter().any(|run| run.join(" ").starts_with("upgrade --check --open")), "{file}");
    }
}

/// Returns the script that makes the plan.
fn plan_script(file: &str) -> String {
    let source = std::fs::read_to_string(file).unwrap();
    let pipeline: Value = serde_saphyr::from_str(&source).unwrap();
    let scripts = strings(&pipeline).into_iter().filter(|text| text.contains("set -- $TIDEGATE_HUBS"));
    let [script] = scripts.collect::<Vec<_>>()[..] else { panic!("{file} has not one script for plans") };
    script.to_owned()
}

/// Writes a repository and a change of it on a branch, and returns the directory of the clone.
fn changed(directory: &Path, overlays: &[&str]) -> std::path::PathBuf {
    let (work, remote) = (directory.join("work"), directory.join("remote.git"));
    let init = tidegate(&[&["init", work.to_str().unwrap()], overlays].concat());
    assert_eq!(code(&init), 0, "{}", text(&init.stderr));
    let root = if overlays.is_empty() { "fleet" } else { "base" };
    let cluster = "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: c1\n  labels: \
                   {fleet: demo, tier: canary, cluster.open-cluster-management.io/clusterset: fleet}\nspec: {hubAcceptsClient: true}\n";
    std::fs::write(work.join(root).join("clusters/c1.yaml"), cluster).unwrap();
    git(directory, &["init", "--quiet", "--bare", remote.to_str().unwrap()]);
    git(&work, &["init", "--quiet", "--initial-branch", "main"]);
    git(&work, &["add", "--all"]);
    git(&work, &["commit", "--quiet", "--message", "first"]);
    git(&work, &["remote", "add", "origin", remote.to_str().unwrap()]);
    git(&work, &["push", "--quiet", "--set-upstream", "origin", "main"]);
    git(&work, &["checkout", "--quiet", "-b", "change"]);
    let config = work.join(root).join("addons/hello/config.yaml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{text}  customizedVariables:\n    - name: LEVEL\n      value: debug\n")).unwrap();
    git(&work, &["commit", "--quiet", "--all", "--message", "a variable"]);
    work
}

/// Returns the run of the script of a pipeline, from a file as on a forge.
fn script(file: &str, work: &Path, hubs: &str) -> Command {
    let script = format!("{}\necho \"$code\" > plan.code", plan_script(file));
    let program = Path::new(env!("CARGO_BIN_EXE_tidegate")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let at = work.with_file_name("script.sh");
    std::fs::write(&at, script).unwrap();
    let mut command = Command::new("bash");
    command.arg("-e").arg(&at).current_dir(work).env_clear().env("PATH", path);
    command.env("TIDEGATE_HUBS", hubs).env("BASE", "main").env("NUMBER", "1").env("GITHUB_STEP_SUMMARY", "/dev/null");
    let base = git(work, &["rev-parse", "origin/main"]);
    command.env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main").env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base);
    command.env("CI_MERGE_REQUEST_IID", "1");
    command
}

/// Runs the script of a pipeline; returns the comment and the exit code of the plan.
fn planned(file: &str, work: &Path, hubs: &str) -> (String, String) {
    let output = script(file, work, hubs).output().unwrap();
    assert_eq!(code(&output), 0, "{file}: {}{}", text(&output.stdout), text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(work.join(name)).unwrap();
    (read("plan.md"), read("plan.code").trim().to_owned())
}

#[test]
fn the_script_of_every_pipeline_plans_each_hub() {
    for (file, _) in FILES {
        let directory = tempdir();
        let work = changed(directory.path(), &[]);
        let (comment, exit) = planned(file, &work, "tidegate/journal");
        assert!(comment.starts_with("<!-- tidegate:plan v1") && comment.contains("hello"), "{file}: {comment}");
        assert_eq!((exit.as_str(), comment.matches("<!--").count()), ("2", 1), "{file}: {comment}");

        let output = script(file, &work, "").output().unwrap();
        assert_eq!(code(&output), 1, "{file}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains("TIDEGATE_HUBS is empty"), "{file}");

        let directory = tempdir();
        let work = changed(directory.path(), &["--overlays", "eu,us"]);
        // Neither hub has a journal yet, so no fleet is known.
        let (comment, exit) = planned(file, &work, "overlays/eu=tidegate/journal overlays/us=tidegate/us");
        assert_eq!(
            (exit.as_str(), comment.matches("**No plan could be made.**").count()),
            ("1", 2),
            "{file}: {comment}"
        );
        assert!(
            comment.contains("\n**overlays/eu**\n") && comment.contains("\n**overlays/us**\n"),
            "{file}: {comment}"
        );
    }
}
