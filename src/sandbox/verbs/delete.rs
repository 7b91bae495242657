//! Deletion of objects: immediately, or after their finalizers.

use std::sync::Arc;

use serde_json::{Value, json};

use super::list::{Page, list};
use super::transaction::{Task, Transaction, writable};
use crate::api_error::ApiError;
use crate::object::{self, FOREGROUND, ORPHAN};
use crate::request::{DeleteOptions, ListOptions, Propagation, Target};
use crate::verbs::core_kinds::strategy;
use crate::verbs::lifecycle::namespace;

/// The result of a deletion.
#[derive(Debug, Clone)]
pub(crate) enum Deleted {
    /// The object is gone.
    Gone {
        /// Its UID.
        uid: String,
    },
    /// The object is gone; this is its last state.
    Last(Arc<Value>),
    /// The object waits for its finalizers.
    Waiting(Arc<Value>),
}

impl Transaction<'_> {
    /// Deletes an object.
    ///
    /// # Errors
    /// If it does not exist, or does not meet the preconditions.
    pub(crate) fn delete(&mut self, target: &Target, name: &str, options: &DeleteOptions) -> Result<Deleted, ApiError> {
        writable(target)?;
        namespace::may_be_deleted(target, name)?;
        let live = self.live(target, name)?;
        check_preconditions(target, &live, options)?;
        let marked = self.marked(target, &live, options.propagation);
        let uid = object::text(&live, "uid").to_owned();
        let waits = !object::finalizers(&marked).is_empty() || namespace::is_used(target, &live);
        if waits && (marked == *live || options.dry_run) {
            return Ok(Deleted::Waiting(if options.dry_run { Arc::new(marked) } else { live }));
        }
        if waits {
            let stored = self.put(target, name, marked);
            if namespace::is_namespace(target) {
                self.tasks.push_back(Task::Namespace(name.to_owned()));
            }
            return Ok(Deleted::Waiting(target.kind.present(&stored, &target.version)));
        }
        if !options.dry_run {
            self.remove(&target.place(name));
        }
        Ok(if strategy::returns_deleted(target) { Deleted::Last(live) } else { Deleted::Gone { uid } })
    }

    /// Deletes the objects of a target that the list options select, and returns the list.
    ///
    /// # Errors
    /// The first error; objects that were deleted before it stay deleted.
    pub(crate) fn delete_collection(
        &mut self,
        target: &Target,
        list_options: &ListOptions,
        options: &DeleteOptions,
    ) -> Result<Page, ApiError> {
        writable(target)?;
        let page = list(self.store, target, list_options)?;
        for object in &page.items {
            match self.delete(target, object::text(&object.value(), "name"), options) {
                Err(error) if error.code != 404 => return Err(error),
                _ => {}
            }
        }
        Ok(page)
    }

    /// Returns an object marked for deletion: with deletion timestamp, and with the finalizer of the propagation policy.
    fn marked(&self, target: &Target, live: &Value, propagation: Propagation) -> Value {
        let mut marked = live.clone();
        let held = object::finalizers(live);
        let wanted = match propagation {
            _ if namespace::is_namespace(target) => None,
            Propagation::Unsaid => [ORPHAN, FOREGROUND].into_iter().find(|finalizer| held.contains(finalizer)),
            Propagation::Background => None,
            Propagation::Foreground => Some(FOREGROUND),
            Propagation::Orphan => Some(ORPHAN),
        };
        let others = held.iter().copied().filter(|finalizer| ![ORPHAN, FOREGROUND].contains(finalizer));
        let finalizers: Vec<&str> = others.chain(wanted).collect();
        let is_same = finalizers.len() == held.len() && finalizers.iter().all(|finalizer| held.contains(finalizer));
        if !is_same && !namespace::is_namespace(target) {
            object::set(&mut marked, "finalizers", (!finalizers.is_empty()).then(|| json!(finalizers)));
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

fn check_preconditions(target: &Target, live: &Value, options: &DeleteOptions) -> Result<(), ApiError> {
    let name = object::text(live, "name");
    let refuse = |what: &str, expected: &str, found: &str, hint: &str| {
        let why = format!(
            "the {what} in the precondition ({expected}) does not match the {what} in record ({found}). The object might have been {hint}"
        );
        Err(ApiError::unexpected(&target.kind, name, &why))
    };
    let (uid, revision) = (object::text(live, "uid"), object::text(live, "resourceVersion"));
    match (&options.uid, &options.resource_version) {
        (Some(expected), _) if expected != uid => refuse("UID", expected, uid, "deleted and then recreated"),
        (_, Some(expected)) if expected != revision => refuse("ResourceVersion", expected, revision, "modified"),
        _ => Ok(()),
    }
}
