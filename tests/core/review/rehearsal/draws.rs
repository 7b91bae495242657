//! Draws, and what they do to clusters.

use serde_json::json;
use tidegate_review::rehearsal::{Clusters, Draw, Request, Scenario, rehearse};

use super::budget::{group, placement, request};

const CALM: Scenario = Scenario { latencies: Vec::new(), failing: 0.0, offline: 0.0, slow: 1.0, churn: 0.0 };

#[test]
fn draws_depend_on_seed_and_name_and_are_spread_evenly() {
    let draw = Draw { seed: 7 };
    assert_eq!(draw.share(1, "c1").to_bits(), Draw { seed: 7 }.share(1, "c1").to_bits());
    assert_ne!(draw.share(1, "c1").to_bits(), Draw { seed: 8 }.share(1, "c1").to_bits());
    assert_ne!(draw.share(1, "c1").to_bits(), draw.share(2, "c1").to_bits());
    let mut tenths = [0_usize; 10];
    (0..10_000).for_each(|n| tenths[(draw.share(1, &format!("cluster-{n}")) * 10.0) as usize] += 1);
    assert!(tenths.iter().all(|count| (850..1_150).contains(count)), "{tenths:?}");
}

fn rehearsed(scenario: &Scenario) -> tidegate_review::rehearsal::document::AddonRehearsal {
    let strategy = json!({ "type": "Progressive", "progressive": {
        "maxConcurrency": 10, "maxFailures": "100%", "progressDeadline": "20m",
    } });
    let (placements, addon) = ([placement(vec![group(0, "", 0..100)], strategy)], "hello".parse().unwrap());
    let request = Request { runs: 8, ..request(&placements, &addon) };
    rehearse(&request, &mut |number| Clusters { scenario, draw: Draw { seed: number as u64 } }).unwrap()
}

#[test]
fn slow_clusters_and_silent_ones_take_longer() {
    let calm = rehearsed(&CALM).result.median_end.unwrap();
    let slow = rehearsed(&Scenario { slow: 10.0, ..CALM }).result.median_end.unwrap();
    assert!(slow > calm * 8, "{calm} {slow}");
    let offline = rehearsed(&Scenario { offline: 0.05, ..CALM }).result;
    assert!(offline.median_end.unwrap() > calm, "each takes its slot until its deadline");
    assert!((2..=9).contains(&offline.median_failed), "{offline:?}");
}

#[test]
fn clusters_that_leave_and_join_do_not_keep_a_rollout_from_its_end() {
    let result = rehearsed(&Scenario { churn: 0.5, ..CALM }).result;
    assert_eq!((result.stalls, result.stops), (0.0, 0.0), "{result:?}");
    // What happens after the rollout does not count.
    let calm = rehearsed(&CALM).result.median_end.unwrap();
    let little = rehearsed(&Scenario { churn: 0.001, ..CALM }).result.median_end.unwrap();
    assert!((calm - little).abs() <= calm / 10, "{calm} {little}");
}

#[test]
fn the_same_seed_gives_the_same_rehearsal() {
    let scenario = Scenario { failing: 0.02, churn: 0.1, ..CALM };
    assert_eq!(rehearsed(&scenario), rehearsed(&scenario));
}
