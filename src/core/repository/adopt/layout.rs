//! The file of each object, in the layout of the example repository: a directory for each add-on, and directories for the objects
//! that add-ons share.

use std::collections::{BTreeMap, BTreeSet};

use super::found::{Found, User};
use super::settings::PATH;
use tidegate_kustomize::overlay::is_kustomization;
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;

/// Assigns each object to a file. The objects of a file are in the order in which they are written.
pub(super) fn layout(objects: &BTreeMap<ObjectKey, Found>) -> BTreeMap<String, Vec<ObjectKey>> {
    let mut files: BTreeMap<String, Vec<ObjectKey>> = BTreeMap::new();
    for (key, found) in objects {
        let stem = stem(key, found);
        let path = if is_gathered(key, found) { path(&stem) } else { free(&stem, key, &files) };
        files.entry(path).or_default().push(key.clone());
    }
    for keys in files.values_mut() {
        // What others refer to comes first.
        keys.sort_by_key(|key| matches!(key.kind.as_str(), "ManagedClusterAddOn" | "ManagedClusterSetBinding"));
    }
    files
}

/// Returns `true` for an object that shares its file with others: a cluster set and its bindings, a cluster's add-on and its
/// configuration.
fn is_gathered(key: &ObjectKey, found: &Found) -> bool {
    match key.kind.as_str() {
        "ManagedClusterSet" | "ManagedClusterSetBinding" | "ManagedClusterAddOn" => true,
        "AddOnDeploymentConfig" => found.only_cluster().is_some(),
        _ => false,
    }
}

/// Returns the path of an object without its extension.
fn stem(key: &ObjectKey, found: &Found) -> String {
    let name = key.name.as_str();
    let addons: BTreeSet<&AddonName> = found.users.iter().map(User::addon).collect();
    let addon = addons.first().map_or("", |addon| addon.as_str());
    match key.kind.as_str() {
        "ClusterManagementAddOn" => format!("addons/{name}/addon"),
        "ManagedClusterAddOn" => format!("addons/{name}/cluster-{}", key.namespace),
        "AddOnTemplate" => format!("addons/{addon}/{}", labeled("template", name, addon)),
        "AddOnDeploymentConfig" => match (found.only_cluster(), addons.len()) {
            (Some((addon, cluster)), _) => format!("addons/{addon}/cluster-{cluster}"),
            (None, 1) => format!("addons/{addon}/{}", labeled("config", name, addon)),
            _ => format!("configs/{name}"),
        },
        "ClusterRole" | "Role" if addons.len() == 1 => format!("addons/{addon}/hub-role"),
        "ClusterRole" | "Role" => format!("roles/{name}"),
        "Placement" => format!("placements/{name}"),
        _ => format!("clusters/{name}"),
    }
}

/// Returns a label with the part of a name that does not repeat the name of the add-on or the label: `template-0.4.0` for `hello-0.4.0`.
fn labeled(label: &str, name: &str, addon: &str) -> String {
    if name == addon || name == label {
        return label.to_owned();
    }
    let rest = name.strip_prefix(addon).and_then(|rest| rest.strip_prefix('-')).filter(|rest| !rest.is_empty());
    format!("{label}-{}", rest.unwrap_or(name))
}

/// Returns a path that no other object has.
fn free(stem: &str, key: &ObjectKey, files: &BTreeMap<String, Vec<ObjectKey>>) -> String {
    let in_namespace = (!key.namespace.is_empty()).then(|| format!("{stem}-{}", key.namespace));
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    let stems = std::iter::once(stem.to_owned()).chain(in_namespace).chain(numbered);
    stems.map(|stem| path(&stem)).find(|path| !files.contains_key(path)).unwrap_or_else(|| path(stem))
}

/// Returns the path of a file. Names come from a hub, so they must not lead elsewhere, and a file must not look like an overlay.
fn path(stem: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let parts = stem.split('/').map(|part| {
        let part: String = part.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        if part.starts_with('.') { format!("_{part}") } else { part }
    });
    let path = format!("{PATH}/{}.yaml", parts.collect::<Vec<_>>().join("/"));
    if is_kustomization(&path) { path.replace("kustomization.yaml", "kustomization-.yaml") } else { path }
}
