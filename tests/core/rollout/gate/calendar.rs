//! Windows and freezes, where clocks change.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;
use tidegate_rollout::gate::{Gates, Policies, Traffic};
use tidegate_rollout::{Barrier, Gate};

use super::held_by;

/// Returns the gate of a policy with this spec at a moment, for a cluster in the EU.
fn gate(spec: &Value, at: &str) -> Option<Gate> {
    let policy = json!({ "metadata": { "name": "hours" }, "spec": spec });
    let policies: PolicySet = [("hours".to_owned(), Arc::new(serde_json::from_value(policy).unwrap()))].into();
    let cluster: ManagedCluster =
        serde_json::from_value(json!({ "metadata": { "name": "east", "labels": { "region": "eu" } }, "spec": {} }))
            .unwrap();
    let name: ClusterName = "east".parse().unwrap();
    let clusters = BTreeMap::from([(name.clone(), Arc::new(cluster))]);
    let (addon, now) = ("istio".parse().unwrap(), at.parse::<Timestamp>().unwrap());
    let judges = BTreeMap::new();
    let policies = Policies::new(&policies, &judges);
    let mut gates = Gates::new(policies, &clusters, Traffic::default(), now);
    held_by(&mut gates, &addon, &name)
}

fn opens(spec: &Value, at: &str) -> String {
    match gate(spec, at) {
        None => "open".to_owned(),
        Some(Gate { barrier: Barrier::Window { opens: Some(opens), .. }, .. }) => opens.to_string(),
        Some(Gate { barrier: Barrier::Freeze { ends, .. }, .. }) => format!("frozen until {ends}"),
        Some(gate) => gate.to_string(),
    }
}

#[test]
fn a_window_is_open_on_its_days_and_over_midnight() {
    let nights = json!({ "windows": [{ "name": "nights", "days": ["Mon-Thu"], "from": "22:00", "to": "05:00" }] });
    // 2026-11-23 is a Monday.
    assert_eq!(opens(&nights, "2026-11-23T21:59:59Z"), "2026-11-23T22:00:00Z");
    assert_eq!(opens(&nights, "2026-11-23T22:00:00Z"), "open");
    assert_eq!(opens(&nights, "2026-11-24T04:59:59Z"), "open");
    assert_eq!(opens(&nights, "2026-11-24T05:00:00Z"), "2026-11-24T22:00:00Z");
    // The night from Thursday to Friday began on Thursday.
    assert_eq!(opens(&nights, "2026-11-27T01:00:00Z"), "open");
    assert_eq!(opens(&nights, "2026-11-27T06:00:00Z"), "2026-11-30T22:00:00Z");
}

#[test]
fn a_range_of_days_goes_over_the_end_of_the_week() {
    let days = json!({ "windows": [{ "name": "w", "days": ["Sat-Mon"], "from": "08:00", "to": "09:00" }] });
    assert_eq!(opens(&days, "2026-11-23T08:30:00Z"), "open");
    assert_eq!(opens(&days, "2026-11-24T08:30:00Z"), "2026-11-28T08:00:00Z");
    assert_eq!(opens(&days, "2026-11-29T08:30:00Z"), "open");
}

#[test]
fn a_window_without_length_lasts_for_a_day() {
    let all = json!({ "windows": [{ "name": "w", "days": ["Mon"], "from": "08:00", "to": "08:00" }] });
    assert_eq!(opens(&all, "2026-11-24T07:59:00Z"), "open");
    assert_eq!(opens(&all, "2026-11-24T08:00:00Z"), "2026-11-30T08:00:00Z");
}

