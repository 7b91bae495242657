//! One change on 100 hubs, in virtual time: the hubs get it in waves, as docs/scale.md describes. A wave begins when all hubs
//! of the one before are done, and never if one of them is not.

use serde_json::json;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::forecast::{self, Forecast, Outcome, Report};
use tidegate_rollout::{ClusterStatus, Input, Status};

/// How many hubs each wave has.
const WAVES: [usize; 4] = [1, 9, 30, 60];
/// How many clusters a hub has in the suite, and in the test of a large fleet.
const CLUSTERS: [usize; 2] = [200, 2_000];
const CANARIES: usize = 10;
/// How many clusters of a hub may be under way at once.
const AT_ONCE: usize = 100;

/// The clusters of a hub: canaries, and the others.
struct Hub {
    groups: Vec<DecisionGroup>,
    existing: Vec<ClusterStatus>,
}

impl Hub {
    fn new(clusters: usize) -> Self {
        let name = |number: usize| format!("c{number:04}");
        let group = |index, group: &str, clusters: std::ops::Range<usize>| DecisionGroup {
            index,
            name: group.to_owned(),
            clusters: clusters.map(|number| name(number).parse().unwrap()).collect(),
        };
        let groups = vec![group(0, "canary", 0..CANARIES), group(1, "", CANARIES..clusters)];
        let existing = (0..clusters).map(|number| ClusterStatus::new(name(number), Status::ToApply)).collect();
        Self { groups, existing }
    }

    /// Rolls the change out on a hub from this moment on. Its clusters need one to five minutes, or fail.
    fn rolled_out(&self, hub: usize, now: Timestamp, status: Status) -> Forecast {
        let strategy = serde_json::from_value(json!({ "type": "Progressive", "progressive": {
            "mandatoryDecisionGroups": [{ "groupName": "canary" }], "maxConcurrency": AT_ONCE, "minSuccessTime": "5m",
            "maxFailures": "1%", "progressDeadline": "10m",
        } }));
        let (strategy, groups, existing) = (strategy.unwrap(), &self.groups, &self.existing);
        let input = Input { strategy: &strategy, groups, existing, tolerates_failures: false, now };
        let mut behavior = |cluster: &str| {
            let number: usize = cluster[1..].parse().unwrap();
            let latency = 60 + (number * 7_919 + hub * 104_729) % 240;
            vec![Report { after: SignedDuration::from_secs(i64::try_from(latency).unwrap()), status }]
        };
        forecast::run(&input, Semantics::Strict, &mut behavior).unwrap()
    }
}

/// What becomes of a change.
#[derive(Debug, Default, PartialEq)]
struct Told {
    /// How many hubs have completed it.
    hubs: usize,
    /// How many clusters have started.
    started: usize,
    /// The largest number of clusters that were under way at once, on one hub and on all hubs of a wave.
    at_once: (usize, usize),
}

/// Promotes the change from wave to wave. `status` is what the clusters of a hub report.
fn promoted(clusters: usize, status: impl Fn(usize) -> Status) -> Told {
    let (hub, mut told, mut begin, mut first) = (Hub::new(clusters), Told::default(), Timestamp::UNIX_EPOCH, 0);
    for wave in WAVES {
        let rolled_out: Vec<Forecast> = (first..first + wave).map(|n| hub.rolled_out(n, begin, status(n))).collect();
        let starts = || rolled_out.iter().flat_map(|forecast| &forecast.clusters).filter_map(|run| run.started);
        assert!(starts().all(|started| started >= begin), "a hub starts before the wave before it is done");
        let most = |forecast: &Forecast| forecast.at_once.values().copied().max().unwrap_or_default();
        told.started += starts().count();
        told.at_once.0 = told.at_once.0.max(rolled_out.iter().map(most).max().unwrap_or_default());
        told.at_once.1 = told.at_once.1.max(rolled_out.iter().map(most).sum());
        let done = |forecast: &&Forecast| {
            matches!(forecast.outcome, Outcome::Completed { .. })
                && forecast.clusters.iter().all(|run| run.status == Status::Succeeded)
        };
        told.hubs += rolled_out.iter().filter(done).count();
        if !rolled_out.iter().all(|forecast| done(&forecast)) {
            break;
        }
        begin = rolled_out.iter().map(|forecast| forecast.outcome.at()).max().unwrap();
        first += wave;
    }
    told
}

fn assert_reaches_all(clusters: usize) {
    let told = promoted(clusters, |_| Status::Succeeded);
    // Limits are those of each hub: a wave has its number of hubs times as many clusters under way.
    assert_eq!(told, Told { hubs: 100, started: 100 * clusters, at_once: (AT_ONCE, 60 * AT_ONCE) });
}

#[test]
fn a_good_change_reaches_all_hubs_wave_by_wave() {
    assert_reaches_all(CLUSTERS[0]);
}

#[test]
#[ignore = "takes several seconds"]
fn a_good_change_reaches_two_hundred_thousand_clusters() {
    assert_reaches_all(CLUSTERS[1]);
}

#[test]
fn a_change_that_is_bad_everywhere_stops_on_the_canaries_of_the_first_hub() {
    let told = promoted(CLUSTERS[1], |_| Status::Failed);
    assert_eq!(told, Told { hubs: 0, started: CANARIES, at_once: (CANARIES, CANARIES) });
}

#[test]
fn a_change_that_is_bad_on_one_hub_reaches_no_later_wave() {
    let told = promoted(CLUSTERS[0], |hub| if hub == 5 { Status::Failed } else { Status::Succeeded });
    assert_eq!((told.hubs, told.started), (9, 9 * CLUSTERS[0] + CANARIES));
}
