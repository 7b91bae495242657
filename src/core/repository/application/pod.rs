//! The pods of components that run containers.
//!
//! # Source
//! KubeVela's definitions of these types. A pod has one container, with the name of the component.

use serde_json::{Map, Value, json};

use super::parsed::{COMPONENT_LABEL, present, set};
use super::port::Port;
use super::schema::{core, env, list, object, one_of, quantity, text, text_map, texts};
use super::volume;

/// Returns the schema of the properties that every component with containers has.
pub(super) fn base() -> Value {
    let properties = json!({
        "image": text(),
        "imagePullPolicy": one_of(&["Always", "Never", "IfNotPresent"]),
        "imagePullSecrets": list(text()),
        "cmd": texts(),
        "env": env(),
        "cpu": quantity(),
        "memory": quantity(),
        "labels": text_map(),
        "annotations": text_map(),
    });
    object(&["image"], properties)
}

/// Returns the schema of the properties of a component whose pods run all the time.
pub(super) fn lasting() -> Value {
    let mut schema = base();
    let more = [
        ("args", texts()),
        ("limit", object(&[], json!({ "cpu": quantity(), "memory": quantity() }))),
        ("livenessProbe", core("Probe")),
        ("readinessProbe", core("Probe")),
        ("volumeMounts", volume::mounts_schema()),
        ("hostAliases", volume::host_aliases()),
    ];
    for (member, of_member) in more {
        schema["properties"][member] = of_member;
    }
    schema
}

/// Returns the template of the pods of a component.
pub(super) fn template(name: &str, properties: &Map<String, Value>, ports: &[Port]) -> Value {
    let mut labels = properties.get("labels").cloned().unwrap_or_else(|| json!({}));
    set(&mut labels, &[COMPONENT_LABEL], json!(name));
    let [volumes, mounts] = volume::rendered(properties);
    let metadata = present([("labels", Some(labels)), ("annotations", properties.get("annotations").cloned())]);
    let spec = present([
        ("containers", Some(json!([container(name, properties, ports, mounts)]))),
        ("imagePullSecrets", secrets(properties)),
        ("hostAliases", properties.get("hostAliases").cloned()),
        ("volumes", volumes),
    ]);
    json!({ "metadata": metadata, "spec": spec })
}

fn container(name: &str, properties: &Map<String, Value>, ports: &[Port], mounts: Option<Value>) -> Value {
    let as_given = |member: &str| properties.get(member).cloned();
    let listed: Vec<Value> = ports.iter().map(Port::of_container).collect();
    present([
        ("name", Some(json!(name))),
        ("image", as_given("image")),
        ("imagePullPolicy", as_given("imagePullPolicy")),
        ("command", as_given("cmd")),
        ("args", as_given("args")),
        ("ports", Some(json!(listed)).filter(|_| !listed.is_empty())),
        ("env", as_given("env")),
        ("resources", resources(properties)),
        ("volumeMounts", mounts),
        ("livenessProbe", as_given("livenessProbe")),
        ("readinessProbe", as_given("readinessProbe")),
    ])
}

/// Returns the resources of a container. The limit of a resource is what is requested of it, unless another one is given.
fn resources(properties: &Map<String, Value>) -> Option<Value> {
    let limit = |what: &str| properties.get("limit").and_then(|limit| limit.get(what)).cloned();
    let amounts = |of: &dyn Fn(&str) -> Option<Value>| {
        let given = ["cpu", "memory"].into_iter().filter_map(|what| Some((what.to_owned(), of(what)?)));
        Some(given.collect::<Map<_, _>>()).filter(|amounts| !amounts.is_empty()).map(Value::Object)
    };
    let requests = amounts(&|what| properties.get(what).cloned());
    let limits = amounts(&|what| limit(what).or_else(|| properties.get(what).cloned()));
    let is_given = requests.is_some() || limits.is_some();
    is_given.then(|| present([("requests", requests), ("limits", limits)]))
}

fn secrets(properties: &Map<String, Value>) -> Option<Value> {
    let names = properties.get("imagePullSecrets")?.as_array()?;
    Some(names.iter().map(|name| json!({ "name": name })).collect())
}
