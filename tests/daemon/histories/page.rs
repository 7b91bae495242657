//! What the page shows after each entry of the journal of a history: whatever waits for a person is under "Needs you", and nothing else is.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tidegate_model::time::Timestamp;
use tidegate_page::view::View;
use tidegate_page::{Facts, Moment, Query, document, site};

/// Asserts what the page promises for each entry of a journal, and that every page of the last one can be shown.
pub(super) fn check(repository: &Path) {
    let mut known: Option<Facts> = None;
    let mut entries = 0;
    crate::audit::each_entry(repository, |link, files| {
        let (commit, at) = (link.id.clone(), link.author.time);
        let moment = Moment { commit, at, subject: String::new() };
        let facts = Facts::read(moment, files.clone(), known.as_ref());
        start(&facts, files, at);
        known = Some(facts);
        entries += 1;
    });
    let last = known.unwrap_or_else(|| panic!("{entries} entries"));
    for path in site::paths(&last) {
        let shown = document(&last, &path, &Query::default(), last.moment.at);
        assert!(shown.is_ok(), "{path}: {:?}", shown.err());
    }
}

/// Compares the start with the status files themselves.
fn start(facts: &Facts, files: &BTreeMap<String, Vec<u8>>, at: Timestamp) {
    let View::Start(start) = document(facts, "", &Query::default(), at).unwrap().view else { panic!("another page") };
    let start = serde_json::to_value(&start).unwrap();
    let list = |name: &str| start[name].as_array().unwrap().clone();
    let is_of_unit = |path: &str| path.starts_with("addons/") || path.starts_with("applications/");
    for (path, bytes) in files.iter().filter(|(path, _)| is_of_unit(path) && path.ends_with("/status.yaml")) {
        let status: Value = serde_saphyr::from_slice(bytes).unwrap();
        let is_of = |entry: &&Value| entry["addon"] == status["addon"];
        let needs: Vec<Value> = list("needs").iter().filter(is_of).cloned().collect();
        let has = |urgency: &str| needs.iter().any(|need| need["urgency"] == urgency);
        let count = |name: &str| status["clusters"][name].as_u64().unwrap_or(0);
        let phase = status["phase"].as_str().unwrap();
        let shown = || format!("{at}, {path}: {needs:#?} {status:#}");
        if matches!(phase, "Stopped" | "Refused") || count("failed") > 0 {
            assert!(has("Failed"), "a failure is not under \"Needs you\": {}", shown());
        }
        let gates = status["gates"].as_array().cloned().unwrap_or_default();
        let waits =
            |gate: &Value| gate["lookAt"].is_null() && gate["opens"].as_str().is_some_and(|opens| !opens.is_empty());
        // The problem of a removal under way is that it is under way.
        let has_problem = status["problem"].is_string() && phase != "Removing";
        if gates.iter().any(waits) || has_problem {
            assert!(has("Decide") || has("Failed"), "a decision is not under \"Needs you\": {}", shown());
        }
        let is_quiet = phase == "Completed" && count("failed") == 0 && gates.is_empty();
        let is_open = ["problem", "rejected", "removal"].iter().any(|field| !status[*field].is_null());
        if is_quiet && !is_open {
            assert!(!has("Decide") && !has("Failed"), "nothing waits, but \"Needs you\" has something: {}", shown());
        }
        let places = list("active").iter().chain(&list("quiet")).filter(is_of).count();
        assert_eq!(places, 1, "an add-on is under way or at rest: {}", shown());
    }
}