#[test]
fn a_window_is_shorter_where_clocks_change() {
    let berlin = |from: &str, to: &str| json!({ "windows": [{ "name": "w", "timeZone": "Europe/Berlin", "from": from, "to": to }] });
    // On 2026-03-29 there is no time from 02:00 to 03:00: 02:30 is 03:30 as a start, and 01:30 as an end.
    assert_eq!(opens(&berlin("02:30", "04:00"), "2026-03-29T01:10:00Z"), "2026-03-29T01:30:00Z");
    assert_eq!(opens(&berlin("02:30", "04:00"), "2026-03-29T01:30:00Z"), "open");
    assert_eq!(opens(&berlin("01:00", "02:30"), "2026-03-29T00:29:00Z"), "open");
    assert_ne!(opens(&berlin("01:00", "02:30"), "2026-03-29T00:31:00Z"), "open");
    // All of it is skipped.
    assert_ne!(opens(&berlin("02:15", "02:45"), "2026-03-29T01:20:00Z"), "open");
    assert_eq!(opens(&berlin("02:15", "02:45"), "2026-03-29T01:20:00Z"), "2026-03-30T00:15:00Z");
    // On 2026-10-25 the time from 02:00 to 03:00 occurs twice: the second one as a start, the first one as an end.
    assert_ne!(opens(&berlin("02:30", "05:00"), "2026-10-25T00:45:00Z"), "open");
    assert_eq!(opens(&berlin("02:30", "05:00"), "2026-10-25T01:30:00Z"), "open");
    assert_ne!(opens(&berlin("01:00", "02:30"), "2026-10-25T00:45:00Z"), "open");
}

#[test]
fn a_freeze_is_longer_where_clocks_change_and_includes_its_last_day() {
    let freeze = |from: &str, to: &str| json!({ "freezes": [{ "name": "f", "timeZone": "Europe/Berlin", "from": from, "to": to }] });
    assert_eq!(opens(&freeze("2026-12-20", "2027-01-03"), "2026-12-19T22:59:59Z"), "open");
    assert_eq!(opens(&freeze("2026-12-20", "2027-01-03"), "2026-12-19T23:00:00Z"), "frozen until 2027-01-03T23:00:00Z");
    assert_eq!(opens(&freeze("2026-12-20", "2027-01-03"), "2027-01-03T23:00:00Z"), "open");
    assert_ne!(opens(&freeze("2026-10-25T02:30", "2026-10-26T00:00"), "2026-10-25T00:30:00Z"), "open");
    assert_ne!(opens(&freeze("2026-10-24T00:00", "2026-10-25T02:30"), "2026-10-25T01:29:00Z"), "open");
}

#[test]
fn a_freeze_wins_over_a_window() {
    let both = json!({
        "windows": [{ "name": "always", "from": "00:00", "to": "00:00" }],
        "freezes": [{ "name": "f", "from": "2026-11-23", "to": "2026-11-23" }, { "name": "g", "from": "2026-11-01", "to": "2026-11-30" }],
    });
    assert_eq!(opens(&both, "2026-11-23T12:00:00Z"), "frozen until 2026-12-01T00:00:00Z");
}

#[test]
fn windows_are_for_the_clusters_of_their_policy() {
    let of = |region: &str| {
        let clusters = json!({ "matchLabels": { "region": region } });
        json!({ "selector": { "clusters": clusters }, "windows": [{ "name": "w", "from": "01:00", "to": "02:00" }] })
    };
    assert_eq!(opens(&of("us"), "2026-11-23T12:00:00Z"), "open");
    assert_eq!(opens(&of("eu"), "2026-11-23T12:00:00Z"), "2026-11-24T01:00:00Z");
}

#[test]
fn freezes_are_for_the_clusters_of_their_policy() {
    let of = |region: &str| {
        let clusters = json!({ "matchLabels": { "region": region } });
        json!({ "selector": { "clusters": clusters }, "freezes": [{ "name": "f", "from": "2026-11-23", "to": "2026-11-23" }] })
    };
    assert_eq!(opens(&of("us"), "2026-11-23T12:00:00Z"), "open");
    assert_eq!(opens(&of("eu"), "2026-11-23T12:00:00Z"), "frozen until 2026-11-24T00:00:00Z");
}

#[test]
fn a_policy_that_cannot_be_evaluated_closes_everything() {
    let window = json!({ "windows": [{ "name": "w", "timeZone": "Europe/Berlon", "from": "01:00", "to": "02:00" }] });
    assert_eq!(
        gate(&window, "2026-11-23T01:30:00Z").unwrap().to_string(),
        "held: RolloutPolicy hours cannot be read: window \"w\": timeZone: \"Europe/Berlon\" is not a time zone of the IANA \
         database; did you mean \"Europe/Berlin\"?"
    );
}
