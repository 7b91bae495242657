//! Garbage collection of dependents, and deletion of the contents of namespaces.
//!
//! In a real hub, controllers do this a moment later; here it happens at the end of the transaction.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::object::{self, FOREGROUND, ORPHAN};
use crate::request::{DeleteOptions, Target};
use crate::store::Place;
use crate::verbs::transaction::{Task, Transaction};

impl Transaction<'_> {
    /// Runs the tasks that the writes of this transaction caused. Terminates, because every step removes an object or a reason for
    /// another task.
    pub(crate) fn run_tasks(&mut self) {
        while let Some(task) = self.tasks.pop_front() {
            match task {
                Task::Ownership(place) => self.remove_if_orphaned(&place),
                Task::Dependants(place) => self.release_from_dependants(&place),
                Task::Namespace(name) => self.empty_namespace(&name),
            }
        }
    }

    fn remove_if_orphaned(&mut self, place: &Place) {
        let Some(object) = self.store.get(place) else { return };
        let owners: Vec<&str> = object::owners(&object).collect();
        if !owners.is_empty() && owners.iter().all(|uid| self.store.place_of(uid).is_none()) {
            self.delete_at(place);
        }
    }

    /// Processes the dependents of an object that is being deleted: a foreground deletion deletes them first, an orphaning deletion
    /// removes the owner reference.
    fn release_from_dependants(&mut self, place: &Place) {
        let Some(object) = self.store.get(place).filter(|object| object::is_being_deleted(object)) else {
            return;
        };
        let uid = object::text(&object, "uid");
        let finalizers = object::finalizers(&object);
        let dependants: Vec<Place> = self.store.dependants(uid).cloned().collect();
        if finalizers.contains(&ORPHAN) {
            for dependant in dependants {
                self.remove_owner(&dependant, uid);
            }
            self.end_finalizer(place, &object, ORPHAN);
        } else if finalizers.contains(&FOREGROUND) {
            for dependant in &dependants {
                self.delete_at(dependant);
            }
            // Dependents with their own finalizers queue this task again when they are gone.
            if self.store.dependants(uid).next().is_none() {
                self.end_finalizer(place, &object, FOREGROUND);
            }
        }
    }

    fn empty_namespace(&mut self, name: &str) {
        let Some(place) = self.namespace_place(name) else { return };
        if !self.store.get(&place).is_some_and(|namespace| object::is_being_deleted(&namespace)) {
            return;
        }
        let mut contents = Vec::new();
        for kind in self.catalog.kinds().iter().filter(|kind| kind.namespaced) {
            let objects = self.store.objects(kind.index, name);
            contents.extend(objects.map(|(key, object)| (Place::new(kind.index, key.clone()), object.clone())));
        }
        for (place, _) in contents.iter().filter(|(_, object)| !object::is_being_deleted(&object.value())) {
            self.delete_at(place);
        }
        if contents.is_empty() {
            self.remove(&place);
        }
    }

    fn target(&self, place: &Place) -> Option<Target> {
        let kind = self.catalog.kinds().get(place.kind)?.clone();
        let namespace = place.key.namespace().to_owned();
        Some(Target { version: kind.storage.clone(), kind, namespace, name: None, subresource: None })
    }

    pub(in crate::verbs) fn delete_at(&mut self, place: &Place) {
        if let Some(target) = self.target(place) {
            // This can only fail if the object is already gone.
            let _gone = self.delete(&target, place.key.name(), &DeleteOptions::own());
        }
    }

    fn remove_owner(&mut self, place: &Place, uid: &str) {
        let (Some(target), Some(object)) = (self.target(place), self.store.get(place)) else { return };
        let mut object = Arc::unwrap_or_clone(object);
        let owners = object::metadata(&object, "ownerReferences").and_then(Value::as_array);
        let others: Vec<Value> =
            owners.into_iter().flatten().filter(|owner| owner.get("uid") != Some(&json!(uid))).cloned().collect();
        object::set(&mut object, "ownerReferences", (!others.is_empty()).then(|| json!(others)));
        self.put(&target, place.key.name(), object);
    }

    pub(in crate::verbs) fn end_finalizer(&mut self, place: &Place, object: &Value, finalizer: &str) {
        let Some(target) = self.target(place) else { return };
        let left: Vec<&str> = object::finalizers(object).into_iter().filter(|name| *name != finalizer).collect();
        if left.is_empty() {
            self.remove(place);
            return;
        }
        let mut object = object.clone();
        object::set(&mut object, "finalizers", Some(json!(left)));
        self.put(&target, place.key.name(), object);
    }
}
