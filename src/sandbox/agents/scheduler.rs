//! Scheduling and writing of the agents' reports.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::Script;
use super::queue::Queue;
use super::registration::availability;
use super::report::{report, unanswered};
use crate::Sandbox;
use crate::kind::Kind;
use crate::object;
use crate::request::{Subresource, Target, WriteOptions};
use crate::store::{Key, Place, Stored, TooOld};
use tidegate_api::key;
use tidegate_model::time::Timestamp;

/// The field manager of the agents' writes.
const MANAGER: &str = "work-agent";
/// The field manager of the hub's writes about the availability of clusters.
const REGISTRATION: &str = "registration-controller";

/// Number of reports that are written before the task yields to other tasks: about ten milliseconds of work.
const BATCH: usize = 64;

/// The state of the agents of all clusters.
pub(super) struct Scheduler {
    sandbox: Sandbox,
    kind: Arc<Kind>,
    script: Script,
    started: Instant,
    seen: u64,
    /// The hub's restore count when its works were last read.
    restores: u64,
    queue: Queue,
    /// The works whose reports will change later: the observed generation, and the time of its first report.
    sequences: HashMap<Key, (i64, Instant)>,
    /// When the next partition starts or ends.
    edge: Option<Instant>,
}

impl Scheduler {
    pub(super) fn new(sandbox: Sandbox, kind: Arc<Kind>, script: Script) -> Self {
        let started = Instant::now();
        let (queue, sequences) = (Queue::default(), HashMap::new());
        let restores = sandbox.restores();
        Self { sandbox, kind, script, started, seen: 0, restores, queue, sequences, edge: Some(started) }
    }

    /// Switches to another script.
    pub(super) fn set_script(&mut self, script: Script) {
        self.script = script;
        self.queue = Queue::default();
        self.sequences.clear();
        self.edge = Some(Instant::now());
        self.enqueue_all(|_| true);
    }

