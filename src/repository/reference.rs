//! Whether what is referred to is there, and single rules beyond a schema.

use std::collections::BTreeMap;

use serde_json::Value;

use super::assemble::{is_plural, referent};
use super::complaint::Complaint;
use super::declared::{Declared, is_addon_kind, part};
use super::near;
use crate::api::key;
use crate::api::ocm::config_reference::ConfigReference;
use crate::api::schema::check::Path;
use crate::model::object::ObjectKey;

type Objects = BTreeMap<ObjectKey, Declared>;

/// Returns what is wrong with objects beyond what their own schema says.
pub(super) fn complaints(objects: &Objects) -> Vec<Complaint> {
    objects
        .iter()
        .flat_map(|(key, declared)| {
            let check = Check { objects, key, declared };
            match (key.group.as_str(), key.kind.as_str()) {
                (key::ADDON_GROUP, "ClusterManagementAddOn") => check.addon(),
                (key::ADDON_GROUP, "ManagedClusterAddOn") => check.cluster_addon(),
                (key::ADDON_GROUP, "AddOnTemplate") => check.template(),
                (key::CLUSTER_GROUP, "ManagedClusterSetBinding") => check.binding(),
                _ => Vec::new(),
            }
        })
        .collect()
}

struct Check<'a> {
    objects: &'a Objects,
    key: &'a ObjectKey,
    declared: &'a Declared,
}

impl Check<'_> {
    fn error(&self, path: &Path, message: impl Into<String>) -> Complaint {
        Complaint::error(self.declared.place_of(path), message, Some(self.key))
    }

    fn addon(&self) -> Vec<Complaint> {
        let mut found = Vec::new();
        let annotations = Path::default().member("metadata").member("annotations");
        let lifecycle = part(&self.declared.object, &annotations).and_then(|a| a.get(key::LIFECYCLE));
        if lifecycle.is_some_and(|value| value == key::LIFECYCLE_ADDON_MANAGER) {
            let message = format!(
                "upstream's add-on manager would drive this add-on too; remove the annotation {}",
                key::LIFECYCLE
            );
            found.push(self.error(&annotations.member(key::LIFECYCLE), message));
        }
        found.extend(self.configs(&Path::default().member("spec").member("defaultConfigs")));
        let placements = Path::default().member("spec").member("installStrategy").member("placements");
        for index in 0..self.length(&placements) {
            let at = placements.item(index);
            found.extend(self.placement(&at));
            found.extend(self.configs(&at.member("configs")));
        }
        found
    }

    fn length(&self, list: &Path) -> usize {
        part(&self.declared.defaulted, list).and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn text(&self, path: &Path) -> &str {
        part(&self.declared.defaulted, path).and_then(Value::as_str).unwrap_or("")
    }

    fn placement(&self, at: &Path) -> Option<Complaint> {
        let (namespace, name) = (self.text(&at.member("namespace")), self.text(&at.member("name")));
        let wanted = ObjectKey::new(key::CLUSTER_GROUP, "Placement", namespace, name);
        (!self.objects.contains_key(&wanted)).then(|| {
            let hint = self.hint(name, namespace, |key| key.kind == "Placement");
            self.error(&at.member("name"), format!("the repository has no Placement {namespace}/{name}{hint}"))
        })
    }

    /// Names the object that was most likely meant: of the same name elsewhere, or of a like name.
    fn hint(&self, name: &str, namespace: &str, is_kind: impl Fn(&ObjectKey) -> bool) -> String {
        let candidates: Vec<&ObjectKey> = self.objects.keys().filter(|key| is_kind(key)).collect();
        if let Some(elsewhere) = candidates.iter().find(|key| key.name == name && key.namespace != namespace) {
            return format!("; there is one in namespace {:?}", elsewhere.namespace);
        }
        let near = near::hint(name, candidates.iter().map(|key| key.name.as_str()));
        if near.is_empty() && candidates.is_empty() { "; declare it".to_owned() } else { near }
    }

    fn configs(&self, list: &Path) -> Vec<Complaint> {
        (0..self.length(list)).filter_map(|index| self.config(&list.item(index))).collect()
    }

    fn config(&self, at: &Path) -> Option<Complaint> {
        let value = part(&self.declared.defaulted, at)?;
        let reference: ConfigReference = serde_json::from_value(value.clone()).ok()?;
        if reference.name == key::RESERVED_NO_DEFAULT || referent(&reference, self.objects).is_some() {
            return None;
        }
        let ConfigReference { group, resource, namespace, name } = &reference;
        let known = [key::ADDON_TEMPLATES, key::ADDON_DEPLOYMENT_CONFIGS];
        if group == key::ADDON_GROUP && !known.contains(&resource.as_str()) {
            let hint = near::hint(resource, known);
            return Some(
                self.error(&at.member("resource"), format!("{group} has no configurations {resource:?}{hint}")),
            );
        }
        let hint = self.hint(name, namespace, |key| key.group == *group && is_plural(&key.kind, resource));
        let place = if namespace.is_empty() { String::new() } else { format!(" in namespace {namespace:?}") };
        Some(self.error(&at.member("name"), format!("the repository has no {resource} {name:?}{place}{hint}")))
    }

    fn cluster_addon(&self) -> Vec<Complaint> {
        let mut found = self.configs(&Path::default().member("spec").member("configs"));
        let is_addon = |key: &&ObjectKey| is_addon_kind(key, "ClusterManagementAddOn");
        let name = Path::default().member("metadata").member("name");
        let declared: Vec<&str> = self.objects.keys().filter(is_addon).map(|key| key.name.as_str()).collect();
        if !declared.contains(&self.key.name.as_str()) {
            let hint = near::hint(&self.key.name, declared);
            found.push(
                self.error(&name, format!("the repository has no ClusterManagementAddOn {:?}{hint}", self.key.name)),
            );
        }
        if self.key.namespace.is_empty() {
            let message = "metadata.namespace is missing; it is the name of the cluster";
            found.push(self.error(&Path::default().member("metadata"), message));
        }
        found
    }

    fn template(&self) -> Vec<Complaint> {
        let list =
            ["spec", "agentSpec", "workload", "manifests"].iter().fold(Path::default(), |path, name| path.member(name));
        let manifests = part(&self.declared.defaulted, &list).and_then(Value::as_array).into_iter().flatten();
        let mut found = Vec::new();
        for (index, manifest) in manifests.enumerate() {
            let at = list.item(index);
            if ObjectKey::of(manifest).is_none() {
                found.push(self.error(&at, format!("{at} is no object; give it apiVersion, kind and metadata.name")));
            }
            if has_open_tag(manifest) {
                found.push(self.error(&at, format!("{at} has {{{{ without }}}}; write variables as {{{{NAME}}}}")));
            }
        }
        found
    }

    fn binding(&self) -> Vec<Complaint> {
        let at = Path::default().member("spec").member("clusterSet");
        let set = self.text(&at);
        if set == self.key.name {
            return Vec::new();
        }
        vec![
            self.error(
                &at,
                format!("the binding is named {:?} and binds {set:?}; OCM wants both the same", self.key.name),
            ),
        ]
    }
}

/// Says whether any text in a value opens a variable and does not close it.
fn has_open_tag(value: &Value) -> bool {
    let is_open =
        |text: &str| text.rfind("{{").is_some_and(|open| !text.get(open..).unwrap_or_default().contains("}}"));
    match value {
        Value::String(text) => is_open(text),
        Value::Array(items) => items.iter().any(has_open_tag),
        Value::Object(members) => members.iter().any(|(name, member)| is_open(name) || has_open_tag(member)),
        _ => false,
    }
}
