//! The loop of the stand-in: observes the hub, lets the controllers decide, and writes what they have decided.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tidegate_model::action::Write;
use tidegate_model::time::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::upstream::controllers::view::{AddonView, Objects, Server, View};
use crate::upstream::controllers::{addon, cluster, trigger};
use crate::upstream::controls::{Controller, Controls};
use crate::upstream::hub::cache::Cache;
use crate::upstream::hub::kind::{ADDON, Kind};
use crate::upstream::hub::watches::Change;
use crate::upstream::hub::write::{FIELD_MANAGER, Writer};
use crate::upstream::queue::{Queue, Task};

/// Time after which every controller decides again about every object.
const RESYNC: Duration = Duration::from_secs(600);

/// The state of the loop.
pub(in crate::upstream) struct Run {
    writer: Writer,
    now: fn() -> Timestamp,
    controls: watch::Receiver<Controls>,
    cache: Cache,
    queue: Queue,
    /// The add-ons that are served.
    served: BTreeSet<String>,
}

impl Run {
    pub(in crate::upstream) fn new(
        writer: Writer,
        now: fn() -> Timestamp,
        controls: watch::Receiver<Controls>,
    ) -> Self {
        Self { writer, now, controls, cache: Cache::default(), queue: Queue::default(), served: BTreeSet::new() }
    }

    /// Runs forever.
    pub(in crate::upstream) async fn run(mut self, mut changes: mpsc::UnboundedReceiver<(Kind, Change)>) {
        let mut resync = tokio::time::interval(RESYNC);
        loop {
            let due = self.queue.next_due();
            let wait = async move {
                match due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            let mut controls = self.controls.clone();
            tokio::select! {
                // Biased, so that a controller decides from all that is known.
                biased;
                change = changes.recv() => match change {
                    Some((kind, change)) => self.observe(kind, change),
                    None => return,
                },
                Ok(()) = controls.changed() => {
                    self.controls.mark_unchanged();
                    self.queue.clear();
                    self.consider(trigger::all(&self.cache));
                }
                () = wait => self.write_next().await,
                _ = resync.tick() => self.consider(trigger::all(&self.cache)),
            }
        }
    }

    fn observe(&mut self, kind: Kind, change: Change) {
        match change {
            Change::Listed(objects) => {
                self.cache.replace(kind, objects);
                let names = self.cache.all(ADDON).map(|(_, name, _)| name.to_owned());
                names.collect::<Vec<_>>().iter().for_each(|name| self.serve(name));
                self.consider(trigger::all(&self.cache));
            }
            Change::Applied(object) => self.apply(kind, object),
            Change::Deleted(object) => {
                if self.cache.remove(kind, &object) {
                    self.consider(trigger::triggered(&self.cache, kind, &object));
                }
            }
        }
    }

    fn apply(&mut self, kind: Kind, object: Value) {
        if !self.cache.apply(kind, object.clone()) {
            return;
        }
        if kind == ADDON {
            self.serve(object["metadata"]["name"].as_str().unwrap_or_default());
        }
        self.consider(trigger::triggered(&self.cache, kind, &object));
    }

    /// Starts to serve an add-on, if it has become one that is served.
    fn serve(&mut self, name: &str) {
        let Some(objects) = Objects::read(&self.cache, "", name) else { return };
        let is_served = self.with_view(&objects, |view| view.server().is_some());
        if is_served && self.served.insert(name.to_owned()) {
            self.consider(trigger::of_addon(&self.cache, name));
        }
    }

    /// Lets the controllers of these tasks decide, unless a decision of theirs waits already.
    fn consider(&mut self, tasks: Vec<Task>) {
        let mut known: Option<Objects> = None;
        for task in tasks.into_iter().filter(|task| !self.queue.contains(task)).collect::<Vec<_>>() {
            if !known.as_ref().is_some_and(|known| known.are_of(&task.cluster, &task.addon)) {
                known = Objects::read(&self.cache, &task.cluster, &task.addon);
            }
            let writes = known.as_ref().map(|objects| self.decide(&task, objects)).unwrap_or_default();
            if !writes.is_empty() {
                let creates = writes.iter().any(|write| matches!(write, Write::Create { .. }));
                let delay = self.controls.borrow().delays.of(task.controller, creates);
                self.queue.add(task, delay, writes);
            }
        }
    }

    fn decide(&self, task: &Task, objects: &Objects) -> Vec<Write> {
        self.with_view(objects, |of_addon| {
            if task.cluster.is_empty() {
                return addon::decide(task.controller, &of_addon);
            }
            let Some(cluster_addon) = &objects.cluster_addon else { return Vec::new() };
            let (cluster, name) = (task.cluster.as_str(), task.addon.as_str());
            cluster::decide(task.controller, &View { of_addon, cluster_addon, cluster, name })
        })
    }

    fn with_view<T>(&self, objects: &Objects, look: impl FnOnce(AddonView<'_>) -> T) -> T {
        let controls = self.controls.borrow();
        look(AddonView { cache: &self.cache, controls: &controls, now: (self.now)(), addon: &objects.addon })
    }

    /// Writes the next decision that is due. One of the past is written as it is: the hub refuses it if its object has changed.
    /// Works are rendered only when they are written.
    async fn write_next(&mut self) {
        let Some((task, decided)) = self.queue.pop(Instant::now()) else { return };
        let Some(objects) = Objects::read(&self.cache, &task.cluster, &task.addon) else { return };
        let writes = match task.controller {
            Controller::Deploy | Controller::Installation => self.decide(&task, &objects),
            _ => decided,
        };
        let (writes, status) = apart(task.controller, writes);
        let manager = self.manager(&task, &objects);
        let mut is_accepted = true;
        for write in writes {
            match self.writer.write(&manager, &write).await {
                Ok(Some((kind, object))) => self.apply(kind, object),
                Ok(None) => {}
                Err(_refused) => {
                    is_accepted = false;
                    break;
                }
            }
        }
        self.queue.record(&task, is_accepted);
        let (cluster, addon) = (task.cluster.clone(), task.addon.clone());
        if let (Some(status), true) = (status, is_accepted) {
            let status_task = Task::new(Controller::DeployStatus, &cluster, &addon);
            let delay = self.controls.borrow().delays.of(status_task.controller, false);
            self.queue.add(status_task, delay, vec![status]);
        }
        let again = if task.controller == Controller::DeployStatus { Controller::Deploy } else { task.controller };
        self.consider(vec![Task::new(again, &cluster, &addon)]);
    }

    /// Returns the field manager of a controller.
    fn manager(&self, task: &Task, objects: &Objects) -> String {
        let is_own = self.with_view(objects, |view| matches!(view.server(), Some(Server::Own(_))));
        match task.controller {
            Controller::AddonHashes
            | Controller::Lifecycle
            | Controller::ClusterHashes
            | Controller::Registration
            | Controller::DeployStatus
            | Controller::Deploy
                if is_own =>
            {
                format!("{}-manager", task.addon)
            }
            _ => FIELD_MANAGER.to_owned(),
        }
    }
}

/// Separates the works that the deploy controller writes from the status that it writes after them. The status waits for its turn, so
/// another controller may come first; the hub then refuses it.
fn apart(controller: Controller, mut writes: Vec<Write>) -> (Vec<Write>, Option<Write>) {
    let is_last_of_many = controller == Controller::Deploy && writes.len() > 1;
    let status = writes.pop_if(|last| is_last_of_many && matches!(last, Write::PatchStatus { .. }));
    (writes, status)
}
