//! A hub that has the objects of the example repository, as an API server returns them.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Loaded, load};

/// Returns the example repository.
pub(super) fn examples() -> Loaded {
    load(&crate::example_tree::tree(), "")
}

/// Returns the objects of the examples that a hub has, without the kinds that are not read.
pub(super) fn objects() -> Vec<Value> {
    let objects = examples().repository.objects;
    let read = objects.values().filter(|declared| {
        let group = declared.object["apiVersion"].as_str().unwrap().split('/').next().unwrap();
        group.ends_with("open-cluster-management.io")
    });
    read.map(|declared| served(&declared.object)).collect()
}

/// Returns an object with what a server, OCM and kubectl add to it.
pub(super) fn served(declared: &Value) -> Value {
    let mut object = declared.clone();
    let metadata = object["metadata"].as_object_mut().unwrap();
    let added = json!({
        "uid": "6f7b", "resourceVersion": "12", "generation": 3, "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{ "manager": "kubectl", "operation": "Update" }], "finalizers": ["example.com/wait"],
        "ownerReferences": [{ "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "b" }],
    });
    metadata.extend(added.as_object().unwrap().clone());
    metadata.insert("labels".to_owned(), json!({ "team": "a" }));
    metadata.insert("annotations".to_owned(), json!({ "kubectl.kubernetes.io/last-applied-configuration": "{}" }));
    object
}

fn read<T: DeserializeOwned>(object: &Value) -> Arc<T> {
    Arc::new(serde_json::from_value(object.clone()).unwrap())
}

/// Returns the fleet of a hub with these objects.
pub(super) fn fleet(objects: impl IntoIterator<Item = Value>) -> Fleet {
    let mut fleet = Fleet::default();
    for object in objects {
        let key = ObjectKey::of(&object).unwrap();
        match key.kind.as_str() {
            "ClusterManagementAddOn" => drop(fleet.addons.insert(key.name.parse().unwrap(), read(&object))),
            "Placement" => {
                drop(fleet.placements.insert(NamespacedName::new(&key.namespace, &key.name), read(&object)));
            }
            "ManagedClusterAddOn" => {
                let clusters = fleet.cluster_addons.entry(key.name.parse().unwrap()).or_default();
                clusters.insert(key.namespace.parse().unwrap(), read(&object));
                continue;
            }
            _ => {}
        }
        fleet.declared.insert(key, Arc::new(object));
    }
    fleet
}
