//! A short notation for one decision: its input and its output, as text.
//!
//! A cluster is its name, the letter of its status (`A` ToApply, `P` Progressing, `S` Succeeded, `F` Failed, `T` TimeOut, `K` Skip)
//! and, if it has a last transition time, `@` and its age. A decision is the rollout list, the timed out clusters, `breach` or
//! `no`, and the time to the next look, separated by slashes; `-` means none.

use std::sync::LazyLock;

use serde_json::Value;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{GoDuration, Timestamp, parse_go_duration};
use tidegate_rollout::{ClusterStatus, Decision, Error, Input, Status, decide};

const LETTERS: [(char, Status); 6] = [
    ('A', Status::ToApply),
    ('P', Status::Progressing),
    ('S', Status::Succeeded),
    ('F', Status::Failed),
    ('T', Status::TimeOut),
    ('K', Status::Skip),
];

pub(super) struct Scene {
    pub(super) groups: Vec<DecisionGroup>,
    pub(super) strategy: RolloutStrategy,
    pub(super) existing: Vec<ClusterStatus>,
}

impl Scene {
    pub(super) fn new(groups: Vec<DecisionGroup>, strategy: Value, existing: &str) -> Self {
        let strategy = serde_json::from_value(strategy).unwrap();
        Self { groups, strategy, existing: existing.split_whitespace().map(cluster).collect() }
    }

    pub(super) fn decide(&self, semantics: Semantics) -> Result<Decision, Error> {
        let input = Input {
            strategy: &self.strategy,
            groups: &self.groups,
            existing: &self.existing,
            tolerates_failures: false,
            now: now(),
        };
        decide(&input, semantics)
    }

    pub(super) fn strict(&self) -> String {
        shown(&self.decide(Semantics::Strict).unwrap())
    }

    pub(super) fn compat(&self) -> String {
        shown(&self.decide(Semantics::Compat).unwrap())
    }

    /// Returns what the cluster waits for, as a sentence; empty if it does not wait.
    pub(super) fn reason(&self, cluster: &str) -> String {
        let decision = self.decide(Semantics::Strict).unwrap();
        decision
            .waiting()
            .find(|(name, _)| name.as_str() == cluster)
            .map(|(_, wait)| wait.to_string())
            .unwrap_or_default()
    }
}

pub(super) fn now() -> Timestamp {
    static NOW: LazyLock<Timestamp> = LazyLock::new(|| "2026-03-01T12:00:00Z".parse().unwrap());
    *NOW
}

/// One group with six clusters.
pub(super) fn one() -> Vec<DecisionGroup> {
    vec![group(0, "", "c1 c2 c3 c4 c5 c6")]
}

/// Two named groups and one without a name, of two clusters each.
pub(super) fn two() -> Vec<DecisionGroup> {
    vec![group(0, "g0", "c1 c2"), group(1, "g1", "c3 c4"), group(2, "", "c5 c6")]
}

pub(super) fn group(index: i32, name: &str, clusters: &str) -> DecisionGroup {
    let clusters = clusters.split_whitespace().map(|name| name.parse().unwrap()).collect();
    DecisionGroup { index, name: name.to_owned(), clusters }
}

fn cluster(text: &str) -> ClusterStatus {
    let (head, age) = text.split_once('@').map_or((text, None), |(head, age)| (head, Some(age)));
    let (name, letter) = head.split_at(head.len() - 1);
    let (_, status) = LETTERS.into_iter().find(|(l, _)| letter.starts_with(*l)).unwrap();
    let last_transition = age.map(|age| now() - parse_go_duration(age).unwrap());
    ClusterStatus { last_transition, ..ClusterStatus::new(name, status) }
}

pub(super) fn shown(decision: &Decision) -> String {
    let or_none = |words: Vec<String>| if words.is_empty() { "-".to_owned() } else { words.join(" ") };
    let letter = |status: Status| LETTERS.into_iter().find(|(_, s)| *s == status).unwrap().0;
    let rollout = decision.rollout.iter().map(|s| format!("{}{}", s.cluster, letter(s.status))).collect();
    let timed_out = decision.timed_out.iter().map(|s| s.cluster.clone()).collect();
    let breach = if decision.breach { "breach" } else { "no" };
    let look_at = decision.wake_after.map_or("-".to_owned(), |span| GoDuration(span).to_string());
    format!("{} / {} / {breach} / {look_at}", or_none(rollout), or_none(timed_out))
}

pub(super) fn removed(decision: &Decision) -> Vec<&str> {
    decision.removed.iter().map(|status| status.cluster.as_str()).collect()
}
