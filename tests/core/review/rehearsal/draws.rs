//! Draws, and what they do to clusters.

use serde_json::json;
use tidegate_model::time::SignedDuration;
use tidegate_review::rehearsal::{Clusters, Draw, Request, Scenario, rehearse};

use super::budget::{group, placement, request};

const CALM: Scenario = Scenario { latencies: Vec::new(), failing: 0.0 };

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
fn slow_clusters_and_failing_ones_take_longer() {
    let calm = rehearsed(&CALM).result.median_end.unwrap();
    let slow = vec![SignedDuration::from_mins(20), SignedDuration::from_mins(30)];
    let slow = rehearsed(&Scenario { latencies: slow, ..CALM }).result.median_end.unwrap();
    assert!(slow > calm * 8, "{calm} {slow}");
    let failing = rehearsed(&Scenario { failing: 0.05, ..CALM }).result;
    assert!(failing.median_end.unwrap() > calm, "each takes its slot until its deadline");
    assert!((2..=9).contains(&failing.median_failed), "{failing:?}");
}

#[test]
fn the_same_seed_gives_the_same_rehearsal() {
    let scenario = Scenario { failing: 0.02, ..CALM };
    assert_eq!(rehearsed(&scenario), rehearsed(&scenario));
}
