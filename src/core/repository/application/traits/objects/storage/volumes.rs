//! What the trait `storage` adds: volumes, where the first container mounts them, variables from them, and the objects that they need.

use serde_json::{Map, Value, json};

use super::made;
use crate::application::parsed::{present, set};
use crate::application::traits::target::{Problem, Target};
use crate::application::traits::workload::pods::{first_container, pod, put};
use crate::application::volume::source;
use tidegate_api::schema::path::Path;

/// The kinds of volumes, and what their names start with, in the order in which they are rendered.
const KINDS: [(&str, &str); 5] = [
    ("pvc", "pvc-"),
    ("configMap", "configmap-"),
    ("secret", "secret-"),
    ("emptyDir", "emptydir-"),
    ("hostPath", "hostpath-"),
];

/// One volume of the properties.
pub(super) struct Stored<'p> {
    pub(super) kind: &'static str,
    pub(super) at: Path,
    /// The name of the volume in the pods.
    volume: String,
    pub(super) given: &'p Value,
}

impl Stored<'_> {
    pub(super) fn text(&self, member: &str) -> Option<&str> {
        self.given.get(member).and_then(Value::as_str)
    }

    pub(super) fn flag(&self, member: &str) -> bool {
        self.given.get(member) == Some(&json!(true))
    }

    /// Returns the volume of the pods. A ConfigMap or Secret without a path is not mounted: it is only a source of variables.
    fn volume(&self) -> Option<Value> {
        self.given.get("mountPath")?;
        let mut volume = match self.kind {
            "hostPath" => {
                let type_ = self.given.get("type").cloned().unwrap_or_else(|| json!("Directory"));
                source("hostPath", json!(self.text("path")), &json!({ "type": type_ }))
            }
            kind => source(kind, json!(self.text("name")), self.given),
        };
        set(&mut volume, &["name"], json!(self.volume));
        Some(volume)
    }

    /// Returns the list of the container that the volume is added to, and the entry.
    fn mount(&self) -> Option<(&'static str, Value)> {
        let given = |member: &str| self.given.get(member).cloned();
        let path = given("mountPath")?;
        if self.text("volumeMode") == Some("Block") {
            return Some(("volumeDevices", json!({ "name": self.volume, "devicePath": path })));
        }
        let mount = present([
            ("name", Some(json!(self.volume))),
            ("mountPath", Some(path)),
            ("subPath", given("subPath")),
            ("readOnly", given("readOnly").filter(|read_only| *read_only == json!(true))),
        ]);
        Some(("volumeMounts", mount))
    }

    /// Returns the variables of the container that come from a ConfigMap or Secret.
    fn variables(&self) -> Vec<Value> {
        let (reference, key) = match self.kind {
            "configMap" => ("configMapKeyRef", "configMapKey"),
            _ => ("secretKeyRef", "secretKey"),
        };
        let listed = self.given.get("mountToEnvs").and_then(Value::as_array).into_iter().flatten();
        let all = self.given.get("mountToEnv").into_iter().chain(listed);
        let variable = |given: &Value| {
            let source = json!({ "name": self.text("name"), "key": given.get(key) });
            json!({ "name": given.get("envName"), "valueFrom": { reference: source } })
        };
        all.map(variable).collect()
    }
}

fn stored(properties: &Map<String, Value>) -> Vec<Stored<'_>> {
    let of_kind = |(kind, prefix): (&'static str, &'static str)| {
        let items = properties.get(kind).and_then(Value::as_array).into_iter().flatten().enumerate();
        items.map(move |(index, given)| {
            let name = given.get("name").and_then(Value::as_str).unwrap_or_default();
            Stored { kind, at: Path::default().member(kind).item(index), volume: format!("{prefix}{name}"), given }
        })
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

/// Adds volumes to the pods, mounts and variables to the first container, and the objects that the volumes need.
pub(in crate::application::traits) fn apply(
    properties: &Map<String, Value>,
    target: &mut Target<'_>,
) -> Result<(), Problem> {
    let stored = stored(properties);
    let Some(workload) = target.objects.first_mut() else { return Ok(()) };
    for item in &stored {
        if let Some(volume) = item.volume() {
            let Some(pod) = pod(workload) else { return Ok(()) };
            let volumes = pod.get("volumes").and_then(Value::as_array);
            let other =
                volumes.and_then(|volumes| volumes.iter().find(|other| other.get("name") == volume.get("name")));
            if other.is_some_and(|other| *other != volume) {
                let why =
                    format!("needs a volume {}, but the pods have another one of that name; rename one", item.volume);
                return Err(Problem::at(&["name"], why).within(&item.at));
            }
            put(pod, "volumes", volume);
        }
        let Some(container) = first_container(workload) else { return Ok(()) };
        if let Some((list, mount)) = item.mount() {
            append(container, list, mount);
        }
        item.variables().into_iter().for_each(|variable| put(container, "env", variable));
    }
    let mut made: Vec<Value> = Vec::new();
    for item in &stored {
        let Some(object) = made::object(item)? else { continue };
        if !made.contains(&object) {
            made.push(object);
        }
    }
    target.objects.append(&mut made);
    Ok(())
}

/// Adds an item to a list of a container. A volume can be mounted several times.
fn append(container: &mut Value, list: &str, item: Value) {
    let mut items = container.get(list).and_then(Value::as_array).cloned().unwrap_or_default();
    items.push(item);
    set(container, &[list], Value::Array(items));
}
