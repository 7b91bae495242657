//! The pipelines of a release: pinned, with few rights, and equal on both forges.

use std::fs;
use std::process::Command;

use regex::Regex;
use serde_json::Value;

const GITHUB: &str = ".github/workflows/release.yaml";
const GITLAB: &str = ".gitlab-ci.yml";

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}

fn parsed(path: &str) -> Value {
    serde_saphyr::from_str(&text(path)).unwrap()
}

/// Returns all scripts of a pipeline, one for each step.
fn scripts(path: &str) -> Vec<String> {
    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("run", Value::String(script)) => found.push(script.clone()),
                        ("script" | "before_script", Value::Array(lines)) => {
                            found.extend(lines.iter().map(|line| line.as_str().unwrap().to_owned()));
                        }
                        _ => collect(value, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&parsed(path), &mut found);
    found
}

#[test]
fn a_pipeline_has_at_most_a_hundred_lines() {
    for path in [GITHUB, GITLAB] {
        assert!(text(path).lines().count() <= 100, "{path}");
    }
}

#[test]
fn every_action_is_pinned_to_a_commit_with_its_version_beside_it() {
    let pinned = Regex::new(r"^[a-z-]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$").unwrap();
    let text = text(GITHUB);
    let uses: Vec<&str> = text.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, action)| action).collect();
    assert!(uses.len() > 3);
    for action in uses {
        assert!(pinned.is_match(action), "{action}");
    }
}

#[test]
fn every_image_of_gitlab_has_to_have_a_digest() {
    let pipeline = parsed(GITLAB);
    assert_eq!(pipeline["default"]["image"], "$RUST_IMAGE");
    assert!(pipeline["default"]["before_script"][0].as_str().unwrap().contains("*@sha256:*"));
    for (name, job) in pipeline.as_object().unwrap() {
        // The check of the digest is the first command of every job.
        assert!(job.get("before_script").is_none() || name == "default", "{name}");
        assert!(job["image"].as_str().is_none_or(|image| image.starts_with('$')), "{name}");
    }
}

#[test]
fn every_job_has_only_the_rights_that_it_needs() {
    let workflow = parsed(GITHUB);
    assert_eq!(workflow["permissions"], serde_json::json!({}));
    for (name, job) in workflow["jobs"].as_object().unwrap() {
        let writes = job["permissions"].as_object().unwrap().values().any(|right| right == "write");
        assert_eq!(writes, name == "release", "{name}");
        for step in job["steps"].as_array().unwrap() {
            if step["uses"].as_str().is_some_and(|action| action.starts_with("actions/checkout@")) {
                assert_eq!(step["with"]["persist-credentials"], false, "{name}");
            }
        }
    }
}

#[test]
fn no_script_prints_a_secret_or_contains_an_expression() {
    // An expression is put into a script before the shell parses it, so its value could contain commands.
    let secret = Regex::new(r"\$\{?(GH_TOKEN|CI_JOB_TOKEN|CI_REGISTRY_PASSWORD|SIGSTORE_ID_TOKEN)\b").unwrap();
    for script in [GITHUB, GITLAB].iter().flat_map(|path| scripts(path)) {
        assert!(!script.contains("${{"), "{script}");
        assert!(!script.contains("set -x"), "{script}");
        for line in script.lines().filter(|line| secret.is_match(line)) {
            let is_piped = line.contains("--password-stdin") && line.trim_start().starts_with("printf %s \"$");
            assert!(is_piped || line.starts_with("glab auth login --job-token"), "{line}");
        }
    }
}

#[test]
fn both_pipelines_run_the_same_steps() {
    let steps = |path: &str| -> Vec<String> {
        let step = Regex::new(r"\.ci/(?:run|release \w+)").unwrap();
        scripts(path)
            .iter()
            .flat_map(|script| step.find_iter(script).map(|found| found.as_str().to_owned()).collect::<Vec<_>>())
            .collect()
    };
    let mut expected = vec![".ci/release check", ".ci/run", ".ci/release binary", ".ci/release assemble"];
    expected.sort_unstable();
    for path in [GITHUB, GITLAB] {
        let mut steps = steps(path);
        steps.sort();
        assert_eq!(steps, expected, "{path}");
        assert!(text(path).contains("AUDITABLE_VERSION: 0.7.7"));
    }
}

#[test]
fn a_tag_that_is_not_the_version_stops_the_release() {
    let output = Command::new(".ci/release").args(["check", "v99.0.0"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        error,
        format!(
            "error: the tag is v99.0.0, and the version in Cargo.toml is {version}: tag v{version}, or change the version\n"
        )
    );
    assert_eq!(output.status.code(), Some(1));
}
