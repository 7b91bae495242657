//! The CustomResourceDefinitions of the OCM kinds, generated from the types.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use kube::core::crd::merge_crds;
use serde_json::{Value, json};

use super::addon::{
    addon_deployment_config, addon_template, cluster_management_addon, managed_cluster_addon, v1alpha1,
};
use super::cluster::{
    addon_placement_score, cluster_claim, cluster_profile, managed_cluster, managed_cluster_set, placement,
};
use super::field_schema;
use super::work::{applied_manifest_work, manifest_work, manifest_work_replica_set};
use crate::rollout_policy::RolloutPolicy;

/// A CRD cannot be generated. Only a mistake in the types causes this, and a test would catch it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Two versions of a type disagree on name or scope.
    #[error("the versions of a CRD are inconsistent")]
    Merge(#[source] kube::core::crd::MergeError),
    /// A schema has a form that a CRD does not allow.
    #[error("a schema is not valid in a CRD")]
    Schema(#[source] serde_json::Error),
}

/// Returns the CRDs of all kinds that an OCM hub serves, sorted by name. Some of them are neither read nor written here.
///
/// The kinds of the add-on group are served as v1alpha1 (the storage version) and v1beta1.
///
/// # Errors
/// [`Error`] if the types are inconsistent.
pub fn all() -> Result<Vec<CustomResourceDefinition>, Error> {
    let versions = |alpha, beta| merge_crds(vec![alpha, beta], "v1alpha1").map_err(Error::Merge);
    // These two kinds have the same schema in both versions.
    let twice = |beta: CustomResourceDefinition| {
        let mut alpha = beta.clone();
        alpha.spec.versions.iter_mut().for_each(|version| version.name = "v1alpha1".to_owned());
        versions(alpha, beta)
    };
    let mut crds = vec![
        twice(addon_deployment_config::AddOnDeploymentConfig::crd())?,
        twice(addon_template::AddOnTemplate::crd())?,
        versions(v1alpha1::ClusterManagementAddOn::crd(), cluster_management_addon::ClusterManagementAddOn::crd())?,
        versions(v1alpha1::ManagedClusterAddOn::crd(), managed_cluster_addon::ManagedClusterAddOn::crd())?,
        addon_placement_score::AddOnPlacementScore::crd(),
        applied_manifest_work::AppliedManifestWork::crd(),
        cluster_claim::ClusterClaim::crd(),
        cluster_profile::ClusterProfile::crd(),
        managed_cluster::ManagedCluster::crd(),
        managed_cluster_set::ManagedClusterSet::crd(),
        managed_cluster_set::ManagedClusterSetBinding::crd(),
        manifest_work::ManifestWork::crd(),
        manifest_work_replica_set::ManifestWorkReplicaSet::crd(),
        placement::Placement::crd(),
        placement::PlacementDecision::crd(),
    ];
    for crd in &mut crds {
        *crd = as_upstream(crd)?;
    }
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    Ok(crds)
}

/// Returns the CRDs of Tidegate's own kinds. No hub has them: they describe what a repository declares.
///
/// # Errors
/// [`Error`] if the types are inconsistent.
pub fn own() -> Result<Vec<CustomResourceDefinition>, Error> {
    Ok(vec![as_upstream(&RolloutPolicy::crd())?])
}

/// Returns the CRDs for a hub without OCM and without a conversion webhook: each CRD with its newest version only.
///
/// Without a webhook, an API server answers in another version by changing `apiVersion` and dropping the fields that this version
/// does not have: an agent that reads v1beta1 would get registrations without a type, and no credentials.
///
/// # Errors
/// [`Error`] if the types are inconsistent.
///
/// # Source
/// Kubernetes, "Versions in CustomResourceDefinitions": conversion strategy `None`.
pub fn without_conversion() -> Result<Vec<CustomResourceDefinition>, Error> {
    let mut crds = all()?;
    for versions in crds.iter_mut().map(|crd| &mut crd.spec.versions) {
        versions.drain(..versions.len().saturating_sub(1));
        versions.iter_mut().for_each(|version| version.storage = true);
    }
    Ok(crds)
}

/// Rewrites a CRD the way upstream's generator writes it, where kube's derive differs.
fn as_upstream(crd: &CustomResourceDefinition) -> Result<CustomResourceDefinition, Error> {
    let mut json = serde_json::to_value(crd).map_err(Error::Schema)?;
    let kind = crd.spec.names.kind.as_str();
    json["spec"]["names"]["listKind"] = json!(format!("{kind}List"));
    for version in json["spec"]["versions"].as_array_mut().into_iter().flatten() {
        let root = &mut version["schema"]["openAPIV3Schema"];
        normalise(root);
        // kube's derive sets only a generic description.
        root["description"] = root["properties"]["spec"]["description"].take();
        let has_required_spec = crd.spec.group == crate::key::ADDON_GROUP
            || matches!(kind, "Placement" | "ClusterProfile" | "RolloutPolicy");
        if let (false, Some(root)) = (has_required_spec, root.as_object_mut()) {
            root.remove("required");
        }
        let properties = &mut root["properties"];
        properties["apiVersion"] = json!({ "type": "string", "description": "Version of the schema of this object." });
        properties["kind"] = json!({ "type": "string", "description": "Kind of this object." });
        properties["metadata"] = json!({ "type": "object" });
        match kind {
            "ManagedClusterSet" => {
                properties["spec"]["default"] =
                    json!({ "clusterSelector": { "selectorType": "ExclusiveClusterSetLabel" } });
            }
            "PlacementDecision" | "AddOnPlacementScore" => {
                if let Some(properties) = properties.as_object_mut() {
                    properties.remove("spec");
                }
            }
            _ => {}
        }
    }
    serde_json::from_value(json).map_err(Error::Schema)
}

/// The pattern of a Kubernetes quantity.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Removes what the derive adds (titles, `nullable`, Rust's own defaults) and adds what it omits.
fn normalise(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    members.remove("title");
    members.remove("nullable");
    members.remove("default");
    if let Some(default) = members.remove(field_schema::DEFAULT) {
        members.insert("default".to_owned(), default);
    }
    if members.remove(field_schema::MARK).is_some_and(|mark| mark == field_schema::NULLABLE) {
        members.insert("nullable".to_owned(), json!(true));
    }
    require_marked(members);
    if members.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
        members.insert("anyOf".to_owned(), json!([{ "type": "integer" }, { "type": "string" }]));
        members.entry("pattern").or_insert_with(|| json!(QUANTITY));
        return;
    }
    if members.get("operator").is_none() && is_requirement(members.get("properties")) {
        set(members, "/properties/values", "x-kubernetes-list-type", json!("atomic"));
    }
    if let Some(properties) = members.get_mut("properties").and_then(Value::as_object_mut) {
        // Server-side apply treats a label selector as one atomic value, but not a claim selector.
        if properties.contains_key("matchLabels") {
            let expressions = properties.get_mut("matchExpressions").and_then(Value::as_object_mut);
            expressions.map(|e| e.insert("x-kubernetes-list-type".to_owned(), json!("atomic")));
            members.insert("x-kubernetes-map-type".to_owned(), json!("atomic"));
        } else if let Some(claims) = properties.get_mut("claims").and_then(Value::as_object_mut) {
            claims.insert("x-kubernetes-list-type".to_owned(), json!("map"));
            claims.insert("x-kubernetes-list-map-keys".to_owned(), json!(["name"]));
        }
    }
    for name in ["properties", "additionalProperties", "items"] {
        match (name, members.get_mut(name)) {
            ("properties", Some(Value::Object(properties))) => properties.values_mut().for_each(normalise),
            (_, Some(nested)) => normalise(nested),
            _ => {}
        }
    }
}

/// Makes the marked fields required.
fn require_marked(members: &mut serde_json::Map<String, Value>) {
    let properties = members.get("properties").and_then(Value::as_object);
    let marked = properties
        .into_iter()
        .flatten()
        .filter(|(_, p)| p.get(field_schema::MARK).is_some_and(|m| m == field_schema::REQUIRED));
    let mut required: Vec<Value> = marked.map(|(name, _)| json!(name)).collect();
    if !required.is_empty() {
        required.extend(members.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
        required.sort_by_key(Value::to_string);
        required.dedup();
        members.insert("required".to_owned(), Value::Array(required));
    }
}

fn is_requirement(properties: Option<&Value>) -> bool {
    properties.is_some_and(|p| p.get("operator").is_some() && p.get("values").is_some() && p.get("key").is_some())
}

fn set(members: &mut serde_json::Map<String, Value>, pointer: &str, keyword: &str, value: Value) {
    let mut at = pointer.split('/').filter(|part| !part.is_empty());
    let first = at.next().and_then(|part| members.get_mut(part));
    if let Some(target) = at.fold(first, |target, part| target.and_then(|t| t.get_mut(part))) {
        target[keyword] = value;
    }
}
