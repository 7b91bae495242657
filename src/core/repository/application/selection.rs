//! The Placements of an application: those that its policies name, and one for each topology.
//!
//! A topology becomes a Placement of its own, in the namespace of the application. So it selects only clusters of the sets that are bound to
//! this namespace, as every other Placement does.

use serde::Deserialize;
use serde_json::{Value, json};

use super::kind::is_application;
use super::parsed::Topology;
use crate::read::kinds;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::{Content, Node};
use tidegate_model::name::NamespacedName;

/// The type of the policy that names a Placement.
pub(crate) const PLACEMENT: &str = "placement";
/// The type of the policy that names clusters, or labels of clusters.
pub(crate) const TOPOLOGY: &str = "topology";
/// The type of the policy that changes components on some clusters.
pub(crate) const OVERRIDE: &str = "override";

/// The version of the Placements that are made.
const VERSION: &str = "v1beta1";
/// Taints that OCM adds to clusters that do not answer. Such a cluster stays selected.
const TOLERATED: [&str; 2] =
    ["cluster.open-cluster-management.io/unreachable", "cluster.open-cluster-management.io/unavailable"];

/// A policy that selects clusters.
struct Selecting<'v> {
    /// The path of the policy.
    policy: Path,
    /// What it says, if it is a topology.
    topology: Option<Topology>,
    properties: &'v Value,
    placement: NamespacedName,
}

/// Returns the name of the Placement for a topology.
pub(super) fn of_topology(application: &str, policy: &str) -> String {
    format!("app-{application}-{policy}")
}

/// Returns the Placements of an application, each with the path of the properties that select the clusters, and these properties. A Placement
/// without a namespace is in that of the application.
pub(crate) fn placements(application: &Value) -> Vec<(Path, NamespacedName, &Value)> {
    let found = selecting(application).into_iter();
    found.map(|found| (found.policy.member("properties"), found.placement, found.properties)).collect()
}

fn selecting(application: &Value) -> Vec<Selecting<'_>> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let is_known = text(application.get("kind")).is_some_and(|kind| kind == super::kind::KIND);
    let metadata = |member: &str| text(application.get("metadata").and_then(|metadata| metadata.get(member)));
    let own = metadata("namespace").unwrap_or_default();
    let policies = application.pointer("/spec/policies").and_then(Value::as_array).filter(|_| is_known);
    let mut found = Vec::new();
    for (index, policy) in policies.into_iter().flatten().enumerate() {
        let Some(properties) = policy.get("properties") else { continue };
        let of_placement = || {
            let namespace = text(properties.get("namespace")).unwrap_or_else(|| own.clone());
            Some((None, NamespacedName::new(namespace, text(properties.get("name"))?)))
        };
        // A topology that cannot be read is an error of its application.
        let of_topology = || {
            let name = of_topology(&metadata("name")?, &text(policy.get("name"))?);
            Some((Some(Topology::deserialize(properties).ok()?), NamespacedName::new(&own, name)))
        };
        let selects = match policy.get("type").and_then(Value::as_str) {
            Some(PLACEMENT) => of_placement(),
            Some(TOPOLOGY) => of_topology(),
            _ => None,
        };
        let policy = path(&["spec", "policies"]).item(index);
        found.extend(selects.map(|(topology, placement)| Selecting { policy, topology, properties, placement }));
    }
    found
}

/// Adds the Placements for the topologies of applications. All their values are at the place of the policy.
pub(crate) fn add_placements(objects: &mut Vec<Object>) {
    let made: Vec<Object> = objects.iter().filter(|object| is_application(object)).flat_map(made).collect();
    objects.extend(made);
}

fn made(application: &Object) -> Vec<Object> {
    let made = |found: Selecting<'_>| {
        let origin = application.value_origin(&found.policy);
        Some(Object {
            key: object_key::placement(&found.placement.namespace, &found.placement.name),
            node: Node { origin, content: Content::Sequence(Vec::new()) },
            provenance: application.provenance.clone(),
            is_rendered: application.is_rendered,
            value: placement(&found.placement, &found.topology?),
            schema: kinds::schema(key::CLUSTER_GROUP, "Placement", VERSION),
        })
    };
    selecting(&application.value).into_iter().filter_map(made).collect()
}

fn placement(name: &NamespacedName, topology: &Topology) -> Value {
    let selector = match topology.clusters.as_slice() {
        [] => json!({ "labelSelector": { "matchLabels": topology.cluster_label_selector } }),
        names => {
            json!({ "celSelector": { "celExpressions": [format!("managedCluster.metadata.name in {}", json!(names))] } })
        }
    };
    let tolerations: Vec<Value> = TOLERATED.iter().map(|taint| json!({ "key": taint, "operator": "Exists" })).collect();
    json!({
        "apiVersion": format!("{}/{VERSION}", key::CLUSTER_GROUP),
        "kind": "Placement",
        "metadata": { "namespace": name.namespace, "name": name.name },
        "spec": { "predicates": [{ "requiredClusterSelector": selector }], "tolerations": tolerations },
    })
}
