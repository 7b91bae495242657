//! What the pages have to contain.

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

#[test]
fn the_book_has_every_page_once() {
    let summary = fs::read_to_string("docs/SUMMARY.md").unwrap();
    let link = Regex::new(r"\]\(([a-z/]+\.md)\)").unwrap();
    let listed: Vec<String> = link.captures_iter(&summary).map(|found| found[1].to_owned()).collect();
    let unique: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages =
        super::links::pages().into_iter().filter(|path| path.starts_with("docs") && !path.ends_with("SUMMARY.md"));
    let pages: BTreeSet<String> =
        pages.map(|path| path.strip_prefix("docs").unwrap().to_str().unwrap().to_owned()).collect();
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
    let (_, alerts) = observability.split_once("## Alerts").unwrap();
    let metrics = fs::read_to_string("docs/metrics.md").unwrap();
    let name = Regex::new(r"expr: .*?(tidegate_\w+)").unwrap();
    let names: Vec<&str> = name.captures_iter(alerts).map(|found| found.extract::<1>().1[0]).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(metrics.contains(&format!("`{name}`")), "{name} is not in the table of metrics");
    }
}

#[test]
fn the_rules_and_the_board_are_those_of_the_documentation() {
    let observability = fs::read_to_string("docs/observability.md").unwrap();
    let alerts = fs::read_to_string("deploy/monitoring/alerts.yaml").unwrap();
    let (_, rules) = alerts.split_once('\n').unwrap();
    assert!(observability.contains(&format!("```yaml\n{rules}```\n")), "docs/observability.md has other rules");
    let runbook = fs::read_to_string("docs/runbook.md").unwrap().to_lowercase();
    let place = Regex::new(r"docs/runbook.md#(\w+)").unwrap();
    let places: Vec<&str> = place.captures_iter(&alerts).map(|found| found.extract::<1>().1[0]).collect();
    assert_eq!((places.len(), alerts.matches("page: \"/").count()), (alerts.matches("- alert:").count(), places.len()));
    assert!(places.iter().all(|place| runbook.contains(&format!("\n## {place}\n"))), "{places:?}");
    let board = fs::read_to_string("deploy/monitoring/board.json").unwrap();
    let metrics = fs::read_to_string("docs/metrics.md").unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&board).unwrap();
    assert!(parsed["panels"].as_array().unwrap().len() > 5);
    let name = Regex::new(r"tidegate_\w+").unwrap();
    for name in name.find_iter(&board).map(|found| found.as_str().trim_end_matches("_bucket")) {
        assert!(metrics.contains(&format!("`{name}`")), "{name} is not in the table of metrics");
    }
}
