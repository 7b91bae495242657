//! Links between the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Returns the pages: those of the root, and those of `docs` and its directories.
pub(super) fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for directory in [".", "docs", "docs/applications"] {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the text of a page without its blocks of code.
fn prose(path: &Path) -> String {
    let mut is_code = false;
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the anchors of the headings of a page, as forges and mdBook make them.
fn anchors(path: &Path) -> BTreeSet<String> {
    let headings = prose(path);
    let headings = headings.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let text = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
            kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_to_a_heading_of_it() {
    let link = Regex::new(r"\]\(([^()\s]+)\)").unwrap();
    let mut known: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut broken = Vec::new();
    for page in pages() {
        for target in link.captures_iter(&prose(&page)).map(|found| found[1].to_owned()) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            if !path.exists() {
                broken.push(format!("{}: {target} does not exist", page.display()));
            } else if !anchor.is_empty()
                && !known.entry(path.clone()).or_insert_with(|| anchors(&path)).contains(anchor)
            {
                broken.push(format!("{}: {target} has no such heading", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
