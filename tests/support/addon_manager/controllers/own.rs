//! The work of an add-on that is not built from a template.

use serde_json::{Value, json};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_delivery::status::Entry as _;

use crate::upstream::controls::OwnManager;

/// Returns the only object of the add-on: a ConfigMap with the names of its configurations, separated by spaces.
pub(in crate::upstream) fn own_work(own: &OwnManager, references: &[AddOnConfigReference]) -> Value {
    let desired = references.iter().filter_map(|reference| reference.desired());
    let names: Vec<String> = desired.map(|desired| desired.reference.name).collect();
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "namespace": key::DEFAULT_INSTALL_NAMESPACE, "name": own.addon },
        "data": { "configurations": names.join(" ") },
    })
}
