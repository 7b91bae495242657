//! A hub in memory: it holds objects with versions and generations, carries out the writes of a plan, and shows the fleet.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::mark::Mark;
use tidegate_model::action::{Precondition, Write};
use tidegate_model::object::ObjectKey;

use super::place::Placed;

/// A write that the hub refused: the object has changed, no longer exists, or exists already.
#[derive(Debug)]
pub struct Conflict;

/// A change of an object, as a watch delivers it.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// Counts the changes of the hub.
    pub(super) version: u64,
    pub(super) key: ObjectKey,
    pub(super) placed: Arc<Placed>,
}

/// The objects of a hub.
#[derive(Debug, Clone, Default)]
pub struct Hub {
    pub(super) objects: BTreeMap<ObjectKey, Arc<Value>>,
    pub(super) fleet: Fleet,
    version: u64,
    /// By kind: what watches deliver.
    pub(super) changes: BTreeMap<String, Vec<Change>>,
    /// By object: its last change.
    pub(super) versions: BTreeMap<ObjectKey, (u64, Arc<Placed>)>,
}

impl Hub {
    /// Returns the fleet.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// Returns the number of changes so far.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns an object.
    pub fn object(&self, key: &ObjectKey) -> Option<&Value> {
        self.objects.get(key).map(|object| &**object)
    }

    /// Returns the objects of a kind.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (&'a ObjectKey, &'a Value)> {
        self.objects.iter().filter(move |(key, _)| key.kind == kind).map(|(key, object)| (key, &**object))
    }

    /// Carries out one write.
    ///
    /// # Errors
    /// [`Conflict`]; nothing has changed.
    pub fn carry_out(&mut self, write: &Write) -> Result<(), Conflict> {
        match write {
            Write::Apply { object } => {
                self.apply(object.clone());
                Ok(())
            }
            Write::Declare { object } => {
                let marked = |object: &Arc<Value>| Mark::of_object(object).is_some();
                let found = ObjectKey::of(object).and_then(|key| self.objects.get(&key).map(marked));
                if found == Some(false) { Err(Conflict) } else { self.apply(object.clone()).ok_or(Conflict) }
            }
            Write::Create { object } => {
                let is_there = object.key.as_ref().is_none_or(|key| self.objects.contains_key(key));
                if is_there { Err(Conflict) } else { self.apply(object.json.value()).ok_or(Conflict) }
            }
            Write::Patch { key, precondition, patch } => {
                self.expected(key, Some(precondition))?;
                self.patch(key, &patch.value());
                Ok(())
            }
            Write::PatchStatus { key, precondition, status } => {
                self.expected(key, precondition.as_ref())?;
                self.patch(key, &json!({ "status": status.value() }));
                Ok(())
            }
            Write::Replace { object, .. } => {
                let key = ObjectKey::of(object).ok_or(Conflict)?;
                let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
                let (uid, resource_version) = (text("uid"), Some(text("resourceVersion")));
                self.expected(&key, Some(&Precondition { uid, resource_version }))?;
                self.patch(&key, &json!({ "status": object["status"] }));
                Ok(())
            }
            Write::Delete { key, precondition } => {
                if self.objects.contains_key(key) {
                    self.expected(key, Some(precondition))?;
                    self.delete(key);
                }
                Ok(())
            }
        }
    }

    fn expected(&self, key: &ObjectKey, precondition: Option<&Precondition>) -> Result<(), Conflict> {
        let metadata = self.objects.get(key).ok_or(Conflict)?.get("metadata").ok_or(Conflict)?;
        let is = |member: &str, wanted: &str| metadata.get(member).and_then(Value::as_str) == Some(wanted);
        let holds = precondition.is_none_or(|Precondition { uid, resource_version }| {
            is("uid", uid) && resource_version.as_ref().is_none_or(|version| is("resourceVersion", version))
        });
        if holds { Ok(()) } else { Err(Conflict) }
    }

    /// Creates an object, or replaces what its only writer wrote; its status and owners stay. `None` if it has no identity.
    pub fn apply(&mut self, object: Value) -> Option<()> {
        let key = ObjectKey::of(&object)?;
        let mut after = object;
        if let Some(before) = self.objects.get(&key) {
            for member in ["uid", "resourceVersion", "generation", "ownerReferences"] {
                if let Some(value) = before["metadata"].get(member) {
                    after["metadata"][member] = value.clone();
                }
            }
            if let Some(status) = before.get("status") {
                after["status"] = status.clone();
            }
        }
        self.store(key, after);
        Some(())
    }

    /// Merges a patch into an object, if it exists.
    pub fn patch(&mut self, key: &ObjectKey, patch: &Value) {
        let Some(mut after) = self.object(key).cloned() else { return };
        json_patch::merge(&mut after, patch);
        self.store(key.clone(), after);
    }

    fn store(&mut self, key: ObjectKey, mut after: Value) {
        let before = self.object(&key);
        if before == Some(&after) {
            return;
        }
        let version = self.version + 1;
        let generation = match before {
            None => {
                after["metadata"]["uid"] = json!(format!("uid-{version}"));
                1
            }
            Some(before) => {
                let generation = before["metadata"]["generation"].as_i64().unwrap_or(1);
                generation + i64::from(before.get("spec") != after.get("spec"))
            }
        };
        after["metadata"]["generation"] = json!(generation);
        after["metadata"]["resourceVersion"] = json!(version.to_string());
        let after = Arc::new(after);
        self.objects.insert(key.clone(), after.clone());
        self.note(key, Some(after));
    }

    fn note(&mut self, key: ObjectKey, object: Option<Arc<Value>>) {
        self.version += 1;
        let placed = Arc::new(Placed::of(&key, object.as_ref()));
        placed.put(&mut self.fleet, &key);
        self.versions.insert(key.clone(), (self.version, placed.clone()));
        let change = Change { version: self.version, key, placed };
        self.changes.entry(change.key.kind.clone()).or_default().push(change);
    }

    /// Deletes an object, and what it owns.
    pub fn delete(&mut self, key: &ObjectKey) {
        let Some(object) = self.objects.remove(key) else { return };
        self.note(key.clone(), None);
        let uid = &object["metadata"]["uid"];
        let is_owned = |object: &Value| {
            let owners = object.pointer("/metadata/ownerReferences").and_then(Value::as_array);
            owners.into_iter().flatten().any(|owner| owner["uid"] == *uid)
        };
        let owned = self.objects.iter().filter(|(_, object)| is_owned(object)).map(|(key, _)| key.clone());
        for key in owned.collect::<Vec<_>>() {
            self.delete(&key);
        }
    }
}