    /// Returns when the next report or availability change is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.queue.next_due().into_iter().chain(self.edge).min()
    }

    /// Schedules reports on all works for which `is_wanted` is true.
    pub(super) fn enqueue_all(&mut self, is_wanted: impl Fn(&Value) -> bool) {
        let (revision, keys) = self.sandbox.read(|store| {
            let works = store.objects(self.kind.index, "").filter(|(_, work)| is_wanted(&work.value()));
            (store.revision(), works.map(|(key, _)| key.clone()).collect::<Vec<Key>>())
        });
        self.seen = revision;
        for key in keys {
            self.wait(key);
        }
    }

    /// Schedules reports on the works that have changed.
    pub(super) fn enqueue_changes(&mut self) {
        let restores = self.sandbox.restores();
        if std::mem::replace(&mut self.restores, restores) != restores {
            return self.enqueue_all(|work| unanswered(work).is_some());
        }
        let changed = self.sandbox.read(|store| {
            let changes = store.changes_after(self.kind.index, self.seen)?;
            let changes = changes.map(|change| (change.key.clone(), change.removed, change.object.clone()));
            Ok((store.revision(), changes.collect::<Vec<(Key, bool, Stored)>>()))
        });
        match changed {
            Ok((revision, changes)) => {
                self.seen = revision;
                for (key, removed, work) in changes {
                    if removed {
                        self.queue.remove(&key);
                        self.sequences.remove(&key);
                    } else if let Some(generation) = unanswered(&work.value()) {
                        if self.sequences.get(&key).is_some_and(|(reported_since, _)| *reported_since != generation) {
                            // The scheduled reports on the previous generation are obsolete.
                            self.sequences.remove(&key);
                            self.queue.remove(&key);
                        }
                        self.wait(key);
                    }
                }
            }
            Err(TooOld { .. }) => self.enqueue_all(|work| unanswered(work).is_some()),
        }
    }

    fn wait(&mut self, key: Key) {
        let delay = self.script.delay_of(key.namespace());
        // With a delay that overflows the clock, the cluster never reports.
        if let Some(due) = Instant::now().checked_add(delay) {
            self.queue.add(key, due);
        }
    }

    /// Reports on the works that are due, up to [`BATCH`] of them.
    pub(super) fn report_due(&mut self) {
        let now = Instant::now();
        for _ in 0..BATCH {
            let Some(key) = self.queue.pop(now) else { return };
            let next = match self.script.partitioned_until(key.namespace(), now - self.started) {
                Some(until) => self.started.checked_add(until),
                None => self.answer(&key, now),
            };
            match next {
                Some(next) => self.queue.put(key, next),
                None => _ = self.sequences.remove(&key),
            }
        }
    }

    /// Reports on a work; returns when the next report on it is due.
    fn answer(&mut self, key: &Key, now: Instant) -> Option<Instant> {
        let work = self.sandbox.read(|store| store.get(&Place::new(self.kind.index, key.clone())))?;
        if object::is_being_deleted(&work) {
            return None;
        }
        let manifests = work.pointer("/spec/workload/manifests").unwrap_or(&Value::Null);
        let outcome = self.script.outcome(key.namespace(), manifests);
        let generation = work.pointer("/metadata/generation").and_then(Value::as_i64).unwrap_or(0);
        let (_, reported_since) = *self
            .sequences
            .entry(key.clone())
            .and_modify(|sequence| *sequence = if sequence.0 == generation { *sequence } else { (generation, now) })
            .or_insert((generation, now));
        let interval = self.script.status_interval;
        let sees_objects = now - reported_since >= interval;
        let finding = outcome.at((now - reported_since).saturating_sub(interval))?;
        self.write_status(&self.kind, key, MANAGER, |work, now| {
            serde_json::to_value(report(work, finding.health, sees_objects, now)).ok()
        });
        if !sees_objects {
            return reported_since.checked_add(interval);
        }
        reported_since.checked_add(finding.until?)?.checked_add(interval)
    }

    /// Updates the availability of clusters when partitions start or end.
    pub(super) fn report_partitions(&mut self) {
        let now = Instant::now();
        if self.edge.is_none_or(|edge| now < edge) {
            return;
        }
        let elapsed = now - self.started;
        self.edge = self.script.next_edge(elapsed).and_then(|edge| self.started.checked_add(edge));
        let Some(kind) = self.sandbox.catalog().named(key::CLUSTER_GROUP, "ManagedCluster").cloned() else { return };
        let clusters = self.sandbox.read(|store| {
            let is_partitioned =
                |name: &str| self.script.partitions.iter().any(|part| self.script.includes(&part.clusters, name));
            let clusters = store.objects(kind.index, "").map(|(key, _)| key);
            clusters.filter(|key| is_partitioned(key.name())).cloned().collect::<Vec<Key>>()
        });
        for key in clusters {
            let is_reachable = self.script.partitioned_until(key.name(), elapsed).is_none();
            self.write_status(&kind, &key, REGISTRATION, |cluster, now| availability(cluster, is_reachable, now));
        }
    }

    /// Writes the status that `make` computes from the current object, unless the object is gone or `make` returns `None`.
    fn write_status(
        &self,
        kind: &Arc<Kind>,
        key: &Key,
        manager: &str,
        make: impl FnOnce(&Value, Timestamp) -> Option<Value>,
    ) {
        let target = Target {
            kind: Arc::clone(kind),
            version: kind.storage.clone(),
            namespace: key.namespace().to_owned(),
            name: None,
            subresource: Some(Subresource::Status),
        };
        self.sandbox.transact(|hub| {
            let Some(object) = hub.store.get(&Place::new(kind.index, key.clone())) else { return };
            let Some(status) = make(&object, hub.now) else { return };
            let mut answered = Value::clone(&object);
            answered["status"] = status;
            // A hub refuses a report only if the object itself violates its schema; no one could be notified of that.
            let _refused = hub.replace(&target, key.name(), answered, &WriteOptions::own(manager));
        });
    }
}
