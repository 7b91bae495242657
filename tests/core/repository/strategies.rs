//! Tests that rollout strategies made unsafe by a small mistake are refused.

use tidegate_model::diagnostic::Severity;
use tidegate_repository::load;

use super::fixture::{complaints, edit, edited};

const PROGRESSIVE: &str = "spec.installStrategy.placements[0].rolloutStrategy.progressive";
const REMEDY: &str = "remove it to use clustersPerDecisionGroup of the Placement, or write how many clusters may be in \
                      progress at once, 1 or more, or \"100%\" for all of them";

#[test]
fn a_max_concurrency_of_zero_is_refused() {
    for (written, shown) in [("0", "0"), ("0%", "\"0%\""), ("00%", "\"00%\"")] {
        let tree = edited("addon.yaml", "maxConcurrency: 25%", &format!("maxConcurrency: {written}"));
        let expected = format!(
            "addon.yaml:30:29: {PROGRESSIVE}.maxConcurrency is {shown}, so no cluster could ever start; {REMEDY}"
        );
        assert_eq!(complaints(&tree), [expected]);
        assert!(load(&tree, "").repository.blocked.contains_key("hello"), "{written}");
    }
}

#[test]
fn groups_of_no_clusters_are_refused() {
    let message = "placement.yaml:10:33: spec.decisionStrategy.groupStrategy.clustersPerDecisionGroup is 0, which puts all \
                   clusters into one group";
    for (semantics, severity) in [("strict", Severity::Error), ("compat", Severity::Warning)] {
        let size = "groupStrategy:\n      clustersPerDecisionGroup: 0";
        let mut tree = edited("placement.yaml", "groupStrategy:", size);
        let settings = format!("[rollout]\nsemantics = '{semantics}'\n");
        tree.files.insert("tidegate.toml".to_owned(), settings.into_bytes());
        let found = load(&tree, "").complaints;
        let of_size = found.iter().find(|complaint| complaint.to_string().starts_with(message));
        assert_eq!(of_size.map(|complaint| complaint.diagnostic.severity), Some(severity), "{found:#?}");
    }
}

#[test]
fn a_max_concurrency_of_zero_is_only_a_warning_in_compat() {
    let mut tree = edited("addon.yaml", "maxConcurrency: 25%", "maxConcurrency: 0");
    tree.files.insert("tidegate.toml".to_owned(), b"[rollout]\nsemantics = 'compat'\n".to_vec());
    let expected = format!(
        "addon.yaml:30:29: {PROGRESSIVE}.maxConcurrency is 0, which upstream treats as a missing or unlimited value; {REMEDY}"
    );
    assert_eq!(complaints(&tree), [expected]);
    assert!(load(&tree, "").repository.blocked.is_empty());
    edit(&mut tree, "addon.yaml", "            maxConcurrency: 0\n", "");
    assert_eq!(complaints(&tree), Vec::<String>::new());
}

#[test]
fn settings_of_another_type_are_refused() {
    let block = "rolloutStrategy:\n          type: Progressive\n          progressive:";
    let slips = [
        (
            block.replace("progressive:", "progressivePerGroup:"),
            "progressivePerGroup",
            "Progressive",
            "ProgressivePerGroup",
            26,
        ),
        (block.replace("type: Progressive", "type: All"), "progressive", "All", "Progressive", 26),
        (block.replace("          type: Progressive\n", ""), "progressive", "All", "Progressive", 25),
    ];
    for semantics in ["strict", "compat"] {
        for (slip, member, type_, meant, line) in &slips {
            let mut tree = edited("addon.yaml", "            maxConcurrency: 25%\n", "");
            edit(&mut tree, "addon.yaml", block, slip);
            let settings = format!("[rollout]\nsemantics = '{semantics}'\n");
            tree.files.insert("tidegate.toml".to_owned(), settings.into_bytes());
            let at = format!("addon.yaml:{line}:11: spec.installStrategy.placements[0].rolloutStrategy.{member}");
            let expected = format!(
                "{at} has no effect, since the rolloutStrategy is of type {type_}; write type: {meant}, or remove the block"
            );
            assert_eq!(complaints(&tree), [expected]);
            assert!(load(&tree, "").repository.blocked.contains_key("hello"));
        }
    }
}
