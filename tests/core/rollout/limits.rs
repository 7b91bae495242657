//! Forecasts behind a limit: a cluster takes a place in it until its soak time is over.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::forecast::{Admission, Forecast, Gatekeeper, Outcome, after, run_with};
use tidegate_rollout::{ClusterStatus, Input, Status};

/// Lets so many clusters be under way at once.
struct Limit {
    most: usize,
    underway: BTreeSet<String>,
}

impl Gatekeeper for Limit {
    fn admit(&mut self, cluster: &str, _: i32, _: Timestamp) -> Admission {
        if self.underway.len() == self.most {
            return Admission::Closed { why: "the limit".to_owned(), until: None };
        }
        self.underway.insert(cluster.to_owned());
        Admission::Open
    }

    fn finish(&mut self, cluster: &str) {
        self.underway.remove(cluster);
    }
}

/// Returns the forecast of groups of these sizes, in which each cluster succeeds after `latency` seconds and soaks for `soak` seconds.
fn forecast(groups: &[usize], latency: i64, soak: i64, most: usize) -> Forecast {
    let strategy =
        json!({ "type": "ProgressivePerGroup", "progressivePerGroup": { "minSuccessTime": format!("{soak}s") } });
    let mut first = 0;
    let groups: Vec<DecisionGroup> = groups
        .iter()
        .enumerate()
        .map(|(index, size)| {
            let clusters = (first..first + size).map(|number| format!("c{number}").parse().unwrap()).collect();
            first += size;
            DecisionGroup { index: i32::try_from(index).unwrap(), name: String::new(), clusters }
        })
        .collect();
    let existing: Vec<ClusterStatus> =
        (0..first).map(|number| ClusterStatus::new(format!("c{number}"), Status::ToApply)).collect();
    let input = Input {
        strategy: &serde_json::from_value(strategy).unwrap(),
        groups: &groups,
        existing: &existing,
        tolerates_failures: false,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let mut behavior = after(SignedDuration::from_secs(latency));
    let mut limit = Limit { most, underway: BTreeSet::new() };
    run_with(&input, Semantics::Strict, &mut behavior, &mut limit).unwrap()
}

#[test]
fn a_cluster_starts_once_the_soak_time_of_the_one_before_it_is_over() {
    for groups in [&[1, 1][..], &[2]] {
        let forecast = forecast(groups, 0, 3600, 1);
        let at = "2026-01-01T02:00:00Z".parse().unwrap();
        assert_eq!(forecast.outcome, Outcome::Completed { at }, "{groups:?}");
    }
}

proptest! {
    #[test]
    fn a_limit_delays_a_rollout_and_never_stops_it(
        groups in prop::collection::vec(1..4_usize, 1..4), latency in 0..100_i64, soak in 0..100_i64, most in 1..5_usize
    ) {
        let forecast = forecast(&groups, latency, soak, most);
        let is_completed = matches!(forecast.outcome, Outcome::Completed { .. });
        prop_assert!(is_completed, "{:?}, closed by {:?}", forecast.outcome, forecast.closed);
        // Each batch takes the same time.
        let batches: usize = groups.iter().map(|size| size.div_ceil(most)).sum();
        let took = forecast.outcome.at().duration_since(forecast.begin).as_secs();
        prop_assert_eq!(took, i64::try_from(batches).unwrap() * (latency + soak));
    }
}
