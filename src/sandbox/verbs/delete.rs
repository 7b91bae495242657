//! Deletion: at once, or after the finalizers.

use std::sync::Arc;

use serde_json::{Value, json};

use super::namespace;
use super::transaction::{Task, Transaction, writable};
use crate::sandbox::object::{self, FOREGROUND, ORPHAN};
use crate::sandbox::refusal::Refusal;
use crate::sandbox::request::{DeleteOptions, Propagation, Selector, Target};

/// What became of an object that was to be deleted.
#[derive(Debug, Clone)]
pub(crate) enum Deleted {
    /// It is gone.
    Gone {
        /// Its uid.
        uid: String,
    },
    /// It waits for its finalizers.
    Waiting(Arc<Value>),
}

impl Transaction<'_> {
    /// Deletes an object.
    ///
    /// # Errors
    /// If it is not there or not as the preconditions want it.
    pub(crate) fn delete(&mut self, target: &Target, name: &str, options: &DeleteOptions) -> Result<Deleted, Refusal> {
        writable(target)?;
        let live = self.live(target, name)?;
        check_preconditions(target, &live, options)?;
        let marked = self.marked(target, &live, options.propagation);
        let uid = object::text(&live, "uid").to_owned();
        let waits = !object::finalizers(&marked).is_empty() || namespace::is_namespace(target);
        match (waits, options.dry_run) {
            (false, true) => Ok(Deleted::Gone { uid }),
            (false, false) => {
                self.remove(&target.place(name));
                Ok(Deleted::Gone { uid })
            }
            (true, true) => Ok(Deleted::Waiting(Arc::new(marked))),
            (true, false) if marked == *live => Ok(Deleted::Waiting(live)),
            (true, false) => {
                let stored = self.put(target, name, &marked);
                if namespace::is_namespace(target) {
                    self.tasks.push_back(Task::Namespace(name.to_owned()));
                }
                Ok(Deleted::Waiting(target.kind.present(&stored, &target.version)))
            }
        }
    }

    /// Deletes the objects of a target that a selector means, and returns them as they were.
    ///
    /// # Errors
    /// The first refusal; what was deleted until then stays deleted.
    pub(crate) fn delete_collection(
        &mut self,
        target: &Target,
        selector: &Selector,
        options: &DeleteOptions,
    ) -> Result<Vec<Arc<Value>>, Refusal> {
        writable(target)?;
        let objects = self.store.objects(target.kind.index, &target.namespace).map(|(_, object)| object);
        let meant: Vec<Arc<Value>> = objects.filter(|object| selector.matches(object)).cloned().collect();
        for object in &meant {
            self.delete(target, object::text(object, "name"), options)?;
        }
        Ok(meant.iter().map(|object| target.kind.present(object, &target.version)).collect())
    }

    /// Returns an object as it is while it waits for its deletion.
    fn marked(&self, target: &Target, live: &Value, propagation: Propagation) -> Value {
        let mut marked = live.clone();
        let finalizer = match propagation {
            Propagation::Background => None,
            Propagation::Foreground => Some(FOREGROUND),
            Propagation::Orphan => Some(ORPHAN),
        };
        if let Some(finalizer) = finalizer.filter(|finalizer| !object::finalizers(live).contains(finalizer)) {
            let mut finalizers = object::finalizers(live);
            finalizers.push(finalizer);
            object::set(&mut marked, "finalizers", Some(json!(finalizers)));
        }
        if !object::is_being_deleted(live) {
            object::set(&mut marked, "deletionTimestamp", Some(self.timestamp()));
            if namespace::is_namespace(target) {
                marked["status"] = json!({ "phase": "Terminating" });
                return marked;
            }
            object::set(&mut marked, "deletionGracePeriodSeconds", Some(json!(0)));
            if target.kind.custom {
                let generation = object::metadata(live, "generation").and_then(Value::as_u64).unwrap_or(0);
                object::set(&mut marked, "generation", Some(json!(generation + 1)));
            }
        }
        marked
    }
}

fn check_preconditions(target: &Target, live: &Value, options: &DeleteOptions) -> Result<(), Refusal> {
    let name = object::text(live, "name");
    let refuse = |what: &str, expected: &str, found: &str, hint: &str| {
        let why = format!(
            "the {what} in the precondition ({expected}) does not match the {what} in record ({found}). The object might have been {hint}"
        );
        Err(Refusal::unexpected(&target.kind, name, &why))
    };
    let (uid, revision) = (object::text(live, "uid"), object::text(live, "resourceVersion"));
    match (&options.uid, &options.resource_version) {
        (Some(expected), _) if expected != uid => refuse("UID", expected, uid, "deleted and then recreated"),
        (_, Some(expected)) if expected != revision => refuse("ResourceVersion", expected, revision, "modified"),
        _ => Ok(()),
    }
}
