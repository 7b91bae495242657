//! Objects that an overlay renamed, which can explain a dangling reference.

use std::collections::BTreeMap;

use crate::reference::target::Target;
use tidegate_api::key;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_kustomize::overlay::RenderedObject;
use tidegate_model::name::NamespacedName;
use tidegate_model::plural::plural;

/// Maps the names that objects had before an overlay renamed or moved them to their new names.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    present: BTreeMap<ConfigReference, NamespacedName>,
}

impl Renames {
    pub(crate) fn of(rendered: &[RenderedObject]) -> Self {
        let mut present = BTreeMap::new();
        for object in rendered {
            let text =
                |member| object.node.find(&["metadata", member]).and_then(tidegate_kustomize::yaml::Node::as_str);
            let Some(name) = text("name") else { continue };
            for id in &object.previous {
                let known = wanted(id.group(), &plural(&id.kind), &id.namespace, &id.name);
                let namespace = if known.namespace.is_empty() { None } else { text("namespace") };
                let now = NamespacedName::new(namespace.unwrap_or_default(), name);
                present.entry(known).or_insert(now);
            }
        }
        Self { present }
    }

    /// Returns the remedy for a reference to something that was renamed.
    pub(crate) fn hint(&self, target: &Target) -> Option<String> {
        let key = match target {
            Target::Placement(name) => wanted(key::CLUSTER_GROUP, "placements", &name.namespace, &name.name),
            Target::Configuration(wants) => wanted(&wants.group, &wants.resource, &wants.namespace, &wants.name),
        };
        self.present.get(&key).map(hint)
    }

    /// Returns the remedy for a reference to a cluster set that was renamed.
    pub(crate) fn hint_of_set(&self, set: &str) -> Option<String> {
        self.present.get(&wanted(key::CLUSTER_GROUP, "managedclustersets", "", set)).map(hint)
    }
}

fn hint(now: &NamespacedName) -> String {
    format!(
        "the overlay renames it to {now}, but not in references; write ocm_references = true in section [render] of tidegate.toml"
    )
}

/// Returns a normalized reference: in overlays, a missing namespace means `default`.
fn wanted(group: &str, resource: &str, namespace: &str, name: &str) -> ConfigReference {
    let is_anywhere = matches!(resource, key::ADDON_TEMPLATES | "managedclustersets");
    let namespace = match namespace {
        _ if is_anywhere => "",
        "" => "default",
        namespace => namespace,
    };
    ConfigReference {
        group: group.to_owned(),
        resource: resource.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    }
}
