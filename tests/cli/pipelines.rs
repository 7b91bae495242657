//! The pipelines in `docs/pipelines`: valid YAML, with commands and flags that exist.

use std::collections::BTreeSet;

use serde_json::Value;
use tidegate_review::presentation::Options;

use super::{text, tidegate};

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
        assert!(source.contains(&format!("--budget {budget}")), "{file}");
        // The other occurrence is the comment if there is no plan.
        assert_eq!(source.matches("<!-- tidegate:plan v1").count(), 2, "{file}");
    }
}

#[test]
fn pipelines_use_only_commands_and_flags_that_exist() {
    let commands = text(&tidegate(&["--help"]).stdout);
    for run in FILES.iter().flat_map(|(file, _)| runs(file)) {
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
