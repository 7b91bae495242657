//! What the pages have to contain.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

#[test]
fn the_book_has_every_page_once() {
    let summary = fs::read_to_string("docs/SUMMARY.md").unwrap();
    let link = Regex::new(r"\]\(([a-z]+\.md)\)").unwrap();
    let listed: Vec<String> = link.captures_iter(&summary).map(|found| found[1].to_owned()).collect();
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages =
        super::links::pages().into_iter().filter(|path| path.starts_with("docs") && !path.ends_with("SUMMARY.md"));
    let pages: BTreeSet<String> = pages.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(unique, pages);
}

#[test]
fn the_runbook_has_every_alert() {
    let observability = fs::read_to_string("docs/observability.md").unwrap();
    let alert = Regex::new(r"- alert: (\w+)").unwrap();
    let alerts: BTreeSet<&str> = alert.captures_iter(&observability).map(|found| found.extract::<1>().1[0]).collect();
    let runbook = fs::read_to_string("docs/runbook.md").unwrap();
    let section = Regex::new(r"(?m)^## (Tidegate\w+)$").unwrap();
    let sections: BTreeSet<&str> = section.captures_iter(&runbook).map(|found| found.extract::<1>().1[0]).collect();
    assert!(!alerts.is_empty());
    assert_eq!(alerts, sections);
}

/// README's first command runs a program without naming it.
#[test]
fn cargo_runs_tidegate_although_another_member_has_a_program() {
    let readme = fs::read_to_string("README.md").unwrap();
    assert!(readme.contains("\ncargo run --locked -- demo --exit-when-done\n"));
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--no-deps", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let named: Vec<&str> = packages.iter().filter_map(|package| package["default_run"].as_str()).collect();
    assert_eq!(named, ["tidegate"]);
}

/// The metrics of the alerts exist, with these names.
#[test]
fn every_alert_is_about_a_metric_that_exists() {
    let observability = fs::read_to_string("docs/observability.md").unwrap();
    let (metrics, alerts) = observability.split_once("## Alerts").unwrap();
    let name = Regex::new(r"expr: .*?(tidegate_\w+)").unwrap();
    let names: Vec<&str> = name.captures_iter(alerts).map(|found| found.extract::<1>().1[0]).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(metrics.contains(&format!("`{name}`")), "{name} is not in the table of metrics");
    }
}
