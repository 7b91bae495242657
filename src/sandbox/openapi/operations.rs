//! The OpenAPI operations on a kind, as far as clients use them.

use serde_json::{Map, Value, json};

use crate::kind::{Kind, Version};

/// An operation: its HTTP method, its action, and whether it has a request body.
type Verb = (&'static str, &'static str, bool);

const COLLECTION: [Verb; 3] = [("get", "list", false), ("post", "post", true), ("delete", "deletecollection", false)];
const OBJECT: [Verb; 4] =
    [("get", "get", false), ("put", "put", true), ("patch", "patch", true), ("delete", "delete", true)];
const STATUS: [Verb; 3] = [("get", "get", false), ("put", "put", true), ("patch", "patch", true)];
const EVERYWHERE: [Verb; 1] = [("get", "list", false)];

/// Adds the paths of a kind. `schema` is the name of its schema.
pub(super) fn paths(kind: &Kind, version: &Version, schema: &str, paths: &mut Map<String, Value>) {
    let root = if kind.group.is_empty() {
        format!("/api/{}", version.name)
    } else {
        format!("/apis/{}/{}", kind.group, version.name)
    };
    let collection = if kind.namespaced {
        format!("{root}/namespaces/{{namespace}}/{}", kind.plural)
    } else {
        format!("{root}/{}", kind.plural)
    };
    let mut add = |path: String, verbs: &[Verb]| {
        let operations = verbs.iter().map(|verb| (verb.0.to_owned(), operation(kind, version, schema, *verb)));
        let mut item: Map<String, Value> = operations.collect();
        let named =
            |name: &str| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
        let parameters =
            ["name", "namespace"].into_iter().filter(|name| path.contains(&format!("{{{name}}}"))).map(named);
        item.insert("parameters".to_owned(), parameters.collect());
        paths.insert(path, Value::Object(item));
    };
    if kind.namespaced {
        add(format!("{root}/{}", kind.plural), &EVERYWHERE);
    }
    if version.has_status {
        add(format!("{collection}/{{name}}/status"), &STATUS);
    }
    add(format!("{collection}/{{name}}"), &OBJECT);
    add(collection, &COLLECTION);
}

fn operation(kind: &Kind, version: &Version, schema: &str, (_, action, has_body): Verb) -> Value {
    let reference = json!({ "schema": { "$ref": format!("#/components/schemas/{schema}") } });
    let query =
        |name: &&str| json!({ "name": name, "in": "query", "schema": { "type": "string", "uniqueItems": true } });
    let parameters: &[&str] = match action {
        "list" => &["labelSelector", "fieldSelector", "limit", "continue", "watch", "resourceVersion"],
        "post" | "put" => &["dryRun", "fieldManager", "fieldValidation"],
        "patch" => &["dryRun", "fieldManager", "fieldValidation", "force"],
        "delete" | "deletecollection" => &["dryRun", "propagationPolicy"],
        _ => &[],
    };
    let mut operation = json!({
        "operationId": format!("{action}{}", kind.kind),
        "parameters": parameters.iter().map(query).collect::<Vec<_>>(),
        "responses": { "200": { "description": "OK", "content": { "application/json": reference } } },
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": { "group": kind.group, "version": version.name, "kind": kind.kind },
    });
    if has_body && action == "patch" {
        let patches = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];
        let content: Map<String, Value> =
            patches.iter().map(|type_| ((*type_).to_owned(), json!({ "schema": { "type": "object" } }))).collect();
        operation["requestBody"] = json!({ "content": content, "required": true });
    } else if has_body && action != "delete" {
        operation["requestBody"] = json!({ "content": { "*/*": reference }, "required": true });
    }
    operation
}
