//! A hub in memory: it holds objects with versions and generations, carries out the writes of a plan, and shows the fleet.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::api::rbac::v1::RoleBinding;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_model::action::{Precondition, Write};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;

/// A write that the hub refused: the object has changed, no longer exists, or exists already.
#[derive(Debug)]
pub(crate) struct Conflict;

#[derive(Debug, Clone, Default)]
pub(crate) struct Hub {
    objects: BTreeMap<ObjectKey, Value>,
    fleet: Fleet,
    version: u64,
}

impl Hub {
    pub(crate) fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn object(&self, key: &ObjectKey) -> Option<&Value> {
        self.objects.get(key)
    }

    pub(crate) fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (&'a ObjectKey, &'a Value)> {
        self.objects.iter().filter(move |(key, _)| key.kind == kind)
    }

    /// Carries out one write.
    pub(crate) fn carry_out(&mut self, write: &Write) -> Result<(), Conflict> {
        match write {
            Write::Apply { object } => {
                self.apply(object.clone());
                Ok(())
            }
            Write::Declare { object } => {
                let marked = |object: &Value| Mark::of_object(object).is_some();
                let found = ObjectKey::of(object).and_then(|key| self.objects.get(&key).map(marked));
                if found == Some(false) { Err(Conflict) } else { self.apply(object.clone()).ok_or(Conflict).map(drop) }
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

    /// Creates an object, or replaces what its only writer wrote; its status and owners stay.
    pub(crate) fn apply(&mut self, object: Value) -> Option<()> {
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
    pub(crate) fn patch(&mut self, key: &ObjectKey, patch: &Value) {
        let Some(mut after) = self.objects.get(key).cloned() else { return };
        json_patch::merge(&mut after, patch);
        self.store(key.clone(), after);
    }

    fn store(&mut self, key: ObjectKey, mut after: Value) {
        let before = self.objects.get(&key);
        if before == Some(&after) {
            return;
        }
        self.version += 1;
        let generation = match before {
            None => {
                after["metadata"]["uid"] = json!(format!("uid-{}", self.version));
                1
            }
            Some(before) => {
                let generation = before["metadata"]["generation"].as_i64().unwrap_or(1);
                generation + i64::from(before.get("spec") != after.get("spec"))
            }
        };
        after["metadata"]["generation"] = json!(generation);
        after["metadata"]["resourceVersion"] = json!(self.version.to_string());
        place(&mut self.fleet, &key, Some(&after));
        self.objects.insert(key, after);
    }

    /// Deletes an object, and what it owns.
    pub(crate) fn delete(&mut self, key: &ObjectKey) {
        let Some(object) = self.objects.remove(key) else { return };
        place(&mut self.fleet, key, None);
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

/// Puts an object into the part of the fleet that holds its kind, or removes it.
fn place(fleet: &mut Fleet, key: &ObjectKey, object: Option<&Value>) {
    let name = || NamespacedName::new(&key.namespace, &key.name);
    let is_owned = |object: &&Value| object["metadata"]["labels"][key::OWNED_LABEL] == "true";
    let keeps_json = ["ClusterManagementAddOn", "AddOnTemplate", "AddOnDeploymentConfig", "Placement"];
    let json = object.filter(|object| keeps_json.contains(&key.kind.as_str()) || is_owned(object)).cloned();
    set(&mut fleet.declared, key.clone(), json.map(Arc::new));
    match key.kind.as_str() {
        "ManagedCluster" => set(&mut fleet.clusters, key.name.parse().unwrap(), read(object)),
        "ManagedClusterSet" => set(&mut fleet.cluster_sets, key.name.clone(), read(object)),
        "ManagedClusterSetBinding" => set(&mut fleet.cluster_set_bindings, name(), read(object)),
        "Placement" => set(&mut fleet.placements, name(), read(object)),
        "PlacementDecision" => set(&mut fleet.decisions, name(), read(object)),
        "ClusterManagementAddOn" => set(&mut fleet.addons, key.name.parse().unwrap(), read(object)),
        "ManagedClusterAddOn" => {
            let clusters = fleet.cluster_addons.entry(key.name.parse().unwrap()).or_default();
            set(clusters, key.namespace.parse().unwrap(), read(object));
            fleet.cluster_addons.retain(|_, clusters| !clusters.is_empty());
        }
        "ManifestWork" => {
            for clusters in fleet.works.values_mut() {
                clusters.get_mut(key.namespace.as_str()).and_then(|works| works.remove(&key.name));
                clusters.retain(|_, works| !works.is_empty());
            }
            fleet.works.retain(|_, clusters| !clusters.is_empty());
            if let Some(object) = object {
                let addon = object["metadata"]["labels"][key::ADDON_NAME].as_str().unwrap();
                let clusters = fleet.works.entry(addon.parse().unwrap()).or_default();
                let works = clusters.entry(key.namespace.parse().unwrap()).or_default();
                set(works, key.name.clone(), read(Some(object)));
            }
        }
        "RoleBinding" => {
            let Some(binding) = read::<RoleBinding>(object) else {
                for namespaces in fleet.role_bindings.values_mut() {
                    namespaces.get_mut(&key.namespace).and_then(|bindings| bindings.remove(&key.name));
                }
                return;
            };
            let addon = binding.metadata.labels.as_ref().unwrap()[key::ADDON_NAME].parse().unwrap();
            let namespaces = fleet.role_bindings.entry(addon).or_default();
            namespaces.entry(key.namespace.clone()).or_default().insert(key.name.clone(), binding);
        }
        _ => {}
    }
}

fn set<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => drop(map.insert(key, value)),
        None => drop(map.remove(&key)),
    }
}

fn read<T: DeserializeOwned>(object: Option<&Value>) -> Option<Arc<T>> {
    let mut object = object?.clone();
    if object.get("spec").is_none() {
        object["spec"] = json!({});
    }
    Some(Arc::new(serde_json::from_value(object).unwrap()))
}
