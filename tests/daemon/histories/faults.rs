//! What other clients of the hub and of the journal do, and agents that report what is not so.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::daemon;

use super::super::world::{addon_path, eventually, requests, work_path};
use super::play::{NAME, Stage, declared};
use super::step::{GOOD, Lie};

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
        self.mirrors += 1;
        let second = self.started().await;
        // Both have something to report.
        let declared = declared(&self.world);
        self.push(GOOD.iter().find(|version| **version != declared).unwrap());
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

    /// Empties the work of a cluster.
    pub(super) async fn edit_work(&mut self, cluster: &str) {
        if self.world.work(cluster, NAME).await.is_some() {
            let empty = json!({ "spec": { "workload": { "manifests": [] } } });
            let path = format!("{}?fieldManager=somebody", work_path(cluster, NAME));
            requests::patch(&self.world.client(), &path, &empty).await;
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Deletes the work of a cluster.
    pub(super) async fn delete_work(&mut self, cluster: &str) {
        if self.world.work(cluster, NAME).await.is_some() {
            requests::delete(&self.world.client(), &work_path(cluster, NAME)).await;
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Removes the marks of the instance from the ManagedClusterAddOn of a cluster.
    pub(super) async fn unmark(&mut self, cluster: &str) {
        let path = addon_path(cluster, NAME);
        if requests::get(&self.world.client(), &path).await.is_some() {
            let none = json!({ "metadata": { "labels": { "tidegate.io/instance": Value::Null } } });
            let path = format!("{path}?fieldManager=somebody");
            requests::patch(&self.world.client(), &path, &none).await;
            self.edited.insert(cluster.to_owned());
        }
    }

    /// Writes a status of the work of a cluster that its agent corrects when it answers.
    pub(super) async fn lie(&self, cluster: &str, lie: Lie) {
        let Some(work) = self.world.work(cluster, NAME).await else { return };
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
        let path = format!("{}/status?fieldManager=work-agent", work_path(cluster, NAME));
        requests::patch(&self.world.client(), &path, &json!({ "status": status })).await;
    }
}
