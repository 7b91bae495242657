//! The OpenAPI documents, one for each group and version, and their index.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::core::{Core, METADATA};
use super::operations;
use crate::kind::{Kind, Version};

/// All documents, keyed by the end of their path: `api/v1` or `apis/<group>/<version>`.
#[derive(Debug, Clone)]
pub(crate) struct Documents {
    by_path: BTreeMap<String, Arc<Document>>,
}

#[derive(Debug)]
struct Document {
    body: Value,
    hash: String,
}

impl Documents {
    /// Generates the documents of all kinds.
    pub(crate) fn new(kinds: &[Arc<Kind>]) -> Self {
        let mut served: BTreeMap<String, Vec<(&Kind, &Version)>> = BTreeMap::new();
        for kind in kinds {
            for version in &kind.versions {
                let path = kind.api_version(&version.name);
                let path = if kind.group.is_empty() { format!("api/{path}") } else { format!("apis/{path}") };
                served.entry(path).or_default().push((kind, version));
            }
        }
        let by_path = served.into_iter().map(|(path, kinds)| (path, Arc::new(document(&kinds)))).collect();
        Self { by_path }
    }

    /// Returns the index: the URL of each document, with a hash of its content.
    pub(crate) fn index(&self) -> Value {
        let entry = |(path, document): (&String, &Arc<Document>)| {
            let url = format!("/openapi/v3/{path}?hash={}", document.hash);
            (path.clone(), json!({ "serverRelativeURL": url }))
        };
        json!({ "paths": self.by_path.iter().map(entry).collect::<Map<_, _>>() })
    }

    /// Returns a document.
    pub(crate) fn get(&self, path: &str) -> Option<&Value> {
        self.by_path.get(path).map(|document| &document.body)
    }
}

fn document(kinds: &[(&Kind, &Version)]) -> Document {
    let mut core = Core::new();
    let mut paths = Map::new();
    let mut named: Vec<(String, Value, Option<Value>)> = Vec::new();
    for (kind, version) in kinds {
        let mark = json!([{ "group": kind.group, "version": version.name, "kind": kind.kind }]);
        let known = if kind.custom { None } else { core.kind(&kind.group, &kind.kind) };
        let (name, own) = match known {
            Some(name) => (name, None),
            None => (schema_name(kind, version), Some(custom(version))),
        };
        operations::paths(kind, version, &name, &mut paths);
        named.push((name, mark, own));
    }
    let mut schemas = core.schemas();
    for (name, mark, own) in named {
        let schema = match own {
            Some(own) => schemas.entry(name).or_insert(own),
            None => schemas.entry(name).or_insert_with(|| json!({ "type": "object" })),
        };
        schema["x-kubernetes-group-version-kind"] = mark;
    }
    let body = json!({
        "openapi": "3.0.0",
        "info": { "title": "Kubernetes", "version": "v1.36.0" },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    let hash = Sha256::digest(body.to_string()).iter().map(|byte| format!("{byte:02X}")).collect();
    Document { body, hash }
}

/// Returns the schema of a custom resource, with a reference to the schema of `metadata`.
fn custom(version: &Version) -> Value {
    let open = || json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let mut schema = version.schema_source.clone().filter(Value::is_object).unwrap_or_else(open);
    if schema.get("properties").is_some_and(Value::is_object) {
        schema["properties"]["metadata"] = json!({
            "description": "Standard object's metadata. More info: \
                https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
            "allOf": [{ "$ref": format!("#/components/schemas/{METADATA}") }],
        });
    }
    schema
}

/// Returns the name of the schema of a custom resource: the labels of the group in reverse order, then version and kind.
fn schema_name(kind: &Kind, version: &Version) -> String {
    let mut parts: Vec<&str> = kind.group.split('.').rev().filter(|part| !part.is_empty()).collect();
    parts.extend([version.name.as_str(), kind.kind.as_str()]);
    parts.join(".")
}
