//! A placement with a canary and three other clusters, and a policy with one check.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::rollout_policy::{PolicySet, RolloutPolicySpec};
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::checks::{Checkable, Evidence, Judged, Member, Observation, Observations, Stage, Standing};
use tidegate_rollout::gate::{Gates, Policies, Traffic};

/// The state of the placement, as a test sets it.
pub(crate) struct Bench {
    policies: PolicySet,
    pub(crate) canary: Standing,
    pub(crate) others: Standing,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) observations: Observations,
    /// What an expression can read of a cluster, by name.
    pub(crate) values: BTreeMap<String, Value>,
    pub(crate) digest: Digest,
}

/// Returns a time, in seconds.
pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second)
}

impl Bench {
    /// A canary that was done at second 100, and clusters that wait.
    pub(crate) fn new(check: Value) -> Self {
        let mut named = json!({ "name": "errors" });
        named.as_object_mut().unwrap().extend(check.as_object().unwrap().clone());
        let spec: RolloutPolicySpec = serde_json::from_value(json!({ "checks": [named] })).unwrap();
        let policy = tidegate_api::rollout_policy::RolloutPolicy { metadata: Default::default(), spec };
        Self {
            policies: [("p".to_owned(), Arc::new(policy))].into(),
            canary: Standing::Done { since: at(100) },
            others: Standing::Waiting,
            evidence: Vec::new(),
            observations: Observations::default(),
            values: BTreeMap::new(),
            digest: Digest::of(b"2"),
        }
    }

    /// Judges the check at a time, and keeps the evidence, as the next report does.
    pub(crate) fn judge(&mut self, now: Timestamp) -> Judged {
        let names: Vec<ClusterName> = ["c0", "c1", "c2", "c3"].iter().map(|name| name.parse().unwrap()).collect();
        let member = |name, standing| Member { name, standing };
        let (canary, others) = names.split_first().unwrap();
        let group = |index, name: &str| GroupKey { index, name: name.to_owned() };
        let stages = [
            Stage { group: group(0, "canary"), members: vec![member(canary, self.canary)] },
            Stage { group: group(1, ""), members: others.iter().map(|name| member(name, self.others)).collect() },
        ];
        let addon: UnitName = "hello".parse().unwrap();
        let (judges, clusters) = (BTreeMap::new(), BTreeMap::new());
        let gates = Gates::new(Policies::new(&self.policies, &judges), &clusters, Traffic::default(), now);
        let value = |name: &ClusterName| self.values.get(name.as_str()).cloned().unwrap_or(json!({ "name": name }));
        let judged = gates.checked(&Checkable {
            unit: &addon,
            digest: &self.digest,
            placement: None,
            mandatory: &[],
            stages: &stages,
            before: &self.evidence,
            observations: &self.observations,
            cluster: &value,
            now,
        });
        self.evidence = judged.judgements.iter().filter_map(|judgement| judgement.evidence.clone()).collect();
        judged
    }

    /// Measures what is requested at a time with this answer, and judges.
    pub(crate) fn answer(&mut self, now: Timestamp, answer: Result<(u16, &str), &str>) -> Judged {
        let before = self.judge(now);
        for request in before.requests.iter().filter(|request| request.due <= now) {
            let answer = answer.map_err(str::to_owned).map(|(status, body)| tidegate_rollout::gate::checks::Answer {
                status,
                body: body.as_bytes().to_vec(),
            });
            let observation = Observation { at: now, measured: request.ask.measured(answer) };
            self.observations.0.insert(request.key.clone(), observation);
        }
        self.judge(now)
    }

    /// Returns whether the gate is open, and what the check shows.
    pub(crate) fn told(judged: &Judged) -> (bool, String) {
        let judgement = judged.judgements.first().unwrap();
        (judgement.is_open, judgement.result())
    }
}
