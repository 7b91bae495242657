//! The Placements of an application: those that its policies name, and one for each topology and for each entry of
//! an AppDeployment.
//!
//! A topology becomes a Placement of its own, in the namespace of the application. So it selects only clusters of the sets that are bound to
//! this namespace, as every other Placement does.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::dispatch;
use super::entries::{Entry, entries};
use super::kind::{APP_DEPLOYMENT, is_app_deployment, is_application};
use super::parsed::Topology;
use crate::read::kinds;
use crate::read::object::{Object, path};
use tidegate_api::key;
use tidegate_api::object_key;
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::{Content, Node};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::group_version;

/// The type of the policy that names a Placement.
pub(crate) const PLACEMENT: &str = "placement";
/// The type of the policy that names clusters, or labels of clusters.
pub(crate) const TOPOLOGY: &str = "topology";
/// The type of the policy that changes components on some clusters.
pub(crate) const OVERRIDE: &str = "override";

/// The type of the policy with the components that are there several times.
pub(crate) const REPLICATION: &str = "replication";

/// The version of the Placements that are made.
const VERSION: &str = "v1beta1";
/// Taints that OCM adds to clusters that do not answer. Such a cluster stays selected.
const TOLERATED: [&str; 2] =
    ["cluster.open-cluster-management.io/unreachable", "cluster.open-cluster-management.io/unavailable"];

/// A policy that selects clusters, or a step that names one.
struct Selecting<'v> {
    /// The path of the policy or the step.
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

/// Returns the name of the Placement for a cluster that steps dispatch to. Those of topologies and entries start with another word, and
/// the name of an application has no dot, so that no two are the same.
pub(super) fn of_cluster(application: &str, cluster: &str) -> String {
    format!("dispatch-{application}.{cluster}")
}

/// Returns the Placements of an application, each with the path of the properties that select the clusters, and these properties. A Placement
/// without a namespace is in that of the application. Those of an AppDeployment are each with its spec, which has the strategy.
pub(crate) fn placements(application: &Value) -> Vec<(Path, NamespacedName, &Value)> {
    let found = selecting(application).into_iter();
    let of_policies = found.map(|found| (found.policy.member("properties"), found.placement, found.properties));
    let spec = application.get("spec").unwrap_or(&Value::Null);
    let of_entries = named_entries(application).into_iter().filter(|(entry, _)| entry.selector.is_about_some());
    let of_entries = of_entries.map(|(_, placement)| (path(&["spec"]), placement, spec));
    of_policies.chain(of_entries).collect()
}

/// Returns the entries of an AppDeployment, each with its Placement; none for any other object.
fn named_entries(object: &Value) -> Vec<(Entry, NamespacedName)> {
    let is_group = group_version(object).is_some_and(|(group, _)| group == key::APPLICATION_GROUP);
    if !is_group || object.get("kind").is_none_or(|kind| kind != APP_DEPLOYMENT) {
        return Vec::new();
    }
    let metadata = |member: &str| object.get("metadata").and_then(|metadata| metadata.get(member)?.as_str());
    let (Some(namespace), Some(name)) = (metadata("namespace"), metadata("name")) else { return Vec::new() };
    let named = |entry: Entry| {
        let placement = NamespacedName::new(namespace, entry.placement(name));
        (entry, placement)
    };
    entries(object).into_iter().map(named).collect()
}

/// Returns the revisions that an AppDeployment delivers, each with the path of its name; none for any other object.
pub(crate) fn revisions(object: &Value) -> Vec<(Path, NamespacedName)> {
    let named = named_entries(object).into_iter();
    named
        .map(|(entry, placement)| (entry.at_revision, NamespacedName::new(placement.namespace, entry.revision)))
        .collect()
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
    let of_steps = dispatch::clusters(application).into_iter().filter(|_| is_known);
    found.extend(of_steps.filter_map(|(policy, step, cluster)| {
        let topology = Topology { clusters: vec![cluster.to_owned()], ..Topology::default() };
        let placement = NamespacedName::new(&own, of_cluster(&metadata("name")?, cluster));
        Some(Selecting { policy, topology: Some(topology), properties: step.get("properties")?, placement })
    }));
    found
}

/// Returns the namespaces in which the objects of an application are on clusters: its own, and those of its topologies.
pub(crate) fn namespaces(application: &Value, own: &str) -> BTreeSet<String> {
    let others = selecting(application).into_iter().filter_map(|found| found.topology?.namespace);
    others.chain([own.to_owned()]).collect()
}

/// Adds the Placements for the topologies of applications, and for the entries of AppDeployments. All their values are at the place of the
/// policy or of the entry.
pub(crate) fn add_placements(objects: &mut Vec<Object>) {
    let made: Vec<Object> = objects
        .iter()
        .flat_map(|object| match object {
            object if is_application(object) => of_topologies(object),
            object if is_app_deployment(object) => of_entries(object),
            _ => Vec::new(),
        })
        .collect();
    objects.extend(made);
}

fn of_topologies(application: &Object) -> Vec<Object> {
    let made = |found: Selecting<'_>| {
        let Topology { clusters, cluster_label_selector, .. } = found.topology?;
        Some(made(application, &found.policy, &found.placement, &selector(&clusters, &cluster_label_selector)))
    };
    selecting(&application.value).into_iter().filter_map(made).collect()
}

fn of_entries(deployment: &Object) -> Vec<Object> {
    // Two entries with the same Placement are a mistake, which is reported at the entries.
    let named = named_entries(&deployment.value).into_iter().rev();
    let named = named.filter(|(entry, _)| entry.selector.is_about_some());
    let distinct: BTreeMap<NamespacedName, Entry> = named.map(|(entry, placement)| (placement, entry)).collect();
    let made = |(placement, Entry { at, selector: wanted, .. }): (NamespacedName, Entry)| {
        let names: Vec<String> = wanted.name.into_iter().collect();
        self::made(deployment, &at, &placement, &selector(&names, &wanted.labels))
    };
    distinct.into_iter().map(made).collect()
}

/// Returns a Placement as an object whose values are all at a path of another one.
fn made(of: &Object, at: &Path, name: &NamespacedName, selector: &Value) -> Object {
    Object {
        key: object_key::placement(&name.namespace, &name.name),
        node: Node { origin: of.value_origin(at), content: Content::Sequence(Vec::new()) },
        provenance: of.provenance.clone(),
        is_rendered: of.is_rendered,
        value: placement(name, selector),
        schema: kinds::schema(key::CLUSTER_GROUP, "Placement", VERSION),
    }
}

/// Returns a selector of the clusters with one of these names, and with all labels. Without names, any name will do.
fn selector(names: &[String], labels: &BTreeMap<String, String>) -> Value {
    let mut selector = Map::new();
    if names.is_empty() || !labels.is_empty() {
        selector.insert("labelSelector".to_owned(), json!({ "matchLabels": labels }));
    }
    if !names.is_empty() {
        let expression = format!("managedCluster.metadata.name in {}", json!(names));
        selector.insert("celSelector".to_owned(), json!({ "celExpressions": [expression] }));
    }
    selector.into()
}

fn placement(name: &NamespacedName, selector: &Value) -> Value {
    let tolerations: Vec<Value> = TOLERATED.iter().map(|taint| json!({ "key": taint, "operator": "Exists" })).collect();
    json!({
        "apiVersion": format!("{}/{VERSION}", key::CLUSTER_GROUP),
        "kind": "Placement",
        "metadata": { "namespace": name.namespace, "name": name.name },
        "spec": { "predicates": [{ "requiredClusterSelector": selector }], "tolerations": tolerations },
    })
}
