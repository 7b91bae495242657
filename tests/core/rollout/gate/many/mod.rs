//! Many rollouts at once on many clusters that come, go, change and fail: no gate is ever passed that is closed, judged by counting, and
//! everything ends.
//!
//! A simulation without a hub: the gates and the rollout engine decide, and the clusters answer after a while.

mod course;
mod judge;
mod setting;

use proptest::prelude::*;

use self::course::Course;
use self::setting::Setting;

/// Plays a setting until nothing happens any longer.
fn play(setting: Setting) -> Course {
    let mut course = Course::new(setting);
    course.run();
    course.assert_ended();
    course
}

#[test]
fn fifty_rollouts_on_a_thousand_clusters_pass_no_closed_gate_and_end() {
    let course = play(Setting { seed: 17, addons: 50, clusters: 1_000, minutes: 2 });
    assert!(course.starts > 800, "only {} starts", course.starts);
    for gate in ["limit", "lock", "window", "parked", "too many clusters are unreachable", "waits for addon-"] {
        assert!(course.reasons.iter().any(|reason| reason.contains(gate)), "no cluster waited for {gate:?}");
    }
}

#[test]
fn an_add_on_waits_for_one_that_waits_for_the_next_rollout_of_a_cluster_that_joined() {
    play(Setting { seed: 17_323_092_664_810_213_984, addons: 7, clusters: 14, minutes: 4 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn rollouts_pass_no_closed_gate_and_end(seed in any::<u64>(), addons in 1..8_usize, clusters in 1..40_usize, minutes in 0..6_i64) {
        play(Setting { seed, addons, clusters, minutes });
    }
}
