//! The schemas of the kinds that a repository declares: those of OCM, generated from their CustomResourceDefinitions, and that of
//! policies.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::convert::converted;
use crate::cli::failure::Failure;
use tidegate_api::ocm::crds;
use tidegate_model::document::API_VERSION;
use tidegate_repository::policy_schema;

/// The kinds that a repository declares. The others are written by controllers.
const DECLARED: [&str; 11] = [
    "AddOnDeploymentConfig",
    "AddOnPlacementScore",
    "AddOnTemplate",
    "ClusterManagementAddOn",
    "ManagedCluster",
    "ManagedClusterAddOn",
    "ManagedClusterSet",
    "ManagedClusterSetBinding",
    "ManifestWorkReplicaSet",
    "Placement",
    "RolloutPolicy",
];

/// A kind in one of its versions.
#[derive(Debug)]
pub(super) struct Kind {
    /// Name of its schema: the kind in lower case, and the version.
    pub(super) name: String,
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) schema: Value,
}

/// `apiVersion` to its kinds, including those that a repository does not declare.
pub(super) type Groups = BTreeMap<String, BTreeSet<String>>;

/// Returns the kinds that a repository declares, OCM's in each served version, and all kinds by `apiVersion`.
pub(super) fn kinds() -> Result<(Vec<Kind>, Groups), Failure> {
    let (mut kinds, mut groups) = (Vec::new(), Groups::new());
    let all = crds::all().and_then(|all| Ok(all.into_iter().chain(crds::own()?)));
    for crd in all.map_err(|error| Failure::internal(&error))? {
        let kind = crd.spec.names.kind;
        let namespaced = crd.spec.scope == "Namespaced";
        for version in crd.spec.versions.into_iter().filter(|version| version.served) {
            let api_version = format!("{}/{}", crd.spec.group, version.name);
            let of_group = groups.entry(api_version.clone()).or_default();
            of_group.extend([kind.clone(), format!("{kind}List")]);
            let Some(schema) = version.schema.and_then(|schema| schema.open_api_v3_schema) else { continue };
            if !DECLARED.contains(&kind.as_str()) {
                continue;
            }
            let schema = serde_json::to_value(schema).map_err(|error| Failure::internal(&error))?;
            kinds.push(Kind {
                name: format!("{}-{}", kind.to_lowercase(), version.name),
                schema: object(converted(&schema), &api_version, &kind, namespaced),
                api_version,
                kind: kind.clone(),
            });
        }
    }
    kinds.push(Kind {
        name: "planpolicy-v1alpha1".to_owned(),
        schema: object(converted(&policy_schema()), API_VERSION, "PlanPolicy", false),
        api_version: API_VERSION.to_owned(),
        kind: "PlanPolicy".to_owned(),
    });
    // Control files and approvals have the same version, and lie beside the declarations.
    let own = ["PlanPolicy", "Control", "Approval"].map(str::to_owned);
    groups.entry(API_VERSION.to_owned()).or_default().extend(own);
    Ok((kinds, groups))
}

/// Adds to the schema of an object what is the same for all objects.
fn object(mut schema: Value, api_version: &str, kind: &str, namespaced: bool) -> Value {
    let Some(members) = schema.as_object_mut() else { return schema };
    members.insert("title".to_owned(), format!("{kind} ({api_version})").into());
    let mut required = vec![json!("apiVersion"), json!("kind"), json!("metadata")];
    required.extend(members.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    members.insert("required".to_owned(), Value::Array(required));
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        let constant = |name: &str, value: &str, properties: &mut Map<String, Value>| {
            properties.insert(name.to_owned(), json!({ "type": "string", "const": value }));
        };
        constant("apiVersion", api_version, properties);
        constant("kind", kind, properties);
        properties.insert("metadata".to_owned(), metadata(namespaced));
    }
    schema
}

/// Returns the schema of metadata, with the fields that people write and those that an export of a hub contains.
///
/// # Source
/// Kubernetes ObjectMeta v1.
fn metadata(namespaced: bool) -> Value {
    let name = |description: &str, length: u16| {
        let pattern = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$";
        json!({ "description": description, "type": "string", "minLength": 1, "maxLength": length, "pattern": pattern })
    };
    let texts = |description: &str| json!({ "description": description, "type": "object", "additionalProperties": { "type": "string" } });
    let text = || json!({ "type": "string" });
    let objects = || json!({ "type": "array", "items": { "type": "object" } });
    let mut properties = json!({
        "name": name("Name of the object.", 253),
        "labels": texts("Labels, by which objects are selected."),
        "annotations": texts("Annotations, for people and programs."),
        "finalizers": { "type": "array", "items": text() },
        "ownerReferences": objects(),
        "managedFields": objects(),
        "generateName": text(),
        "creationTimestamp": { "type": ["string", "null"] },
        "deletionTimestamp": { "type": ["string", "null"] },
        "deletionGracePeriodSeconds": { "type": "integer" },
        "generation": { "type": "integer" },
        "resourceVersion": text(),
        "selfLink": text(),
        "uid": text(),
    });
    let mut required = vec!["name"];
    if namespaced {
        properties["namespace"] = name("Namespace of the object.", 63);
        required.push("namespace");
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
