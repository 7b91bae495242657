//! Finds templates for several namespaces whose objects a configuration moves to one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::complaint::{Complaint, Rule, mark_from};
use crate::links::layers::Layers;
use crate::read::notes::Notes;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::schema::path::Path;

/// Adds a warning for each template with objects in several namespaces, if a configuration of its add-on has an install namespace.
///
/// # Source
/// OCM `pkg/addon/templateagent`, the namespace decorator: it moves every object that has a namespace, and renames every Namespace.
pub(crate) fn check(all: &BTreeMap<&str, Layers<'_>>, complaints: &mut Vec<Complaint>) {
    for layers in all.values() {
        for template in layers.templates.values() {
            let moved = layers.configs.values().find_map(|config| Some((config, install_namespace(config)?)));
            let Some((config, to)) = moved else { continue };
            let places = namespaces(template);
            let different: BTreeSet<&str> = places.iter().map(|(_, namespace)| *namespace).collect();
            let Some((at, namespace)) = places.iter().find(|(_, namespace)| *namespace != to) else { continue };
            if different.len() < 2 {
                continue;
            }
            let mut found = Vec::new();
            let mut notes = Notes { object: template, complaints: &mut found };
            let message = format!(
                "{at} is {namespace:?}, but the agentInstallNamespace of AddOnDeploymentConfig {} moves all objects of the template to \
                 {to:?}, and renames its Namespaces; to keep the namespaces of the template, set agentInstallNamespace to \"\" there",
                config.key.name
            );
            notes.warning(template.value_origin(at), message);
            mark_from(&mut found, 0, Rule::Template);
            complaints.append(&mut found);
        }
    }
}

/// Returns the namespace to which a configuration moves objects. A missing one has a default.
fn install_namespace(config: &Object) -> Option<&str> {
    let given = config.value.pointer("/spec/agentInstallNamespace").and_then(Value::as_str);
    Some(given.unwrap_or(key::DEFAULT_INSTALL_NAMESPACE)).filter(|namespace| !namespace.is_empty())
}

/// Returns the namespaces of the manifests, and the names of Namespaces, with their places.
fn namespaces(template: &Object) -> Vec<(Path, &str)> {
    let manifests = template.value.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let found = manifests.into_iter().flatten().enumerate().filter_map(|(position, manifest)| {
        let field =
            if manifest.get("kind").and_then(Value::as_str) == Some("Namespace") { "name" } else { "namespace" };
        let namespace = manifest.pointer(&format!("/metadata/{field}")).and_then(Value::as_str)?;
        let at = path(&["spec", "agentSpec", "workload", "manifests"]).item(position).member("metadata").member(field);
        Some((at, namespace)).filter(|(_, namespace)| !namespace.is_empty())
    });
    found.collect()
}
