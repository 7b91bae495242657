//! What people should know about an object before they commit its declaration.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::left_out::config_name;
use super::obstacle::named;
use crate::{Target, references};
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn};
use tidegate_delivery::status::Entry as _;
use tidegate_delivery::upstream::Assignment;
use tidegate_model::name::{AddonName, ClusterName};
use tidegate_model::object::ObjectKey;
use tidegate_model::plural::first_of;

/// Returns the warnings about an object, each as a sentence.
pub(super) fn warnings(key: &ObjectKey, object: &Value) -> Vec<String> {
    let secrets = secrets(object).map(|secret| {
        format!("{key} contains the Secret {secret}: anyone who can read the repository can read it; move it out of the template first")
    });
    let owner = controller(object).map(|owner| {
        format!("{key} is kept up to date by {owner}, which would undo changes from the repository; stop it, or leave the object to it")
    });
    // An add-on owns what it installs on clusters, and that is no other controller.
    secrets.chain(owner.filter(|_| key.kind != "ManagedClusterAddOn")).collect()
}

/// Returns a warning for each configuration that Tidegate has assigned to clusters, and that neither their add-on nor they themselves
/// name. A cluster with a declared configuration of its own looks like one that waits for its turn in a rollout.
pub(super) fn unnamed(
    name: &AddonName,
    addon: &Value,
    clusters: &BTreeMap<ClusterName, Arc<ManagedClusterAddOn>>,
) -> Vec<String> {
    let named: BTreeSet<Target> = references(addon).into_iter().map(|reference| reference.target).collect();
    let mut unnamed: BTreeMap<ConfigReference, Vec<&str>> = BTreeMap::new();
    for (cluster, installed) in clusters {
        let status = installed.status.as_ref().filter(|_| Assignment::of(&installed.metadata).is_some());
        for desired in
            status.iter().flat_map(|status| &status.config_references).filter_map(AddOnConfigReference::desired)
        {
            let is_own = installed.spec.configs.contains(&desired.reference);
            if !is_own && !named.contains(&Target::Configuration(desired.reference.clone())) {
                unnamed.entry(desired.reference).or_default().push(cluster.as_str());
            }
        }
    }
    let warning = |(config, clusters): (ConfigReference, Vec<&str>)| {
        let config = config_name(&config);
        let clusters = first_of(clusters.into_iter(), 3);
        format!(
            "{clusters} has {config} from Tidegate, and add-on {name} does not name it: if a cluster is meant to have it for itself, write it \
             into spec.configs of its ManagedClusterAddOn, or the daemon replaces it"
        )
    };
    unnamed.into_iter().map(warning).collect()
}

/// Returns the names of the Secrets among the manifests of a template.
fn secrets(object: &Value) -> impl Iterator<Item = String> {
    let manifests = object.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let secrets = manifests.into_iter().flatten().filter_map(ObjectKey::of);
    secrets.filter(|key| key.group.is_empty() && key.kind == "Secret").map(|key| match key.namespace.is_empty() {
        true => key.name,
        false => format!("{}/{}", key.namespace, key.name),
    })
}

/// Returns the kind and name of the controller that owns an object.
fn controller(object: &Value) -> Option<String> {
    let owners = object.pointer("/metadata/ownerReferences")?.as_array()?;
    let owner = owners.iter().find(|owner| owner.get("controller") == Some(&Value::Bool(true)))?;
    named(owner)
}
