//! Decisions, and rollouts tick by tick.

use serde_json::{Value, json};
use tidegate_oracle::{Area, answer};

fn decided(strategy: &Value) -> Value {
    let groups = json!([{ "groupName": "", "groupIndex": 0, "clusters": ["a"] }]);
    let input = json!({ "now": "2026-04-09T00:00:00Z", "decisionGroups": groups, "rolloutStrategy": strategy });
    answer(Area::Rollout, &input).unwrap()
}

#[test]
fn the_effective_strategy_has_the_settings_of_its_type_filled_in() {
    let cases = [
        (json!({ "type": "All" }), json!({ "type": "All", "all": { "minSuccessTime": "0s", "maxFailures": 0 } })),
        (
            json!({ "type": "Progressive", "all": {}, "progressive": { "minSuccessTime": "90m", "progressDeadline": "" } }),
            json!({ "type": "Progressive", "progressive": { "minSuccessTime": "1h30m0s", "maxFailures": 0, "maxConcurrency": 0 } }),
        ),
        (
            json!({ "type": "ProgressivePerGroup", "progressivePerGroup": { "progressDeadline": "x",
                "maxFailures": "5%", "mandatoryDecisionGroups": [{ "groupIndex": 0 }, { "groupName": "g" }] } }),
            json!({ "type": "ProgressivePerGroup", "progressivePerGroup": { "minSuccessTime": "0s", "progressDeadline": "x",
                "maxFailures": "5%", "mandatoryDecisionGroups": [{}, { "groupName": "g" }] } }),
        ),
    ];
    for (strategy, expected) in cases {
        assert_eq!(decided(&strategy)["effectiveStrategy"], expected);
    }
    let unknown = decided(&json!({ "type": "X" }));
    assert_eq!(unknown["error"], "incorrect rollout strategy type X");
    assert!(unknown.get("effectiveStrategy").is_none());
}

#[test]
fn two_groups_with_the_same_index_are_refused() {
    let group = json!({ "groupName": "", "groupIndex": 0, "clusters": ["a"] });
    let input = json!({ "now": "2026-04-09T00:00:00Z", "decisionGroups": [group, group], "rolloutStrategy": {} });
    assert!(answer(Area::Rollout, &input).unwrap_err().to_string().contains("index 0"));
}

fn sequence(changes: Value) -> Value {
    let mut input = json!({
        "start": "2026-04-09T00:00:00Z",
        "tick": "1m0s",
        "maxTicks": 3,
        "decisionGroups": [{ "groupName": "", "groupIndex": 0, "clusters": ["a", "b"] }],
        "rolloutStrategy": { "type": "Progressive", "progressive": { "maxConcurrency": 1, "minSuccessTime": "1m" } },
        "scripts": { "a": { "outcome": "succeeds", "afterTicks": 1 }, "b": { "outcome": "never" } },
    });
    input.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    answer(Area::RolloutSequence, &input).unwrap()
}

#[test]
fn a_sequence_that_does_not_settle_ends_with_its_last_tick() {
    // a starts at 0, succeeds at 1, has soaked at 2; b starts at 2 and never ends, but nothing more happens.
    let settled = sequence(json!({}));
    assert_eq!(settled["endedBecause"], "settled");
    let started: Vec<_> =
        settled["ticks"].as_array().unwrap().iter().map(|tick| tick["newlyConfigured"].clone()).collect();
    assert_eq!(started, [json!(["a"]), json!([]), json!(["b"]), json!([])]);
    assert_eq!(settled["finalStatuses"], json!({ "a": "Succeeded", "b": "Progressing" }));
    let cut = sequence(json!({ "maxTicks": 1 }));
    assert_eq!((&cut["endedBecause"], cut["ticks"].as_array().unwrap().len()), (&json!("maxTicks"), 2));
}

#[test]
fn hostile_sequences_are_refused_or_end() {
    let endless = json!({ "maxTicks": u32::MAX });
    let input = |changes: &Value| {
        let mut input = json!({ "start": "2026-04-09T00:00:00Z", "tick": "2562047h", "maxTicks": 9999,
            "decisionGroups": [], "rolloutStrategy": { "type": "All" }, "scripts": {}, "configChanges": [9999] });
        input.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        answer(Area::RolloutSequence, &input)
    };
    assert!(input(&endless).unwrap_err().to_string().contains("maxTicks"));
    assert!(input(&json!({})).unwrap_err().to_string().contains("beyond the range of times"));
    let error = sequence(json!({ "rolloutStrategy": { "type": "X" } }));
    assert_eq!(error, json!({ "error": "incorrect rollout strategy type X" }));
}
