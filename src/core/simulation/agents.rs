//! The agents of the clusters: each answers its works after its own delay and in its own way.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};

use super::hub::Hub;

/// What a cluster does with a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    /// It applies the work, and everything becomes ready.
    Well,
    /// It applies the work, and nothing becomes ready.
    Unready,
    /// It refuses the work.
    Refuses,
    /// It does not answer.
    Silent,
}

/// What a cluster does, and how many seconds that takes.
#[derive(Debug, Clone, Copy)]
pub struct Nature {
    /// What it does.
    pub conduct: Conduct,
    /// How long that takes, in seconds.
    pub delay: i64,
}

/// What an agent answers: the uid and generation of the work, and the way it answers.
type Answer = (String, i64, Conduct);

/// All agents.
#[derive(Debug, Clone, Default)]
pub struct Agents {
    natures: BTreeMap<String, Nature>,
    given: BTreeMap<ObjectKey, Answer>,
    pending: BTreeMap<ObjectKey, (Answer, Timestamp)>,
}

impl Agents {
    /// Sets what a cluster does from now on.
    pub fn behave(&mut self, cluster: &str, nature: Nature) {
        self.natures.insert(cluster.to_owned(), nature);
    }

    /// Returns `true` if a cluster does what it should.
    pub fn is_well(&self, cluster: &str) -> bool {
        self.natures.get(cluster).is_some_and(|nature| nature.conduct == Conduct::Well)
    }

    /// Lets every agent answer whose delay is over, and returns when the next one is due.
    pub fn answer(&mut self, hub: &mut Hub, now: Timestamp) -> Option<Timestamp> {
        self.pending.retain(|key, _| hub.object(key).is_some());
        let mut statuses = Vec::new();
        for (key, work) in hub.of_kind("ManifestWork") {
            let Some(nature) = self.natures.get(&key.namespace) else { continue };
            let generation = work["metadata"]["generation"].as_i64().unwrap_or_default();
            let answer = (work["metadata"]["uid"].to_string(), generation, nature.conduct);
            if nature.conduct == Conduct::Silent || self.given.get(key) == Some(&answer) {
                self.pending.remove(key);
                continue;
            }
            let due = match self.pending.get(key) {
                Some((pending, due)) if *pending == answer => *due,
                _ => now + SignedDuration::from_secs(nature.delay),
            };
            if due > now {
                self.pending.insert(key.clone(), (answer, due));
                continue;
            }
            statuses.push((key.clone(), json!({ "status": status(work, nature.conduct, now) })));
            self.pending.remove(key);
            self.given.insert(key.clone(), answer);
        }
        statuses.iter().for_each(|(key, status)| hub.patch(key, status));
        self.pending.values().map(|(_, due)| *due).min()
    }
}

fn status(work: &Value, conduct: Conduct, now: Timestamp) -> Value {
    let generation = &work["metadata"]["generation"];
    let condition = |type_: &str, holds: bool| {
        let status = if holds { "True" } else { "False" };
        json!({
            "type": type_, "status": status, "observedGeneration": generation, "lastTransitionTime": now, "reason": "R",
            "message": "",
        })
    };
    let is_taken = conduct != Conduct::Refuses;
    let manifests = work["spec"]["workload"]["manifests"].as_array().into_iter().flatten().enumerate();
    let manifests: Vec<Value> =
        manifests.map(|(n, manifest)| report(n, manifest, conduct == Conduct::Well, generation)).collect();
    json!({
        "conditions": [condition("Applied", is_taken), condition("Available", is_taken)],
        "resourceStatus": { "manifests": if is_taken { manifests } else { Vec::new() } },
    })
}

/// Reports a manifest. Its object has the generation of its work.
fn report(ordinal: usize, manifest: &Value, is_ready: bool, generation: &Value) -> Value {
    let kind = manifest["kind"].as_str().unwrap_or_default();
    let group = manifest["apiVersion"].as_str().unwrap_or_default().split_once('/').map_or("", |(group, _)| group);
    let value =
        |name: &str, number: Value| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": number } });
    let values = match kind {
        "Deployment" => vec![
            value("ReadyReplicas", json!(u8::from(is_ready))),
            value("Replicas", json!(1)),
            value("TidegateGeneration", generation.clone()),
            value("TidegateObservedGeneration", generation.clone()),
            value("TidegateUpdatedReplicas", json!(1)),
        ],
        "StatefulSet" => {
            let replicas = manifest["spec"]["replicas"].as_i64().unwrap_or(1);
            let partition = manifest["spec"]["updateStrategy"]["rollingUpdate"]["partition"].as_i64().unwrap_or(0);
            // It replaces the replicas beyond its partition, one after the other.
            let updated = if is_ready { replicas - partition } else { 0 };
            let numbers = [
                ("TidegateGeneration", generation.clone()),
                ("TidegateObservedGeneration", generation.clone()),
                ("TidegateDesiredReplicas", json!(replicas)),
                ("TidegateReplicas", json!(replicas)),
                ("TidegateReadyReplicas", json!(if is_ready { replicas } else { replicas - 1 })),
                ("TidegateUpdatedReplicas", json!(updated)),
                ("TidegatePartition", json!(partition)),
            ];
            numbers.into_iter().map(|(name, number)| value(name, number)).collect()
        }
        _ => Vec::new(),
    };
    json!({
        "resourceMeta": {
            "ordinal": ordinal, "group": group, "version": "v1", "kind": kind,
            "resource": format!("{}s", kind.to_lowercase()),
            "name": manifest["metadata"]["name"], "namespace": manifest["metadata"]["namespace"],
        },
        "statusFeedback": { "values": values },
        "conditions": [],
    })
}
