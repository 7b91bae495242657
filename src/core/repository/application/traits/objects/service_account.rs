//! The trait `service-account`.

use serde_json::{Map, Value, json};

use crate::application::parsed::{present, set};
use crate::application::schema::{flag, list, object, one_of, text, texts};
use crate::application::traits::target::{Problem, Target};
use crate::application::traits::workload::pods::pod;
use tidegate_api::schema::path::Path;

/// What a rule gives permissions for: a namespace, or the whole cluster.
const SCOPES: [&str; 2] = ["namespace", "cluster"];
const RBAC: &str = "rbac.authorization.k8s.io";

/// Returns the schema of the properties.
pub(in crate::application::traits) fn schema() -> Value {
    let rule = json!({
        "verbs": { "type": "array", "minItems": 1, "items": text() },
        "apiGroups": texts(),
        "resources": texts(),
        "resourceNames": texts(),
        "nonResourceURLs": texts(),
        "scope": one_of(&SCOPES),
    });
    let name = json!({ "type": "string", "maxLength": 253, "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" });
    object(&["name"], json!({ "name": name, "create": flag(), "privileges": list(object(&["verbs"], rule)) }))
}

/// Sets the service account of the pods, and adds it and its roles.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let Some(name) = properties.get("name").and_then(Value::as_str) else { return Ok(()) };
    let privileges = properties.get("privileges").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (index, privilege) in privileges.iter().enumerate() {
        check(privilege).map_err(|problem| problem.within(&Path::default().member("privileges").item(index)))?;
    }
    if let Some(pod) = target.objects.first_mut().and_then(pod) {
        set(pod, &["serviceAccountName"], json!(name));
    }
    let namespace = target.namespace;
    if properties.get("create") == Some(&json!(true)) {
        target.objects.push(json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": name } }));
    }
    for scope in ["cluster", "namespace"] {
        let rules: Vec<Value> =
            privileges.iter().filter(|privilege| self::scope(privilege) == scope).map(rule).collect();
        if rules.is_empty() {
            continue;
        }
        let (kind, role) =
            if scope == "cluster" { ("ClusterRole", format!("{namespace}:{name}")) } else { ("Role", name.to_owned()) };
        let of_kind =
            |kind: &str| json!({ "apiVersion": format!("{RBAC}/v1"), "kind": kind, "metadata": { "name": role } });
        let (mut granted, mut binding) = (of_kind(kind), of_kind(&format!("{kind}Binding")));
        set(&mut granted, &["rules"], json!(rules));
        set(&mut binding, &["roleRef"], json!({ "apiGroup": RBAC, "kind": kind, "name": role }));
        set(&mut binding, &["subjects"], json!([{ "kind": "ServiceAccount", "name": name, "namespace": namespace }]));
        target.objects.extend([granted, binding]);
    }
    Ok(())
}

fn scope(privilege: &Value) -> &str {
    privilege.get("scope").and_then(Value::as_str).unwrap_or("namespace")
}

/// Refuses a rule that an API server refuses.
fn check(privilege: &Value) -> Result<(), Problem> {
    let has = |member: &str| privilege.get(member).and_then(Value::as_array).is_some_and(|items| !items.is_empty());
    if has("nonResourceURLs") && scope(privilege) == "namespace" {
        return Err(Problem::at(&["nonResourceURLs"], "belong to no namespace; write scope: cluster"));
    }
    if has("nonResourceURLs") && has("resources") {
        return Err(Problem::at(&["nonResourceURLs"], "cannot be in a rule with resources; write two rules"));
    }
    let missing = ["apiGroups", "resources"].into_iter().find(|member| !has(member) && !has("nonResourceURLs"));
    match missing {
        Some("apiGroups") => Err(Problem::at(
            &["apiGroups"],
            "is missing; write the groups of the resources, and \"\" for the core group",
        )),
        Some(member) => Err(Problem::at(&[member], "is missing; add it")),
        None => Ok(()),
    }
}

fn rule(privilege: &Value) -> Value {
    let given = |member: &str| privilege.get(member).cloned();
    present([
        ("verbs", given("verbs")),
        ("apiGroups", given("apiGroups")),
        ("resources", given("resources")),
        ("resourceNames", given("resourceNames")),
        ("nonResourceURLs", given("nonResourceURLs")),
    ])
}
