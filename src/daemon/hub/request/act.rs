//! Executes lanes of writes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kube::core::Request;
use kube::core::params::GetParams;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::call::{Answer, Call, Payload};
use super::list::find;
use super::read::get;
use super::write::{Prepared, Written, prepare};
use crate::hub::answer::within;
use crate::hub::error::Error;
use crate::hub::kind::resource::Resource;
use crate::hub::kind::watched::Shape;
use crate::hub::known::observed::Observed;
use crate::hub::metrics::Verb;
use crate::hub::session::Session;
use tidegate_api::key::{ADDON_NAME, APPLIED_HASH, ASSIGNMENT, CLUSTER_NAME, INSTANCE_LABEL, UNIT};
use tidegate_api::mark::Mark;
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::{GroupKind, ObjectKey};

/// A write that failed, which also ended its lane.
#[derive(Debug)]
pub struct Failure {
    /// The object; `None` if it had no identity.
    pub key: Option<ObjectKey>,
    /// The attempted operation.
    pub verb: Verb,
    /// Why it failed.
    pub error: Error,
}

/// The outcome of the lanes.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of writes that the hub accepted.
    pub written: usize,
    /// Writes of objects that had changed in the meantime: observe and decide again.
    pub conflicts: Vec<Failure>,
    /// Writes that failed, in no particular order.
    pub failures: Vec<Failure>,
    /// The objects of writes that were not sent, because this daemon may not write.
    pub unsent: BTreeSet<ObjectKey>,
    /// Whether the hub has asked for fewer requests.
    pub throttled: bool,
    /// Whether an object could neither be written nor read, so that it is not known what it is like.
    pub is_doubtful: bool,
}

impl Outcome {
    /// Returns the objects that could not be written.
    pub fn failed(&self) -> BTreeSet<ObjectKey> {
        let failed = self.failures.iter().chain(&self.conflicts).filter_map(|failure| failure.key.clone());
        failed.chain(self.unsent.iter().cloned()).collect()
    }

    /// Adds the outcome of other lanes.
    pub fn add(&mut self, other: Self) {
        let Self { written, conflicts, failures, unsent, throttled, is_doubtful } = other;
        self.written += written;
        self.conflicts.extend(conflicts);
        self.failures.extend(failures);
        self.unsent.extend(unsent);
        self.throttled |= throttled;
        self.is_doubtful |= is_doubtful;
    }
}

/// Executes lanes, stage by stage.
pub(in crate::hub) async fn act(session: &Arc<Session>, lanes: Vec<Lane>, concurrency: usize) -> Outcome {
    let mut stages: BTreeMap<Stage, Vec<Lane>> = BTreeMap::new();
    for lane in lanes {
        stages.entry(lane.stage).or_default().push(lane);
    }
    let mut outcome = Outcome::default();
    for lanes in stages.into_values() {
        let workers = concurrency.min(lanes.len());
        let queue = Arc::new(Mutex::new(lanes.into_iter()));
        // Dropping the set ends its workers, and with them the requests under way.
        let mut tasks = JoinSet::new();
        for _ in 0..workers {
            let worker = Worker { session: Arc::clone(session), outcome: Outcome::default() };
            tasks.spawn(worker.run(Arc::clone(&queue)));
        }
        while let Some(done) = tasks.join_next().await {
            match done {
                Ok(done) => outcome.add(done),
                Err(error) => {
                    if let Ok(panic) = error.try_into_panic() {
                        std::panic::resume_unwind(panic);
                    }
                }
            }
        }
    }
    outcome
}

/// What follows a write in its lane.
enum Next {
    /// The next write.
    Continue,
    /// Nothing: the writes after one that failed are not due.
    End,
    /// Nothing: no write may be sent.
    Unsent,
}

struct Worker {
    session: Arc<Session>,
    outcome: Outcome,
}

impl Worker {
    async fn run(mut self, queue: Arc<Mutex<std::vec::IntoIter<Lane>>>) -> Outcome {
        loop {
            let Some(lane) = queue.lock().next() else { return self.outcome };
            let mut written = Written::default();
            let mut writes = lane.writes.into_iter();
            while let Some(write) = writes.next() {
                match self.write(write, &mut written).await {
                    Next::Continue => {}
                    Next::End => break,
                    Next::Unsent => self.outcome.unsent.extend(writes.by_ref().filter_map(|write| write.key())),
                }
            }
        }
    }

