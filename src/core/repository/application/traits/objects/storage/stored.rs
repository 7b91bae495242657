//! The volumes in the properties of the trait `storage`.

use serde_json::{Map, Value, json};

use crate::application::parsed::{present, set};
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
    pub(super) volume: String,
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
    pub(super) fn volume(&self) -> Option<Value> {
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
    pub(super) fn mount(&self) -> Option<(&'static str, Value)> {
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
    pub(super) fn variables(&self) -> Vec<Value> {
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

/// Returns the volumes of the properties.
pub(super) fn stored(properties: &Map<String, Value>) -> Vec<Stored<'_>> {
    let of_kind = |(kind, prefix): (&'static str, &'static str)| {
        let items = properties.get(kind).and_then(Value::as_array).into_iter().flatten().enumerate();
        items.map(move |(index, given)| {
            let name = given.get("name").and_then(Value::as_str).unwrap_or_default();
            Stored { kind, at: Path::default().member(kind).item(index), volume: format!("{prefix}{name}"), given }
        })
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}
