//! The task that answers for all clusters.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::queue::Queue;
use super::report::{report, unanswered};
use super::{Outcome, Script};
use crate::api::key;
use crate::sandbox::Sandbox;
use crate::sandbox::kind::Kind;
use crate::sandbox::object;
use crate::sandbox::request::{Subresource, Target, WriteOptions};
use crate::sandbox::store::{Key, Place, TooOld};

/// The manager of the agents' writes.
const MANAGER: &str = "work-agent";

/// So many answers are written before other tasks have their turn: some ten milliseconds of work.
const BATCH: usize = 64;

/// The agents of all clusters. Cloning is cheap, and all clones follow the same script.
#[derive(Debug, Clone)]
pub struct Agents {
    script: watch::Sender<Script>,
}

impl Agents {
    /// Makes agents that follow a script once they run.
    pub fn new(script: Script) -> Self {
        Self { script: watch::Sender::new(script) }
    }

    /// Changes the script. Works that were answered otherwise are answered again, each after its cluster's delay.
    pub fn set_script(&self, script: Script) {
        self.script.send_replace(script);
    }

    /// Answers the works of a hub until `stop` is cancelled.
    ///
    /// A hub without ManifestWorks leaves the agents idle.
    pub async fn run(&self, sandbox: Sandbox, stop: CancellationToken) {
        let Some(kind) = sandbox.catalog().named(key::WORK_GROUP, "ManifestWork").cloned() else {
            return stop.cancelled().await;
        };
        let mut scripts = self.script.subscribe();
        let mut revisions = sandbox.revisions();
        let script = scripts.borrow_and_update().clone();
        let mut desk = Desk { sandbox, kind, script, seen: 0, queue: Queue::default() };
        desk.take_in_all(|work| unanswered(work).is_some());
        loop {
            revisions.borrow_and_update();
            desk.take_in_changes();
            let due = desk.queue.next_due();
            let wait = async move {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // In this order: a script counts for every answer that is given after it was set.
                biased;
                () = stop.cancelled() => return,
                _ = scripts.changed() => {
                    desk.script = scripts.borrow_and_update().clone();
                    desk.queue = Queue::default();
                    desk.take_in_all(|_| true);
                }
                _ = revisions.changed() => {}
                () = wait => {
                    desk.answer_due();
                    tokio::task::yield_now().await;
                }
            }
        }
    }
}

struct Desk {
    sandbox: Sandbox,
    kind: Arc<Kind>,
    script: Script,
    seen: u64,
    queue: Queue,
}

impl Desk {
    fn take_in_all(&mut self, is_meant: impl Fn(&Value) -> bool) {
        let (revision, keys) = self.sandbox.read(|store| {
            let works = store.objects(self.kind.index, "").filter(|(_, work)| is_meant(work));
            (store.revision(), works.map(|(key, _)| key.clone()).collect::<Vec<Key>>())
        });
        self.seen = revision;
        for key in keys {
            self.wait(key);
        }
    }

    fn take_in_changes(&mut self) {
        let changed = self.sandbox.read(|store| {
            let changes = store.changes_after(self.kind.index, self.seen)?;
            let changes =
                changes.map(|change| (change.key.clone(), change.removed, unanswered(&change.object).is_some()));
            Ok((store.revision(), changes.collect::<Vec<(Key, bool, bool)>>()))
        });
        match changed {
            Ok((revision, changes)) => {
                self.seen = revision;
                for (key, removed, waits) in changes {
                    if removed {
                        self.queue.remove(&key);
                    } else if waits {
                        self.wait(key);
                    }
                }
            }
            Err(TooOld { .. }) => self.take_in_all(|work| unanswered(work).is_some()),
        }
    }

    fn wait(&mut self, key: Key) {
        let delay = self.script.delay_of(key.namespace());
        // A delay beyond all time is as good as silence.
        if let Some(due) = Instant::now().checked_add(delay) {
            self.queue.add(key, due);
        }
    }

    fn answer_due(&mut self) {
        let now = Instant::now();
        for _ in 0..BATCH {
            let Some(key) = self.queue.pop(now) else { return };
            self.answer(key);
        }
    }

    fn answer(&self, key: Key) {
        let target = Target {
            kind: Arc::clone(&self.kind),
            version: self.kind.storage.clone(),
            namespace: key.namespace().to_owned(),
            name: None,
            subresource: Some(Subresource::Status),
        };
        self.sandbox.transact(|hub| {
            let Some(work) = hub.store.get(&Place::new(self.kind.index, key.clone())).cloned() else { return };
            let manifests = work.pointer("/spec/workload/manifests").unwrap_or(&Value::Null);
            let outcome = self.script.outcome(key.namespace(), manifests);
            if outcome == Outcome::Silent || object::is_being_deleted(&work) {
                return;
            }
            // The types of the API always turn into JSON.
            let Ok(status) = serde_json::to_value(report(&work, outcome, hub.now)) else { return };
            let mut answered = Value::clone(&work);
            answered["status"] = status;
            // A hub refuses a report only if the work itself is beyond its schema; then there is nobody to tell.
            let _refused = hub.replace(&target, key.name(), answered, &WriteOptions::own(MANAGER));
        });
    }
}
