//! What other clients of the hub and of the journal do, and agents that report what is not so.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate_api::key::ASSIGNMENT;
use tidegate_daemon::reconciler::daemon;

use super::super::world::{eventually, requests};
use super::play::Stage;
use super::step::{GOOD, Lie};
use super::unit::Unit;

impl Stage {
    /// Starts a second daemon with a state directory of its own. One of the two ends.
    pub(super) async fn rival(&mut self) {
        if self.has_replicas {
            // A second one stands by.
            return;
        }
        let Some(first) = self.daemon.take_if(|_| !self.gate.is_closed() && self.world.repository().exists()) else {
            return;
        };
        self.rivals += 1;
        self.mirrors += 1;
        let second = self.started().await;
        // Both have something to report.
        let declared = Unit::AddOn.declared(&self.world).unwrap();
        self.push(Unit::AddOn, GOOD.iter().find(|version| **version != declared).unwrap());
        eventually("one of two daemons ends", async || first.has_ended() || second.has_ended()).await;
        // What one writes may break the rules of a plan that the other has made before. It starts again.
        tokio::time::sleep(Duration::from_secs(5)).await;
        let mut running = Vec::new();
        for daemon in [first, second] {
            if daemon.has_ended() {
                let error = daemon.ended().await.unwrap_err();
                assert!(matches!(error, daemon::Error::Rival(_) | daemon::Error::Breach(_)), "{error:?}");
            } else {
                running.push(daemon);
            }
        }
        assert!(running.len() < 2);
        self.daemon = running.pop();
        self.start(false).await;
    }

    /// Deletes the branch of the journal while a daemon runs, which pushes it again.
    pub(super) async fn delete_journal(&self) {
        if self.daemon.is_none() || !self.is_complete() {
            return;
        }
        self.world.git(&["update-ref", "-d", "refs/heads/tidegate/journal"]);
        self.world.look();
        let is_back = async || !self.world.read("tidegate/journal", "sync.yaml").is_empty();
        eventually("the journal is pushed again", is_back).await;
    }

    /// Empties the work of a unit for a cluster.
    pub(super) async fn edit_work(&mut self, unit: Unit, cluster: &str) {
        self.patch_work(unit, cluster, json!({ "spec": { "workload": { "manifests": [] } } })).await;
    }

    /// Removes the record of the application from its work for a cluster.
    pub(super) async fn delete_record(&mut self, cluster: &str) {
        let none = json!({ "metadata": { "annotations": { ASSIGNMENT: Value::Null } } });
        self.patch_work(Unit::Application, cluster, none).await;
    }

    async fn patch_work(&mut self, unit: Unit, cluster: &str, patch: Value) {
        if let Some((path, _)) = unit.work(&self.world, cluster).await {
            requests::patch(&self.world.client(), &format!("{path}?fieldManager=somebody"), &patch).await;
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Deletes the work of a unit for a cluster.
    pub(super) async fn delete_work(&mut self, unit: Unit, cluster: &str) {
        if let Some((path, _)) = unit.work(&self.world, cluster).await {
            requests::delete(&self.world.client(), &path).await;
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Removes the mark of the instance from what a unit has on a cluster.
    pub(super) async fn unmark(&mut self, unit: Unit, cluster: &str) {
        if unit.unmark(&self.world, cluster).await {
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Writes a status of the work of a unit for a cluster that its agent corrects when it answers.
    pub(super) async fn lie(&self, unit: Unit, cluster: &str, lie: Lie) {
        let Some((path, work)) = unit.work(&self.world, cluster).await else { return };
        let generation = work["metadata"]["generation"].as_i64().unwrap();
        let claimed = |of: i64, is_true: bool| {
            let status = if is_true { "True" } else { "False" };
            let condition = |type_: &str| {
                json!({
                    "type": type_, "status": status, "observedGeneration": of, "reason": "Lie", "message": "",
                    "lastTransitionTime": "2026-01-01T00:00:00Z",
                })
            };
            json!({ "conditions": [condition("Applied"), condition("Available")] })
        };
        let status = match lie {
            Lie::Nothing => json!({ "conditions": [], "resourceStatus": { "manifests": [] } }),
            Lie::Past => claimed(generation - 1, true),
            Lie::Future => claimed(generation + 1_000, true),
            Lie::FutureFailure => claimed(generation + 1_000, false),
        };
        let path = format!("{path}/status?fieldManager=work-agent");
        requests::patch(&self.world.client(), &path, &json!({ "status": status })).await;
    }
}
