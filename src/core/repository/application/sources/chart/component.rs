//! The type `helm` of components: its properties, and the objects of the chart that it names.

use serde_json::{Map, Value, json};

use crate::application::parsed::{Component, set};
use crate::read::builtin::is_namespaced;
use tidegate_api::schema::path::Path;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;
use tidegate_model::name::ApplicationName;
use tidegate_model::object::ObjectKey;

/// The type of a component that has the objects of a chart.
pub(crate) const HELM: &str = "helm";
/// The property that names the chart, as the annotation of an AddOnTemplate does.
pub(super) const CHART: &str = "chart";
/// The property with the version of a chart that is elsewhere.
pub(super) const VERSION: &str = "version";
/// The property with values, which apply after those of files.
pub(in crate::application) const VALUES: &str = "values";
/// The property with the paths of values files.
pub(super) const VALUES_FILES: &str = "valuesFiles";
/// The property with the name of the release.
pub(super) const RELEASE: &str = "releaseName";
/// The property with the namespace of the release.
pub(super) const NAMESPACE: &str = "targetNamespace";
/// The property with the objects of the chart, for each set of values that some clusters get.
pub(super) const RENDERED: &str = "rendered";
/// In an item of that property: what the objects were rendered for.
pub(super) const RENDERED_FOR: &str = "for";
/// In an item of that property: the objects. They are missing if there is an error, which is reported where they are looked for.
pub(super) const OBJECTS: &str = "objects";

/// The properties that only a published revision has, since they are what a chart renders to.
pub(crate) const MADE: [&str; 1] = [RENDERED];

/// What to do instead of naming the address of a chart in a property of its own.
const ADDRESS: &str = "is not supported: the manifests of a chart are pinned in this repository; write the address with the name of the chart in chart, such as \
                       https://example.com/charts/web or oci://example.com/charts/web, and run `tidegate vendor`";
/// What to do instead of naming a chart in a Git repository or a bucket.
const SOURCE: &str = "is not supported: the manifests of a chart are pinned in this repository; copy the chart into a directory, name that directory in chart, such \
                      as ./charts/web, and run `tidegate vendor`";
/// What to do instead of naming credentials.
const CREDENTIALS: &str = "is not supported: clusters do not download charts; remove it, and give the credentials to `tidegate vendor` with --credentials-file";
/// What to do instead of reading values from objects of the cluster.
const VALUES_FROM: &str =
    "is not supported: the values are those of the commit; write values or valuesFiles, and run `tidegate vendor`";
/// What to do with a setting of the controller that would install the chart.
const NO_EFFECT: &str = "has no effect: nothing installs the chart, since `tidegate vendor` renders it; remove it";
/// Properties of KubeVela that are refused, with what to do instead.
pub(crate) const REMOTE: [(&str, &str); 16] = [
    ("namespace", "has another name; write targetNamespace"),
    ("repoType", ADDRESS),
    ("url", ADDRESS),
    ("git", SOURCE),
    ("oss", SOURCE),
    ("secretRef", CREDENTIALS),
    ("valuesFrom", VALUES_FROM),
    ("pullInterval", NO_EFFECT),
    ("interval", NO_EFFECT),
    ("timeout", NO_EFFECT),
    ("installTimeout", NO_EFFECT),
    ("retries", NO_EFFECT),
    ("force", NO_EFFECT),
    ("upgradeCRD", NO_EFFECT),
    ("install", NO_EFFECT),
    ("upgrade", NO_EFFECT),
];

/// Maximum objects of a chart.
const MOST_OBJECTS: usize = 1_000;

/// Returns the schema of the properties. Those of KubeVela are known, and refused with what to write instead.
pub(in crate::application) fn schema() -> Value {
    let text = || json!({ "type": "string", "minLength": 1 });
    let any = || json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let rendering = json!({
        "type": "object",
        "required": [RENDERED_FOR],
        "properties": { RENDERED_FOR: text(), OBJECTS: { "type": "array", "items": any() } },
    });
    let mut properties = json!({
        CHART: text(),
        VERSION: text(),
        VALUES: any(),
        VALUES_FILES: { "type": "array", "items": text() },
        RELEASE: text(),
        NAMESPACE: text(),
        RENDERED: { "type": "array", "items": rendering },
    });
    for (member, _) in REMOTE {
        properties[member] = json!({ "x-kubernetes-preserve-unknown-fields": true });
    }
    json!({ "type": "object", "required": [CHART], "properties": properties })
}

/// Returns what is wrong with one of these properties where people write it.
pub(crate) fn made(at: &Path) -> String {
    format!("{at} is what the chart renders, and is not written; remove it")
}

/// Returns the namespace of a release.
pub(super) fn namespace<'c>(application: &'c ApplicationName, component: &'c Component) -> &'c str {
    let own = component.properties.get(NAMESPACE).and_then(Value::as_str);
    own.unwrap_or_else(|| application.namespace())
}

/// Returns what identifies everything that a component says about its chart.
pub(super) fn rendered_for(application: &ApplicationName, component: &Component) -> String {
    let written = component.properties.iter().filter(|(name, _)| *name != RENDERED);
    let written: Map<String, Value> = written.map(|(name, value)| (name.clone(), value.clone())).collect();
    let all = json!({ "component": component.written(), "namespace": application.namespace(), "properties": written });
    Digest::of(go_json(&all).as_bytes()).as_str().to_owned()
}

/// Returns `true` if a component has a chart that cannot be used, which is reported where charts are looked for.
pub(crate) fn has_failed(component: &Value) -> bool {
    let renderings = component["properties"][RENDERED].as_array().into_iter().flatten();
    component["type"] == HELM && renderings.into_iter().any(|rendering| rendering.get(OBJECTS).is_none())
}

/// Returns the objects of the chart of a component.
///
/// # Errors
/// What follows the path of the component in a message; nothing for an error that is reported already.
pub(in crate::application) fn objects(
    application: &ApplicationName,
    component: &Component,
) -> Result<Vec<Value>, Option<String>> {
    let wanted = rendered_for(application, component);
    let renderings = component.properties.get(RENDERED).and_then(Value::as_array).into_iter().flatten();
    let rendering = renderings.into_iter().find(|rendering| rendering[RENDERED_FOR] == *wanted);
    let rendering = rendering.ok_or_else(|| {
        Some("is a chart that is not rendered; write it as a component, and select it in the override".to_owned())
    })?;
    let mut objects = rendering.get(OBJECTS).and_then(Value::as_array).cloned().ok_or(None)?;
    if objects.is_empty() {
        return Err(Some("is a chart without objects; choose other values, or remove the component".to_owned()));
    }
    if objects.len() > MOST_OBJECTS {
        let count = objects.len();
        return Err(Some(format!("is a chart with {count} objects; {MOST_OBJECTS} are allowed, so split it")));
    }
    let namespace = namespace(application, component);
    objects.iter_mut().for_each(|object| complete(object, namespace));
    Ok(objects)
}

/// Adds the namespace of the release to an object without one, as Helm does when it installs a chart.
fn complete(object: &mut Value, namespace: &str) {
    let needs_one = |key: &ObjectKey| key.namespace.is_empty() && is_namespaced(&key.group, &key.kind) == Some(true);
    if ObjectKey::of(object).as_ref().is_some_and(needs_one) {
        set(object, &["metadata", "namespace"], json!(namespace));
    }
}
