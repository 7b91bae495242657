//! The trait `sidecar`.

use serde_json::{Map, Value, json};

use super::pods::pod;
use crate::application::parsed::present;
use crate::application::schema::{core, env, label, list, object, text, texts};
use crate::application::traits::target::{Problem, Target};

/// Returns the schema of the properties.
pub(in crate::application::traits) fn schema() -> Value {
    let mount = object(&["name", "path"], json!({ "name": label(63), "path": text() }));
    let properties = json!({
        "name": label(63),
        "image": text(),
        "cmd": texts(),
        "args": texts(),
        "env": env(),
        "volumes": list(mount),
        "livenessProbe": core("Probe"),
        "readinessProbe": core("Probe"),
    });
    object(&["name", "image"], properties)
}

/// Adds a container to the pods.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let given = |member: &str| properties.get(member).cloned();
    let volumes = properties.get("volumes").and_then(Value::as_array);
    let mount = |volume: &Value| json!({ "name": volume.get("name"), "mountPath": volume.get("path") });
    let added = present([
        ("name", given("name")),
        ("image", given("image")),
        ("command", given("cmd")),
        ("args", given("args")),
        ("env", given("env")),
        ("volumeMounts", volumes.map(|volumes| volumes.iter().map(mount).collect())),
        ("livenessProbe", given("livenessProbe")),
        ("readinessProbe", given("readinessProbe")),
    ]);
    let containers = target.objects.first_mut().and_then(pod).and_then(|pod| pod.get_mut("containers")?.as_array_mut());
    let Some(containers) = containers else { return Ok(()) };
    if containers.iter().any(|container| container.get("name") == added.get("name")) {
        return Err(Problem::at(&["name"], "is the name of a container that the pods have; choose another one"));
    }
    containers.push(added);
    Ok(())
}
