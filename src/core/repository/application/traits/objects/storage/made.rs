//! The objects that the trait `storage` adds, unless they exist already (`mountOnly`).

use serde_json::{Value, json};

use super::stored::Stored;
use crate::application::parsed::{present, set};
use crate::application::traits::target::Problem;

/// What a claim requests by default.
const REQUEST: &str = "8Gi";

/// Returns the object that a volume needs; `None` if it needs none, or the object exists already.
pub(super) fn object(of: &Stored<'_>) -> Result<Option<Value>, Problem> {
    let given = |member: &str| of.given.get(member).cloned();
    let made = |version: &str, kind: &str| json!({ "apiVersion": version, "kind": kind, "metadata": { "name": of.text("name") } });
    if of.flag("mountOnly") {
        let own = [
            "data",
            "stringData",
            "resources",
            "storageClassName",
            "volumeName",
            "selector",
            "dataSource",
            "dataSourceRef",
        ];
        return match own.into_iter().find(|member| of.given.get(member).is_some()) {
            Some(member) => {
                let why = "has no effect with mountOnly: true, because the object exists already; remove it";
                Err(Problem::at(&[member], why).within(&of.at))
            }
            None => Ok(None),
        };
    }
    let mut object = match of.kind {
        "pvc" => made("v1", "PersistentVolumeClaim"),
        "configMap" => made("v1", "ConfigMap"),
        "secret" => made("v1", "Secret"),
        _ => return Ok(None),
    };
    let members = match of.kind {
        "pvc" => vec![("spec", Some(claim(of)))],
        _ => vec![("data", given("data")), ("stringData", given("stringData"))],
    };
    for (member, value) in members {
        if let Some(value) = value {
            set(&mut object, &[member], value);
        }
    }
    Ok(Some(object))
}

fn claim(of: &Stored<'_>) -> Value {
    let given = |member: &str| of.given.get(member).cloned();
    present([
        ("accessModes", Some(given("accessModes").unwrap_or_else(|| json!(["ReadWriteOnce"])))),
        ("volumeMode", Some(given("volumeMode").unwrap_or_else(|| json!("Filesystem")))),
        ("volumeName", given("volumeName")),
        ("storageClassName", given("storageClassName")),
        ("resources", Some(given("resources").unwrap_or_else(|| json!({ "requests": { "storage": REQUEST } })))),
        ("dataSourceRef", given("dataSourceRef")),
        ("dataSource", given("dataSource")),
        ("selector", given("selector")),
    ])
}