    /// Performs one write, if this daemon may write.
    async fn write(&mut self, write: Write, written: &mut Written) -> Next {
        let (key, verb) = (write.key(), Verb::of(&write));
        if !self.session.guard.may_write() {
            self.outcome.unsent.extend(key);
            return Next::Unsent;
        }
        let result = match prepare(&self.session, write, written) {
            Ok(prepared) => self.send(prepared, written).await,
            Err(error) => Err(error),
        };
        if let (Err(error), Some(key)) = (&result, &key)
            && error.leaves_doubt()
        {
            self.read_back(key).await;
        }
        match result {
            Ok(continues) => {
                self.outcome.written += 1;
                if continues { Next::Continue } else { Next::End }
            }
            Err(error) if error.is_conflict() => {
                self.session.metrics.conflicts.inc();
                self.outcome.conflicts.push(Failure { key, verb, error });
                Next::End
            }
            Err(Error::Unsent { .. }) => {
                self.outcome.unsent.extend(key);
                Next::Unsent
            }
            Err(error) => {
                self.outcome.failures.push(Failure { key, verb, error });
                Next::End
            }
        }
    }

    /// Reads an object that may have been written, so that the next snapshot contains it as it is. Watches deliver it as well, but not before
    /// the next decision.
    async fn read_back(&mut self, key: &ObjectKey) {
        let Ok(resource) = self.session.resource(&GroupKind::of(key)) else { return };
        let name = NamespacedName::new(&key.namespace, &key.name);
        let known = self.session.read(|state| state.uid(&resource.kind, &name));
        match find(&self.session, &resource, &name).await {
            Ok(Some(object)) => self.session.report(|state| state.apply(object)),
            Ok(None) => {
                if let Some(uid) = known {
                    self.session.report(|state| state.forget(&resource.kind, &name, &uid));
                }
            }
            Err(_) => self.outcome.is_doubtful = true,
        }
    }

    /// Sends one call; returns `true` if the lane continues.
    async fn send(&mut self, prepared: Prepared, written: &mut Written) -> Result<bool, Error> {
        let Prepared { key, resource, call, upon, must_be_marked } = prepared;
        if must_be_marked {
            self.check_mark(&key, &call).await?;
        }
        let mut result = self.call(&call).await;
        if self.lacks_namespace(&result, &call.body, &key) {
            self.make_namespace(&key.namespace).await?;
            result = self.call(&call).await;
        }
        if let (Err(error), Payload::Create(work)) = (&result, &call.body)
            && error.is_conflict()
            && Shape::of(&resource.kind) == Shape::Work
            && self.relabel(&call, work).await?
        {
            self.session.metrics.wrote(Verb::Patch, &resource.kind);
            return Ok(false);
        }
        let answer = match (result, &call.body) {
            (Err(error), Payload::Delete(_)) if error.is_missing() => None,
            (Err(error), _) => return Err(error),
            (Ok(answer), _) => Some(answer),
        };
        self.session.metrics.wrote(call.verb(), &resource.kind);
        match answer {
            // The answer to a deletion is the object as long as finalizers keep it, else a status.
            Some(answer) if answer.pointer("/metadata/name").is_some() => {
                written.note(key, upon, &answer);
                self.observe(&resource, &call.body, answer);
            }
            _ => self.forget(&key, upon.as_ref()),
        }
        Ok(true)
    }

    /// Refuses an object that the hub has without a mark. One that has lost its mark, and was written with the same content, passes.
    async fn check_mark(&self, key: &ObjectKey, call: &Call) -> Result<(), Error> {
        let Some(found) = get(&self.session, &call.path, &call.name, format!("reading {key}")).await? else {
            return Ok(());
        };
        let Payload::Apply(wanted) = &call.body else { return Ok(()) };
        let hash = |object: &Value| object["metadata"]["annotations"][APPLIED_HASH].as_str().map(str::to_owned);
        let is_same = hash(&found).is_some() && hash(&found) == hash(wanted);
        let mark = Mark::of_object(&found);
        let is_ours = mark.is_some() && mark == Mark::of_object(wanted);
        if is_same || is_ours { Ok(()) } else { Err(Error::Unmarked { key: key.clone() }) }
    }

