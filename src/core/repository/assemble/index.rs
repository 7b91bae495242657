//! The objects of a revision, by the ways in which others refer to them.

use std::collections::BTreeMap;

use crate::read::object::Object;
use crate::reference::renames::Renames;
use crate::reference::target::Target;
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::plural;

/// The objects of a revision, indexed by the ways in which others refer to them.
pub(crate) struct Index<'a> {
    pub(crate) by_key: BTreeMap<&'a ObjectKey, &'a Object>,
    by_resource: BTreeMap<ConfigReference, &'a Object>,
    /// Objects that the overlay renamed without updating references.
    pub(crate) renames: Renames,
}

impl<'a> Index<'a> {
    pub(crate) fn new(objects: &'a [Object], renames: Renames) -> Self {
        let resource = |object: &'a Object| {
            let key = object.key.clone();
            let resource = plural(&key.kind);
            (ConfigReference { group: key.group, resource, namespace: key.namespace, name: key.name }, object)
        };
        // Of duplicates the first is kept. Both have a complaint, so neither is used.
        Self {
            by_key: objects.iter().rev().map(|object| (&object.key, object)).collect(),
            by_resource: objects.iter().rev().map(resource).collect(),
            renames,
        }
    }

    /// Returns the object that a reference points to.
    pub(crate) fn target(&self, target: &Target) -> Option<&'a Object> {
        match target {
            Target::Placement(name) => self.by_key.get(&object_key::placement(&name.namespace, &name.name)).copied(),
            Target::Configuration(reference) => self.by_resource.get(reference).copied(),
        }
    }

    /// Returns the names of all objects of the kind that a reference points to.
    pub(crate) fn names(&self, target: &Target) -> Vec<String> {
        let full = |object: &&Object| NamespacedName::new(&object.key.namespace, &object.key.name).to_string();
        match target {
            Target::Placement(_) => {
                let is_placement = |key: &ObjectKey| key.group == key::CLUSTER_GROUP && key.kind == "Placement";
                self.by_key.iter().filter(|(key, _)| is_placement(key)).map(|(_, object)| full(object)).collect()
            }
            Target::Configuration(wanted) => {
                let same = |known: &ConfigReference| known.group == wanted.group && known.resource == wanted.resource;
                self.by_resource.iter().filter(|(known, _)| same(known)).map(|(_, object)| full(object)).collect()
            }
        }
    }
}
