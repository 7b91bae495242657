//! The volumes of pods, and where containers mount them.
//!
//! # Source
//! KubeVela's definitions of `webservice` (`volumeMounts`) and `task` (`volumes`). A volume that is mounted twice is listed twice.

use serde_json::{Map, Value, json};

use super::parsed::{present, set};
use super::schema::{label, list, object, one_of, text};
use tidegate_api::schema::path::Path;

/// The kinds of volumes, in the order in which they are rendered.
const KINDS: [&str; 5] = ["pvc", "configMap", "secret", "emptyDir", "hostPath"];
/// The mode of files, 0644, and of the files of a list of keys, 0777.
const MODES: [i64; 2] = [420, 511];

/// A volume at a path of a container.
pub(crate) struct Mounted<'v> {
    /// The place in the properties.
    pub(crate) at: Path,
    /// The kind of volume.
    pub(crate) kind: &'v str,
    /// Its properties.
    pub(crate) given: &'v Value,
}

/// Returns the schema of `volumeMounts`.
pub(super) fn mounts_schema() -> Value {
    let of_kind = |kind: &str| {
        let mut item = base();
        item["properties"]["subPath"] = text();
        for (member, schema) in fields(kind) {
            item["properties"][member] = schema;
        }
        if let Some(source) = source_field(kind) {
            item["required"] = json!(["name", "mountPath", source]);
        }
        list(item)
    };
    let kinds: Map<String, Value> = KINDS.into_iter().map(|kind| (kind.to_owned(), of_kind(kind))).collect();
    object(&[], Value::Object(kinds))
}

/// Returns the schema of `volumes`, the form in which a task has them. Which fields a volume needs depends on its type.
pub(super) fn list_schema() -> Value {
    let mut item = base();
    let kinds = KINDS.into_iter().filter(|kind| *kind != "hostPath");
    item["properties"]["type"] = one_of(&kinds.clone().collect::<Vec<_>>());
    for (member, schema) in kinds.flat_map(fields) {
        item["properties"][member] = schema;
    }
    list(item)
}

fn base() -> Value {
    object(&["name", "mountPath"], json!({ "name": label(63), "mountPath": text() }))
}

/// Returns the schemas of the fields that only a volume of this kind has.
fn fields(kind: &str) -> Vec<(&'static str, Value)> {
    let files = |name: &'static str| vec![(name, text()), ("defaultMode", mode()), ("items", keys())];
    match kind {
        "pvc" => vec![("claimName", text())],
        "configMap" => files("cmName"),
        "secret" => files("secretName"),
        "hostPath" => vec![("path", text())],
        _ => vec![("medium", medium())],
    }
}

/// Returns the fields that a volume of this kind can have, and that not every volume has.
pub(crate) fn own_fields(kind: &str) -> impl Iterator<Item = &'static str> {
    fields(kind).into_iter().map(|(member, _)| member)
}

/// Returns the schema of the mode of a file.
pub(super) fn mode() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": 511 })
}

/// Returns the schema of the keys of a ConfigMap or Secret that become files.
pub(super) fn keys() -> Value {
    list(object(&["key", "path"], json!({ "key": text(), "path": text(), "mode": mode() })))
}

/// Returns the schema of the medium of an empty directory.
pub(super) fn medium() -> Value {
    one_of(&["", "Memory"])
}

/// Returns the schema of entries of `/etc/hosts`.
pub(super) fn host_aliases() -> Value {
    let names = json!({ "type": "array", "minItems": 1, "items": text() });
    list(object(&["ip", "hostnames"], json!({ "ip": text(), "hostnames": names })))
}

/// Returns the field with the source of a volume of this kind; `None` if it has no source.
pub(crate) fn source_field(kind: &str) -> Option<&'static str> {
    match kind {
        "pvc" => Some("claimName"),
        "configMap" => Some("cmName"),
        "secret" => Some("secretName"),
        "hostPath" => Some("path"),
        _ => None,
    }
}

/// Returns the volumes of a component in their order, each with its place. The older list counts only if there is no other.
pub(crate) fn mounted(properties: &Map<String, Value>) -> Vec<Mounted<'_>> {
    let root = Path::default();
    let Some(mounts) = properties.get("volumeMounts") else {
        let at = root.member("volumes");
        let kind = |given: &Value| KINDS.into_iter().find(|kind| given.get("type") == Some(&json!(kind)));
        let listed = items(properties.get("volumes")).enumerate();
        return listed
            .map(|(index, given)| Mounted { at: at.item(index), kind: kind(given).unwrap_or("emptyDir"), given })
            .collect();
    };
    let of_kind = |kind: &'static str| {
        let at = root.member("volumeMounts").member(kind);
        items(mounts.get(kind)).enumerate().map(move |(index, given)| Mounted { at: at.item(index), kind, given })
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

fn items(list: Option<&Value>) -> impl Iterator<Item = &Value> {
    list.and_then(Value::as_array).into_iter().flatten()
}

impl Mounted<'_> {
    /// Returns the name of the volume.
    pub(crate) fn name(&self) -> &str {
        self.given.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the volume without its name.
    pub(crate) fn source(&self) -> Value {
        let name = source_field(self.kind).and_then(|field| self.given.get(field)).cloned().unwrap_or_default();
        source(self.kind, name, self.given)
    }

    fn mount(&self) -> Value {
        let given = |member: &str| self.given.get(member).cloned();
        present([("name", given("name")), ("mountPath", given("mountPath")), ("subPath", given("subPath"))])
    }
}

/// Returns a volume of a kind, without its name: the name of its source, and the other fields as given.
pub(super) fn source(kind: &str, name: Value, given: &Value) -> Value {
    let files = |field: &str| {
        let items = given.get("items").and_then(Value::as_array).map(|items| items.iter().map(key).collect());
        let mode = given.get("defaultMode").cloned().unwrap_or_else(|| json!(MODES[0]));
        present([(field, Some(name.clone())), ("defaultMode", Some(mode)), ("items", items)])
    };
    match kind {
        "pvc" => json!({ "persistentVolumeClaim": { "claimName": name } }),
        "configMap" => json!({ "configMap": files("name") }),
        "secret" => json!({ "secret": files("secretName") }),
        "hostPath" => json!({ "hostPath": present([("path", Some(name)), ("type", given.get("type").cloned())]) }),
        _ => {
            let medium = given.get("medium").filter(|medium| **medium != "").cloned();
            json!({ "emptyDir": present([("medium", medium)]) })
        }
    }
}

fn key(given: &Value) -> Value {
    let mut key = given.clone();
    if key.get("mode").is_none() {
        set(&mut key, &["mode"], json!(MODES[1]));
    }
    key
}

/// Returns the volumes of the pods of a component, each once, and the mounts of its container.
pub(super) fn rendered(properties: &Map<String, Value>) -> [Option<Value>; 2] {
    let mounted = mounted(properties);
    let is_first = |(index, volume): &(usize, &Mounted<'_>)| {
        mounted.iter().take(*index).all(|earlier| earlier.name() != volume.name())
    };
    let volume = |(_, volume): (usize, &Mounted<'_>)| {
        let mut source = volume.source();
        set(&mut source, &["name"], json!(volume.name()));
        source
    };
    let volumes: Vec<Value> = mounted.iter().enumerate().filter(is_first).map(volume).collect();
    let mounts: Vec<Value> = mounted.iter().map(Mounted::mount).collect();
    [volumes, mounts].map(|list| Some(Value::Array(list)).filter(|_| !mounted.is_empty()))
}
