//! The objects of the hub as last observed.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::manifest_work::ManifestWork;

use crate::upstream::hub::kind::{Kind, WORK};

/// The objects of one kind, by namespace and name.
type Objects = BTreeMap<(String, String), Value>;

/// The objects of the hub as last observed, from watches and from the answers to writes.
#[derive(Debug, Default)]
pub(in crate::upstream) struct Cache(BTreeMap<Kind, Objects>);

impl Cache {
    /// Takes over an object, unless a newer version of it is known. Returns `true` if it was taken over.
    pub(in crate::upstream) fn apply(&mut self, kind: Kind, object: Value) -> bool {
        let objects = self.0.entry(kind).or_default();
        let name = name_of(&object);
        let is_newer = objects.get(&name).is_none_or(|known| revision(known) < revision(&object));
        if is_newer {
            objects.insert(name, object);
        }
        is_newer
    }

    /// Removes an object, unless a newer one with this name is known. Returns `true` if it was removed.
    pub(in crate::upstream) fn remove(&mut self, kind: Kind, object: &Value) -> bool {
        let objects = self.0.entry(kind).or_default();
        let name = name_of(object);
        let is_current = objects.get(&name).is_some_and(|known| revision(known) <= revision(object));
        is_current && objects.remove(&name).is_some()
    }

    /// Replaces all objects of a kind after a new list.
    pub(in crate::upstream) fn replace(&mut self, kind: Kind, listed: Vec<Value>) {
        self.0.insert(kind, listed.into_iter().map(|object| (name_of(&object), object)).collect());
    }

    /// Returns an object; `namespace` is empty for a cluster-scoped one.
    pub(in crate::upstream) fn get(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Value> {
        self.0.get(&kind)?.get(&(namespace.to_owned(), name.to_owned()))
    }

    /// Returns an object as a type; `None` if it does not exist or cannot be read.
    pub(in crate::upstream) fn read<T: DeserializeOwned>(&self, kind: Kind, namespace: &str, name: &str) -> Option<T> {
        T::deserialize(self.get(kind, namespace, name)?).ok()
    }

    /// Iterates over the objects of a kind, with namespace and name.
    pub(in crate::upstream) fn all(&self, kind: Kind) -> impl Iterator<Item = (&str, &str, &Value)> {
        let objects = self.0.get(&kind).into_iter().flatten();
        objects.map(|((namespace, name), object)| (namespace.as_str(), name.as_str(), object))
    }

    /// Returns the configuration that a reference names, if it is of one of these kinds.
    pub(in crate::upstream) fn config(&self, kinds: &[Kind], reference: &ConfigReference) -> Option<&Value> {
        let kind = kinds.iter().find(|kind| kind.group == reference.group && kind.plural == reference.resource)?;
        self.get(*kind, &reference.namespace, &reference.name)
    }

    /// Returns the works of an add-on in the namespace of its cluster, by name.
    pub(in crate::upstream) fn works(&self, cluster: &str, addon: &str) -> BTreeMap<String, Arc<ManifestWork>> {
        let objects = self.0.get(&WORK).into_iter();
        let objects = objects.flat_map(|objects| objects.range((cluster.to_owned(), String::new())..));
        let of_cluster = objects.take_while(|((namespace, _), _)| namespace == cluster);
        let of_addon = of_cluster.filter(|(_, work)| work["metadata"]["labels"][key::ADDON_NAME] == addon);
        of_addon
            .filter_map(|((_, name), work)| Some((name.clone(), Arc::new(serde::Deserialize::deserialize(work).ok()?))))
            .collect()
    }
}

/// Returns namespace and name of an object.
pub(in crate::upstream) fn name_of(object: &Value) -> (String, String) {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
    (text("namespace"), text("name"))
}

/// Returns the revision of an object, which the embedded hub counts.
fn revision(object: &Value) -> u64 {
    object["metadata"]["resourceVersion"].as_str().and_then(|revision| revision.parse().ok()).unwrap_or_default()
}
