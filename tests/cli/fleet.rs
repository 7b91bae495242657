//! `tidegate fleet` with a file: rows, filters, formats and errors.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use super::{code, session, shown, text, tidegate_in, timed};

use crate::scratch::tempdir;

const FLEET: &str = r#"apiVersion: tidegate.io/v1alpha1
kind: Fleet
configurations:
  "aaaa": [{"resource": "addontemplates.addon.open-cluster-management.io", "name": "hello-0.4.0", "hash": "11"}]
  "bbbb": [{"resource": "addontemplates.addon.open-cluster-management.io", "name": "hello-0.4.1", "hash": "22"}]
placements:
  "ocm/all": {"groups": [{"index": 0, "name": "canary"}, {"index": 1}]}
addons:
  "hello": {"spec": {"installStrategy": {"type": "Placements", "placements": [{"namespace": "ocm", "name": "all"}]}}}
  "monitor": {"spec": {}}
clusters:
  "aws-1": {"labels": {"cloud": "aws"}, "groups": {"ocm/all": 0}, "addons": {"hello": {"assigned": "bbbb", "since": "2026-03-01T11:00:05Z"}}}
  "aws-2": {"labels": {"cloud": "aws"}, "groups": {"ocm/all": 1}, "addons": {"hello": {"state": "UnderWay", "assigned": "bbbb", "applied": "aaaa", "availability": "Unavailable", "degraded": "deployments default/hello is not ready"}}}
  "gcp-1": {"labels": {"cloud": "gcp"}, "availability": "Unknown", "groups": {"ocm/all": 1}, "addons": {"hello": {"assigned": "aaaa", "waiting": "2026-03-01T11:00:00Z"}, "monitor": {"state": "Failed", "failure": "was not healthy during its soak time"}}}
  "gcp-2": {}
"#;

/// Runs the command with the fleet in a file, and returns what the user sees.
fn fleet(arguments: &[&str]) -> String {
    let directory = tempdir();
    fs::write(directory.path().join("fleet.yaml"), FLEET).unwrap();
    let arguments = [&["fleet", "--fleet", "fleet.yaml"], arguments].concat();
    format!("$ tidegate {}\n{}", arguments.join(" "), shown(&tidegate_in(directory.path(), &arguments)))
}

#[test]
fn rows_are_filtered_by_label_addon_and_state() {
    let shown = [
        fleet(&[]),
        fleet(&["--label", "cloud in (aws, azure)"]),
        fleet(&["--addon", "monitor", "-o", "yaml"]),
        fleet(&["--state", "underway", "-o", "json"]),
    ];
    insta::assert_snapshot!("rows", shown.join("\n"));
}

#[test]
fn an_empty_result_and_a_mistake_are_explained() {
    let shown = [
        fleet(&["--label", "cloud=azure"]),
        fleet(&["--addon", "monitor", "--label", "cloud=aws"]),
        fleet(&["--state", "Deleting"]),
        fleet(&["--addon", "helo"]),
        fleet(&["--state", "Aplied"]),
        fleet(&["--label", "cloud=(a"]),
        session(&[["fleet", "--fleet", "no-such-file.yaml"], ["fleet", "--fleet", "Cargo.toml"]]),
    ];
    insta::assert_snapshot!("mistakes", shown.join("\n"));
}

#[test]
fn the_time_for_a_hundred_times_as_many_rows_is_not_a_thousand_times_as_long() {
    let directory = tempdir();
    let run = |clusters: usize| {
        let mut fleet = FLEET.to_owned();
        for number in 0..clusters {
            let _ = writeln!(fleet, "  \"x-{number:05}\": {{\"addons\": {{\"hello\": {{\"assigned\": \"bbbb\"}}}}}}");
        }
        let path = directory.path().join(format!("{clusters}.yaml"));
        fs::write(&path, fleet).unwrap();
        let (output, spent) = timed(&["fleet", "--fleet", path.to_str().unwrap(), "-o", "json"]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let rows: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        assert_eq!(rows["rows"].as_array().unwrap().len(), clusters + 4);
        spent
    };
    let (few, many) = (run(100), run(10_000));
    assert!(many < few * 1_000, "{few:?} and {many:?}");
}
