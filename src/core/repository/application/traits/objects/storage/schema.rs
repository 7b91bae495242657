//! The schema of the trait `storage`.

use serde_json::{Value, json};

use crate::application::schema::{flag, label, label_selector, list, object, one_of, quantity, text, text_map};
use crate::application::volume::{keys, medium, mode};

/// Returns the schema of the properties. The names become a part of the names of volumes, which have at most 63 characters.
pub(in crate::application::traits) fn schema() -> Value {
    let empty = json!({ "name": label(54), "mountPath": text(), "subPath": text(), "medium": medium() });
    let properties = json!({
        "pvc": list(claim()),
        "configMap": list(config_map()),
        "secret": list(secret()),
        "emptyDir": list(object(&["name", "mountPath"], empty)),
        "hostPath": list(host_path()),
    });
    object(&[], properties)
}

fn claim() -> Value {
    let amount = || object(&["storage"], json!({ "storage": quantity() }));
    let source = || object(&["name", "kind"], json!({ "name": text(), "kind": text(), "apiGroup": text() }));
    let properties = json!({
        "name": label(59),
        "mountOnly": flag(),
        "mountPath": text(),
        "subPath": text(),
        "volumeMode": one_of(&["Filesystem", "Block"]),
        "volumeName": text(),
        "accessModes": list(one_of(&["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"])),
        "storageClassName": { "type": "string" },
        "resources": object(&["requests"], json!({ "requests": amount(), "limits": amount() })),
        "dataSourceRef": source(),
        "dataSource": source(),
        "selector": label_selector(),
    });
    object(&["name", "mountPath"], properties)
}

fn config_map() -> Value {
    let mut schema = files(53, "configMapKey");
    schema["properties"]["data"] = text_map();
    schema
}

fn secret() -> Value {
    let mut schema = files(56, "secretKey");
    schema["properties"]["data"] = text_map();
    schema["properties"]["stringData"] = text_map();
    schema
}

/// Returns what a ConfigMap and a Secret have in common.
fn files(longest: usize, key: &str) -> Value {
    let variable = object(&["envName", key], json!({ "envName": text(), key: text() }));
    let properties = json!({
        "name": label(longest),
        "mountOnly": flag(),
        "mountToEnv": variable,
        "mountToEnvs": list(variable.clone()),
        "mountPath": text(),
        "subPath": text(),
        "defaultMode": mode(),
        "readOnly": flag(),
        "items": keys(),
    });
    object(&["name"], properties)
}

fn host_path() -> Value {
    let types = ["Directory", "DirectoryOrCreate", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"];
    let properties = json!({ "name": label(54), "path": text(), "mountPath": text(), "type": one_of(&types) });
    object(&["name", "path", "mountPath"], properties)
}