    async fn call(&mut self, call: &Call) -> Result<Value, Error> {
        let Answer { result, throttled } = call.send(&self.session.client, &self.session.metrics).await;
        self.outcome.throttled |= throttled;
        result
    }

    /// Returns `true` if an object of a cluster could not be created because the namespace of the cluster does not exist.
    fn lacks_namespace(&self, result: &Result<Value, Error>, body: &Payload, key: &ObjectKey) -> bool {
        let Err(Error::Refused { code: 404, about, .. }) = result else { return false };
        about == "namespaces"
            && matches!(body, Payload::Create(_))
            && self.session.read(|state| state.fleet().clusters.contains_key(key.namespace.as_str()))
    }

    /// Creates the namespace of a cluster as registration would. Another client may create it at the same time.
    async fn make_namespace(&mut self, name: &str) -> Result<(), Error> {
        let namespace = json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": { "name": name, "labels": { CLUSTER_NAME: name } },
        });
        let call = Call {
            what: format!("creating Namespace {name}"),
            path: "/api/v1/namespaces".to_owned(),
            name: name.to_owned(),
            body: Payload::Create(namespace),
        };
        match self.call(&call).await {
            Ok(_) => {
                self.session.metrics.wrote(Verb::Create, &GroupKind::new("", "Namespace"));
                Ok(())
            }
            Err(error) if error.is_conflict() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Restores the labels of an existing work that lost them, so that the watch delivers it and its content is compared.
    /// Works are watched by a label, and anyone who removes it hides the work. A work with the label of an add-on or of another instance is
    /// left alone, and so is a work whose annotation names another unit. Returns `true` if the work was labeled.
    async fn relabel(&mut self, call: &Call, wanted: &Value) -> Result<bool, Error> {
        let Ok(request) = Request::new(&call.path).get(&call.name, &GetParams::default()) else { return Ok(false) };
        let what = format!("reading ManifestWork {}", call.name);
        let found: Value = within(what, self.session.client.request(request)).await?;
        let metadata = &found["metadata"];
        let has = |label: &str| !metadata["labels"][label].is_null();
        let is_same = |of: &str, name: &str| metadata[of][name] == wanted["metadata"][of][name];
        // The name of a work of an application does not show that it is one, and it may have the label of its instance.
        let is_other = has(INSTANCE_LABEL) && !is_same("labels", INSTANCE_LABEL);
        if has(ADDON_NAME) || is_other || !is_same("annotations", UNIT) {
            return Ok(false);
        }
        let labels = &wanted["metadata"]["labels"];
        let mut patch = json!({ "metadata": { "labels": labels, "resourceVersion": metadata["resourceVersion"] } });
        if !has(INSTANCE_LABEL) && !wanted["metadata"]["annotations"][UNIT].is_null() {
            // Without a mark, nothing vouches for what it says about its cluster.
            patch["metadata"]["annotations"] = json!({ ASSIGNMENT: null });
        }
        let what = format!("labeling ManifestWork {}", call.name);
        let call = Call { what, path: call.path.clone(), name: call.name.clone(), body: Payload::Merge(patch) };
        self.call(&call).await.map(|_| true)
    }

    /// Feeds the answer to a write into the state, so that the next snapshot contains what was written.
    fn observe(&self, resource: &Resource, body: &Payload, answer: Value) {
        // A declared object may be written in a different version from the one in which its kind is watched; then the watch
        // delivers it.
        if answer.get("apiVersion").and_then(Value::as_str) != Some(resource.api_version().as_str()) {
            return;
        }
        let Some(object) = Observed::read(&resource.kind, answer) else { return };
        self.session.report(|state| match body {
            Payload::Apply(_) | Payload::Create(_) => state.apply(object),
            Payload::Merge(_) | Payload::MergeStatus(_) | Payload::Replace(..) | Payload::Delete(_) => {
                state.amend(object);
            }
        });
    }

    fn forget(&self, key: &ObjectKey, upon: Option<&Precondition>) {
        let name = NamespacedName::new(&key.namespace, &key.name);
        if let Some(Precondition { uid, .. }) = upon {
            self.session.report(|state| state.forget(&GroupKind::of(key), &name, uid));
        }
    }
}
