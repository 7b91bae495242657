//! Finds what decides a value of a rendered object: each input is changed in turn, and the value is compared.
//!
//! Rendering has many rules (variables, namespaces, images, proxies, volumes). Asking the renderer itself needs no second copy of them.

use serde_json::Value;

use super::prepare::{Subject, render};
use crate::go_object::unstructured::raw_manifests;
use tidegate_api::key;
use tidegate_api::ocm::addon_deployment_config::AddOnDeploymentConfigSpec;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_model::name::AddonName;

/// An input that decides a rendered value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A value of the AddOnTemplate, by its JSON pointer.
    Template(String),
    /// A value of the AddOnDeploymentConfig, by its JSON pointer.
    Config(String),
    /// The name of the cluster.
    ClusterName,
    /// The annotation of the cluster with image registries.
    Registries,
}

/// What is rendered: whole objects, as they are in the repository.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The add-on.
    pub addon: &'a AddonName,
    /// The AddOnTemplate.
    pub template: &'a Value,
    /// The AddOnDeploymentConfig, if the cluster has one.
    pub config: Option<&'a Value>,
    /// The cluster.
    pub cluster: &'a ManagedCluster,
}

/// A value of a rendered object.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The position of the object among the rendered ones.
    pub position: usize,
    /// The JSON pointer of the value.
    pub pointer: &'a str,
}

/// Returns what decides a value, in the order template, configuration, cluster; empty for a value that is the same for any input.
pub fn origins(inputs: &Inputs<'_>, wanted: &Wanted<'_>) -> Vec<Origin> {
    let Some(before) = value(inputs, wanted) else { return Vec::new() };
    let has_changed = |inputs: &Inputs<'_>| value(inputs, wanted).is_some_and(|after| after != before);
    let mut origins = Vec::new();
    let in_template = format!("/spec/agentSpec/workload/manifests/{}{}", wanted.position, wanted.pointer);
    if wanted.position < raw_manifests(inputs.template).len() && inputs.template.pointer(&in_template).is_some() {
        origins.push(Origin::Template(in_template));
    }
    let changed = |object: &Value, below: &str, replaced: &dyn Fn(&Value) -> bool| -> Vec<String> {
        let leaves = leaves(object, below).into_iter();
        leaves.filter(|pointer| other(object, pointer).is_some_and(|other| replaced(&other))).collect()
    };
    let template =
        changed(inputs.template, "/spec/registration", &|template| has_changed(&Inputs { template, ..*inputs }));
    origins.extend(without_names(template).into_iter().map(Origin::Template));
    if let Some(config) = inputs.config {
        let config = changed(config, "/spec", &|config| has_changed(&Inputs { config: Some(config), ..*inputs }));
        origins.extend(without_names(config).into_iter().map(Origin::Config));
    }
    let mut renamed = inputs.cluster.clone();
    renamed.metadata.name.get_or_insert_default().push('x');
    if has_changed(&Inputs { cluster: &renamed, ..*inputs }) {
        origins.push(Origin::ClusterName);
    }
    let mut bare = inputs.cluster.clone();
    bare.metadata.annotations.get_or_insert_default().remove(key::IMAGE_REGISTRIES);
    if has_changed(&Inputs { cluster: &bare, ..*inputs }) {
        origins.push(Origin::Registries);
    }
    origins
}

fn value(inputs: &Inputs<'_>, wanted: &Wanted<'_>) -> Option<Value> {
    let Inputs { addon, template, config, cluster } = *inputs;
    let config = config.map(AddOnDeploymentConfigSpec::of).transpose().ok()?;
    let rendered = render(&Subject { addon, template, config: config.as_ref(), cluster }).ok()?;
    rendered.objects.get(wanted.position)?.pointer(wanted.pointer).cloned()
}

/// Returns the pointers of all single values below a pointer.
fn leaves(object: &Value, below: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(value) = object.pointer(below) {
        collect(value, below.to_owned(), &mut found);
    }
    found
}

fn collect(value: &Value, pointer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                collect(value, format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(value, format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer),
    }
}

/// Returns the object with another value at a pointer; `None` for a value without an alternative.
fn other(object: &Value, pointer: &str) -> Option<Value> {
    let mut object = object.clone();
    let value = object.pointer_mut(pointer)?;
    *value = match value {
        Value::String(text) => format!("{text}x").into(),
        Value::Number(number) => number.as_i64()?.checked_add(1)?.into(),
        Value::Bool(flag) => (!*flag).into(),
        _ => return None,
    };
    Some(object)
}

/// Removes the names of entries that are found by name, if something else in the entry decides the value.
fn without_names(pointers: Vec<String>) -> Vec<String> {
    let entry = |pointer: &str| pointer.rsplit_once('/').map(|(entry, _)| format!("{entry}/")).unwrap_or_default();
    let is_name = |pointer: &str| {
        let name = pointer.rsplit('/').next();
        matches!(name, Some("name" | "source" | "containerID"))
    };
    let others = |pointer: &String| {
        let entry = entry(pointer);
        pointers.iter().any(|other| other != pointer && other.starts_with(&entry))
    };
    pointers.iter().filter(|pointer| !(is_name(pointer) && others(pointer))).cloned().collect()
}
