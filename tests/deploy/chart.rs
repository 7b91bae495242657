//! What the chart renders.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use tidegate::doctor;
use tidegate_delivery::upstream::DeliveryMode;

use super::template::render;

const CHART: &str = "deploy/chart/tidegate";

/// The version of the program, which is that of the chart.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Puts changes into values, as Helm does: fields of objects one by one, and everything else as a whole. `null` removes a field.
fn merge(values: &mut Value, changes: Value) {
    match (values, changes) {
        (Value::Object(values), Value::Object(changes)) => {
            for (name, change) in changes {
                if change.is_null() {
                    values.remove(&name);
                } else {
                    merge(values.entry(name).or_insert(Value::Null), change);
                }
            }
        }
        (value, change) => *value = change,
    }
}

/// Returns the default values with changes.
pub(crate) fn defaults(changes: Value) -> Value {
    let mut values = serde_saphyr::from_str(&fs::read_to_string(format!("{CHART}/values.yaml")).unwrap()).unwrap();
    merge(&mut values, changes);
    values
}

/// Returns the output of each template, by its name, for a release `tidegate` in the namespace `tidegate`.
///
/// # Errors
///
/// The message of a template that refuses the values.
pub(crate) fn rendered(changes: &Value) -> Result<BTreeMap<String, String>, String> {
    let data = json!({
        "Values": defaults(changes.clone()),
        "Release": { "Name": "tidegate", "Namespace": "tidegate" },
        "Chart": { "AppVersion": VERSION },
    });
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(format!("{CHART}/templates")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.insert(name, render(&fs::read_to_string(&path).unwrap(), &data)?);
    }
    Ok(files)
}

/// Returns the objects that the chart renders.
pub(crate) fn objects(changes: &Value) -> Vec<Value> {
    let files = rendered(changes).unwrap();
    files.iter().filter(|(name, _)| name.ends_with(".yaml")).flat_map(|(_, text)| documents(text)).collect()
}

/// Parses a YAML stream.
pub(crate) fn documents(text: &str) -> Vec<Value> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(text).unwrap();
    documents.into_iter().filter(|document| !document.is_null()).collect()
}

/// Compares a file with what it has to contain, or writes it if the environment variable `TIDEGATE_UPDATE` is set.
fn is_current(path: &str, expected: &str) {
    if std::env::var_os("TIDEGATE_UPDATE").is_some() {
        fs::write(path, expected).unwrap();
    }
    let held = fs::read_to_string(path).unwrap_or_default();
    assert!(held == expected, "{path} is stale: run `TIDEGATE_UPDATE=1 cargo test --locked --test main deploy::`");
}

/// Returns the template of the roles: the output of `tidegate rbac`, in which some rules depend on the delivery.
fn roles() -> String {
    let everything = doctor::manifests(DeliveryMode::Auto, &std::collections::BTreeSet::new());
    let upstream = doctor::manifests(DeliveryMode::Upstream, &std::collections::BTreeSet::new());
    let (_, manifests) = everything.split_once('\n').unwrap();
    // The text of a rule begins with its reason, which no other rule has.
    let mut text = String::new();
    for rule in manifests.split_inclusive("\n").collect::<Vec<_>>().chunk_by(|_, next| !next.starts_with("  # ")) {
        let rule: String = rule.concat();
        let (rule, after) = match rule.split_once("---\n") {
            Some((rule, after)) if rule.starts_with("  # ") => (rule.to_owned(), format!("---\n{after}")),
            _ => (rule, String::new()),
        };
        if rule.starts_with("  # ") && !upstream.contains(&rule) {
            text.push_str("  {{- if ne .Values.delivery \"upstream\" }}\n");
            text.push_str(&rule);
            text.push_str("  {{- end }}\n");
        } else {
            text.push_str(&rule);
        }
        if !after.is_empty() {
            text.push_str("  {{- with .Values.rbac.extraRules }}\n  # From the value rbac.extraRules.\n");
            text.push_str("  {{- toYaml . | nindent 2 }}\n  {{- end }}\n");
            text.push_str(&after);
        }
    }
    let text = text
        .replace("namespace: tidegate\n", "namespace: {{ .Release.Namespace }}\n")
        .replace("name: tidegate\n", "name: {{ .Release.Name }}\n")
        .replace("name: tidegate-lease\n", "name: {{ .Release.Name }}-lease\n")
        .replace("resourceNames: [tidegate]\n", "resourceNames: [{{ .Release.Name }}]\n");
    format!("# Generated from the table of permissions in src/doctor/permission.rs.\n{text}")
}

#[test]
fn the_template_of_the_roles_matches_the_table() {
    is_current(&format!("{CHART}/templates/rbac.yaml"), &roles());
}

#[test]
fn the_manifests_are_what_the_chart_renders() {
    let files = rendered(&json!({})).unwrap();
    for (name, text) in &files {
        if name == "NOTES.txt" || name == "rbac.yaml" {
            continue;
        }
        let text = text.trim_start();
        is_current(&format!("deploy/{name}"), &format!("# Generated from {CHART}/templates/{name}.\n{text}"));
    }
    let list: Value = serde_saphyr::from_str(&fs::read_to_string("deploy/kustomization.yaml").unwrap()).unwrap();
    let mut expected: Vec<&str> = files.keys().map(String::as_str).filter(|name| *name != "NOTES.txt").collect();
    expected.insert(0, "namespace.yaml");
    assert_eq!(list["resources"], json!(expected));
}

#[test]
fn the_role_is_the_smallest_of_each_delivery() {
    for (delivery, mode) in
        [("auto", DeliveryMode::Auto), ("native", DeliveryMode::Native), ("upstream", DeliveryMode::Upstream)]
    {
        let files = rendered(&json!({ "delivery": delivery })).unwrap();
        let expected = doctor::manifests(mode, &std::collections::BTreeSet::new());
        assert_eq!(documents(&files["rbac.yaml"]), documents(&expected), "{delivery}");
    }
    let rule = json!({ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"] });
    let files = rendered(&json!({ "rbac": { "extraRules": [rule] } })).unwrap();
    let role = documents(&files["rbac.yaml"]).into_iter().find(|object| object["kind"] == "ClusterRole").unwrap();
    assert_eq!(role["rules"].as_array().unwrap().last(), Some(&rule));
}

#[test]
fn the_chart_has_the_version_of_the_program() {
    let chart: Value = serde_saphyr::from_str(&fs::read_to_string(format!("{CHART}/Chart.yaml")).unwrap()).unwrap();
    assert_eq!(chart["version"], VERSION);
    assert_eq!(chart["appVersion"], VERSION);
}
