//! Measures one decision in the middle of a rollout: forty decision groups, clusters in every status.
//!
//! Run `cargo bench --bench rollout` on one core. The argument of a row is the number of clusters.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};

use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::{ClusterStatus, Input, Status, decide};

const FLEETS: [usize; 3] = [1_000, 10_000, 100_000];
const GROUPS: usize = 40;
const LABELS: usize = 4;

fn main() {
    divan::main();
}

struct Scene {
    strategy: RolloutStrategy,
    groups: Vec<DecisionGroup>,
    existing: Vec<ClusterStatus>,
    now: Timestamp,
}

impl Scene {
    fn new(strategy: Value, clusters: usize) -> Self {
        let names: Vec<ClusterName> = (0..clusters).map(|n| format!("cluster-{n:06}").parse().unwrap()).collect();
        // Four labels are assigned in turn, and each is split into ten groups, so no group is a range of names.
        let group = |index: usize| DecisionGroup {
            index: index as i32,
            name: format!("label-{}", index % LABELS),
            clusters: names.iter().skip(index % LABELS).step_by(LABELS).cloned().collect::<Vec<_>>()
                [index / LABELS * clusters / GROUPS..(index / LABELS + 1) * clusters / GROUPS]
                .to_vec(),
        };
        let groups = (0..GROUPS).map(group);
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let existing = (0..clusters).filter_map(|place| {
            // Unordered, as from a hash map. The step shares no factor with the numbers of clusters.
            let cluster = place * 7_919 % clusters;
            let (status, minutes) = status(cluster, clusters)?;
            let last_transition = Some(now - SignedDuration::from_mins(minutes));
            Some(ClusterStatus { last_transition, ..ClusterStatus::new(names[cluster].as_str(), status) })
        });
        Self {
            strategy: serde_json::from_value(strategy).unwrap(),
            existing: existing.collect(),
            groups: groups.collect(),
            now,
        }
    }

    fn input(&self) -> Input<'_> {
        Input {
            strategy: &self.strategy,
            groups: &self.groups,
            existing: &self.existing,
            tolerates_failures: false,
            now: self.now,
        }
    }
}

/// Returns the status of a cluster and its age in minutes. Three fifths are done, a tenth is in progress in every possible state,
/// and half of those that have not started are known.
fn status(cluster: usize, clusters: usize) -> Option<(Status, i64)> {
    let percent = cluster * 100 / clusters;
    match (percent, cluster % 20) {
        (0..60, 0) => Some((Status::Skip, 90)),
        (0..60, _) => Some((Status::Succeeded, 90)),
        (60..70, 0) => Some((Status::Failed, 10)),
        (60..70, 1) => Some((Status::TimeOut, 40)),
        (60..70, 2) => Some((Status::Progressing, 40)),
        (60..70, 3..8) => Some((Status::Succeeded, 2)),
        (60..70, _) => Some((Status::Progressing, 10)),
        (_, n) => (n % 2 == 0).then_some((Status::ToApply, 0)),
    }
}

fn decided(bencher: Bencher<'_, '_>, strategy: Value, semantics: Semantics, clusters: usize) {
    let scene = Scene::new(strategy, clusters);
    let decision = decide(&scene.input(), semantics).unwrap();
    // The decision must not stop early, or it would measure nothing.
    assert!(!decision.breach && !decision.rollout.is_empty() && !decision.timed_out.is_empty());
    bencher.counter(ItemsCount::new(clusters)).bench(|| decide(black_box(&scene.input()), semantics));
}

fn progressive() -> Value {
    json!({ "type": "Progressive", "progressive": {
        "minSuccessTime": "5m", "progressDeadline": "30m", "maxFailures": "10%", "maxConcurrency": "20%",
    } })
}

fn per_group() -> Value {
    json!({ "type": "ProgressivePerGroup", "progressivePerGroup": {
        "minSuccessTime": "5m", "progressDeadline": "30m", "maxFailures": "30%",
    } })
}

#[divan::bench(args = FLEETS)]
fn progressive_strict(bencher: Bencher<'_, '_>, clusters: usize) {
    decided(bencher, progressive(), Semantics::Strict, clusters);
}

#[divan::bench(args = FLEETS)]
fn progressive_compat(bencher: Bencher<'_, '_>, clusters: usize) {
    decided(bencher, progressive(), Semantics::Compat, clusters);
}

#[divan::bench(args = FLEETS)]
fn per_group_strict(bencher: Bencher<'_, '_>, clusters: usize) {
    decided(bencher, per_group(), Semantics::Strict, clusters);
}

#[divan::bench(args = FLEETS)]
fn per_group_compat(bencher: Bencher<'_, '_>, clusters: usize) {
    decided(bencher, per_group(), Semantics::Compat, clusters);
}
