//! Decisions made by upstream's own code, row by row.

use serde_json::{Value, json};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;

use super::scene::{Scene, group, one, removed, two};

type Row = (u32, Value, &'static str, &'static str);

fn all(settings: Value) -> Value {
    json!({ "type": "All", "all": settings })
}

fn progressive(settings: Value) -> Value {
    json!({ "type": "Progressive", "progressive": settings })
}

fn per_group(settings: Value) -> Value {
    json!({ "type": "ProgressivePerGroup", "progressivePerGroup": settings })
}

fn check(groups: fn() -> Vec<DecisionGroup>, rows: Vec<Row>) {
    for (row, strategy, existing, expected) in rows {
        assert_eq!(Scene::new(groups(), strategy, existing).compat(), expected, "row {row}");
    }
}

#[test]
fn compat_decides_as_upstream_over_one_group() {
    let dl_1m =
        |mc: u32, mf: u32| progressive(json!({ "maxConcurrency": mc, "maxFailures": mf, "progressDeadline": "1m" }));
    let no_dl = |mc: u32, mf: u32| progressive(json!({ "maxConcurrency": mc, "maxFailures": mf }));
    let soak = |mc: u32| progressive(json!({ "maxConcurrency": mc, "minSuccessTime": "5m" }));
    check(
        one,
        vec![
            (1, all(json!({})), "", "c1A c2A c3A c4A c5A c6A / - / no / -"),
            (2, all(json!({})), "c1A c2P@1h c3S@1h c4F@1h c9S", "c1A c2P c4F c5A c6A / - / no / -"),
            (
                3,
                all(json!({ "progressDeadline": "5m", "minSuccessTime": "1h" })),
                "c1A c2P@1h c3S@1m c4F@1m c5P",
                "c1A c4F c5P c6A / c2 / no / 4m0s",
            ),
            (4, progressive(json!({ "maxConcurrency": 2 })), "c1S@1h c2P@1h c3A", "c2P c3A / - / no / -"),
            (5, dl_1m(1, 10), "c1F@1h c2A", "- / c1 / breach / -"),
            (6, dl_1m(1, 6), "c1F@1h c2A", "c2A / c1 / no / -"),
            (7, dl_1m(2, 1), "c1P@1h c2A", "c2A c3A / c1 / no / -"),
            (8, no_dl(2, 0), "c1F@1h c2A", "c1F / - / breach / -"),
            (9, no_dl(3, 0), "c1A c2F@0s c3A c4P@0s", "c1A c2F c4P / - / breach / -"),
            (10, dl_1m(5, 0), "c1P@1h c2P@0s c3A", "c2P / c1 / breach / 1m0s"),
            (11, soak(2), "c1S@1m c2S c3A", "c1S c2S / - / no / 4m0s"),
            (12, soak(3), "c2S c3A", "c2S c3A c1A / - / no / 5m0s"),
            (
                13,
                progressive(json!({ "maxConcurrency": 2, "progressDeadline": "5m" })),
                "c1P c2A",
                "c1P c2A / - / no / 5m0s",
            ),
            (14, no_dl(2, 0), "c1K c2A", "c2A c3A / - / no / -"),
            (15, no_dl(2, 1), "c1T c2A", "c2A c3A / - / no / -"),
        ],
    );
}

#[test]
fn compat_decides_as_upstream_over_groups_of_a_progressive_rollout() {
    let canary =
        |mc: u32| progressive(json!({ "maxConcurrency": mc, "mandatoryDecisionGroups": [{ "groupName": "g0" }] }));
    let budget = |groups: Value| {
        progressive(json!({
            "maxConcurrency": 2, "maxFailures": 3, "progressDeadline": "1m", "mandatoryDecisionGroups": groups,
        }))
    };
    let groups = |groups: Value| progressive(json!({ "maxConcurrency": 1, "mandatoryDecisionGroups": groups }));
    let failing = json!({
        "maxConcurrency": 2, "maxFailures": 3, "mandatoryDecisionGroups": [{ "groupName": "g0" }],
    });
    check(
        two,
        vec![
            (16, canary(1), "", "c1A c2A / - / no / -"),
            (17, canary(1), "c1S c2S", "c3A / - / no / -"),
            (18, canary(2), "c1S c2S c3P", "c3P / - / no / -"),
            (19, progressive(json!({ "maxConcurrency": 2 })), "c1S c2S c3P", "c3P c4A / - / no / -"),
            (20, budget(json!([{ "groupName": "g0" }])), "c1S c2S c3P@1h", "- / c3 / no / -"),
            (21, budget(json!([])), "c1S c2S c3P@1h", "c4A c5A / c3 / no / -"),
            (22, progressive(failing), "c1F c2S", "c1F / - / breach / -"),
            (23, groups(json!([{ "groupIndex": 1 }, { "groupName": "g0" }])), "", "c1A c2A / - / no / -"),
            (24, groups(json!([{ "groupName": "elsewhere" }])), "", "c1A / - / no / -"),
        ],
    );
}

#[test]
fn compat_decides_as_upstream_group_by_group() {
    let dl_1m = |mf: u32| per_group(json!({ "maxFailures": mf, "progressDeadline": "1m" }));
    let plain = || per_group(json!({}));
    check(
        two,
        vec![
            (25, plain(), "", "c1A c2A / - / no / -"),
            (26, plain(), "c1A c2S c3A", "c1A / - / no / -"),
            (27, plain(), "c1S c2S c3A", "c3A c4A / - / no / -"),
            (28, dl_1m(1), "c1P@1h c2P@0s c3A", "c2P c3A c4A / c1 / no / 1m0s"),
            (29, dl_1m(0), "c1P@1h c2S", "- / c1 / breach / -"),
            (30, per_group(json!({ "maxFailures": 1 })), "c1F c2S", "c1F c3A c4A / - / no / -"),
            (30, per_group(json!({ "maxFailures": "50%" })), "c1F c2S", "c1F c3A c4A / - / no / -"),
            (31, per_group(json!({ "maxFailures": 5 })), "c1F c2S", "c1F / - / breach / -"),
            (32, plain(), "c2S c3S c4S", "c1A / - / no / -"),
            (33, plain(), "c5P", "c5P c1A c2A / - / no / -"),
        ],
    );
}

#[test]
fn compat_reports_a_cluster_after_a_gap_in_the_indexes_as_removed() {
    let groups = || vec![group(0, "", "c1"), group(2, "", "c3")];
    check(groups, vec![(34, all(json!({})), "c3A", "c1A / - / no / -")]);
    let decision = Scene::new(groups(), all(json!({})), "c3A").decide(Semantics::Compat).unwrap();
    assert_eq!(removed(&decision), ["c3"]);
}

#[test]
fn a_given_cluster_that_is_in_no_group_is_removed() {
    let scene = Scene::new(one(), all(json!({})), "c1S c9S c0A");
    assert_eq!(removed(&scene.decide(Semantics::Compat).unwrap()), ["c9", "c0"]);
    assert_eq!(removed(&scene.decide(Semantics::Strict).unwrap()), ["c0", "c9"]);
}

#[test]
fn a_given_cluster_starts_before_one_that_is_not_given() {
    let scene = Scene::new(one(), progressive(json!({ "maxConcurrency": 2 })), "c5A");
    assert_eq!(scene.compat(), "c5A c1A / - / no / -");
    assert_eq!(scene.strict(), "c1A c5A / - / no / -");
}
