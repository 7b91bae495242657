//! A rollout in three groups of 10, 150 and 140 clusters, with a soak time of five minutes, that tolerates two failures in a group.

use serde_json::json;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::Guards;
use tidegate_plan::PlacementOutlook;
use tidegate_review::rehearsal::{Clusters, Draw, Request, Scenario, rehearse};
use tidegate_rollout::forecast::Report;
use tidegate_rollout::{ClusterStatus, Status};

pub(super) fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

pub(super) fn group(index: i32, name: &str, clusters: std::ops::Range<usize>) -> DecisionGroup {
    let clusters = clusters.map(|number| format!("c{number:05}").parse().unwrap()).collect();
    DecisionGroup { index, name: name.to_owned(), clusters }
}

/// A placement whose clusters all wait.
pub(super) fn placement(groups: Vec<DecisionGroup>, strategy: serde_json::Value) -> PlacementOutlook {
    let clusters = groups.iter().flat_map(|group| &group.clusters).map(ClusterName::as_str);
    let statuses = clusters.map(|cluster| ClusterStatus::new(cluster, Status::ToApply)).collect();
    PlacementOutlook {
        step: 0,
        step_name: String::new(),
        placement: None,
        strategy: serde_json::from_value(strategy).unwrap(),
        groups,
        statuses,
        desired: Vec::new(),
        targets: Default::default(),
        overlaps: Default::default(),
        foreign: Vec::new(),
        problem: None,
        is_partial: false,
    }
}

fn seed() -> PlacementOutlook {
    let groups = vec![group(0, "canary", 0..10), group(1, "", 10..160), group(2, "", 160..300)];
    placement(
        groups,
        json!({ "type": "ProgressivePerGroup", "progressivePerGroup": {
            "mandatoryDecisionGroups": [{ "groupName": "canary" }], "minSuccessTime": "5m", "maxFailures": 2,
            "progressDeadline": "10m",
        } }),
    )
}

pub(super) fn request<'a>(
    placements: &'a [PlacementOutlook],
    addon: &'a tidegate_model::name::UnitName,
) -> Request<'a> {
    Request {
        addon,
        placements,
        guards: Guards::none(addon),
        semantics: Semantics::Strict,
        now: now(),
        runs: 5,
        within: None,
    }
}

/// How the clusters of one run behave.
type Run = Box<dyn FnMut(&str) -> Vec<Report>>;

/// Clusters that take a minute, of which these fail.
fn failing(clusters: &'static [&'static str]) -> impl FnMut(usize) -> Run {
    move |_| {
        Box::new(move |cluster: &str| {
            let status = if clusters.contains(&cluster) { Status::Failed } else { Status::Succeeded };
            vec![Report { after: SignedDuration::from_mins(1), status }]
        })
    }
}

#[test]
fn two_failures_are_tolerated() {
    let (placements, addon) = ([seed()], "hello".parse().unwrap());
    let rehearsal = rehearse(&request(&placements, &addon), &mut failing(&["c00020", "c00021"])).unwrap();
    assert_eq!((rehearsal.clusters, rehearsal.result.completes), (300, 1.0), "{rehearsal:#?}");
    let waves: Vec<_> =
        rehearsal.waves.iter().map(|wave| (wave.group.as_str(), wave.clusters, wave.median_start)).collect();
    // Each group waits for a minute of work and five minutes of soak time of the one before.
    assert_eq!(waves, [("canary", 10, 0), ("group 1", 150, 360), ("group 2", 140, 720)]);
    assert_eq!(rehearsal.result.median_failed, 2);
}

#[test]
fn the_third_failure_stops_the_rollout() {
    let (placements, addon) = ([seed()], "hello".parse().unwrap());
    let rehearsal = rehearse(&request(&placements, &addon), &mut failing(&["c00020", "c00021", "c00022"])).unwrap();
    let result = &rehearsal.result;
    assert_eq!((result.completes, result.stops), (0.0, 1.0), "{rehearsal:#?}");
    assert_eq!((result.median_stop, result.median_exposed, result.most_exposed), (Some(420), Some(160), Some(160)));
    assert_eq!(rehearsal.waves.len(), 2, "the last group does not start");
}

#[test]
fn a_failing_canary_stops_the_rollout_with_ten_clusters_exposed() {
    let (placements, addon) = ([seed()], "hello".parse().unwrap());
    let rehearsal = rehearse(&request(&placements, &addon), &mut failing(&["c00003"])).unwrap();
    assert_eq!((rehearsal.result.stops, rehearsal.result.most_exposed), (1.0, Some(10)));
}

#[test]
fn a_deadline_finds_the_smallest_concurrency_that_is_fast_enough() {
    let strategy = json!({ "type": "Progressive", "progressive": { "maxConcurrency": 1, "progressDeadline": "10m" } });
    let (placements, addon) = ([placement(vec![group(0, "", 0..100)], strategy)], "hello".parse().unwrap());
    let within = Some(SignedDuration::from_mins(30));
    let request = Request { within, ..request(&placements, &addon) };
    let rehearsal = rehearse(&request, &mut failing(&[])).unwrap();
    // A hundred clusters of a minute each, five at once, take 20 minutes.
    assert_eq!(rehearsal.advice.as_deref(), Some("5 at once, soak time 0s"), "{rehearsal:#?}");
    assert_eq!(rehearsal.result.in_time, Some(0.0));
}

#[test]
fn more_failures_make_a_stop_more_likely() {
    let (placements, addon) = ([seed()], "hello".parse().unwrap());
    let stops = |failing: f64| {
        let scenario = Scenario { latencies: Vec::new(), failing };
        let mut behavior = |number: usize| Clusters { scenario: &scenario, draw: Draw { seed: number as u64 } };
        let request = Request { runs: 25, ..request(&placements, &addon) };
        rehearse(&request, &mut behavior).unwrap().result.stops
    };
    assert_eq!(stops(0.0), 0.0);
    assert!(stops(0.01) < stops(0.05), "{} {}", stops(0.01), stops(0.05));
    assert_eq!(stops(1.0), 1.0);
}

#[test]
fn a_rollout_stops_when_the_deadline_ends_and_the_time_line_reaches_its_end() {
    let (placements, addon) = ([seed()], "hello".parse().unwrap());
    let rehearsed = |failing: f64| {
        let scenario = Scenario { latencies: Vec::new(), failing };
        let mut behavior = |number: usize| Clusters { scenario: &scenario, draw: Draw { seed: number as u64 } };
        rehearse(&Request { runs: 25, ..request(&placements, &addon) }, &mut behavior).unwrap()
    };
    let stopped = rehearsed(1.0);
    // A canary that never becomes ready fails at the end of the deadline of ten minutes.
    assert_eq!(stopped.result.median_stop, Some(600), "{stopped:#?}");
    let completed = rehearsed(0.0);
    let last = completed.waves.iter().map(|wave| wave.median_done).max();
    assert_eq!(last, completed.result.median_end, "{completed:#?}");
}
