//! Validation and defaulting of ConfigMaps and Secrets.
//!
//! # Source
//! `ValidateConfigMap` and `ValidateSecret` of `k8s.io/kubernetes/pkg/apis/core/validation`.

use serde_json::{Map, Value, json};

use crate::api_error::Cause;
use crate::kind::Kind;
use crate::object;
use tidegate_go::base64;
use tidegate_go::quote::go_quoted;

/// Maximum total size of all values, in bytes.
const SIZE_LIMIT: usize = 1024 * 1024;

const KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or \
     'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/// Merges `stringData` of a Secret into `data`, and sets the default type.
pub(in crate::verbs) fn fill_secret(object: &mut Value) {
    if let Some(Value::Object(texts)) = object::members_mut(object).remove("stringData") {
        let data = object::members_mut(object).entry("data").or_insert_with(|| Value::Object(Map::new()));
        for (key, text) in texts {
            let encoded = base64::encode(text.as_str().unwrap_or_default().as_bytes());
            object::members_mut(data).insert(key, json!(encoded));
        }
    }
    object::fill_absent(object, &json!({ "type": "Opaque" }));
}

/// Returns the decoded length of a base64 string, in bytes.
fn decoded_length(text: &str) -> usize {
    text.trim_end_matches('=').len() * 3 / 4
}

fn forbidden(field: &str, why: &str) -> Cause {
    Cause::new("FieldValueForbidden", field, format!("Forbidden: {why}"))
}

/// Returns the errors in a ConfigMap or Secret.
pub(in crate::verbs) fn causes(kind: &Kind, before: Option<&Value>, object: &Value) -> Vec<Cause> {
    let is_secret = kind.kind == "Secret";
    let mut causes = Vec::new();
    if let Some(before) = before {
        causes.extend(change_causes(is_secret, before, object));
    }
    let members = |name: &str| object.get(name).and_then(Value::as_object).into_iter().flatten();
    let binary = object.get("binaryData");
    let mut size = 0;
    for name in ["data", "binaryData"] {
        for (key, value) in members(name) {
            let field = format!("{name}[{key}]");
            causes.extend(key_problems(key).into_iter().map(|why| Cause::invalid(&*field, &go_quoted(key), &why)));
            if name == "data" && binary.is_some_and(|binary| binary.get(key).is_some()) {
                causes.push(Cause::invalid(field, &go_quoted(key), "duplicate of key present in binaryData"));
            }
            let text = value.as_str().unwrap_or_default();
            size += if is_secret || name == "binaryData" { decoded_length(text) } else { text.len() };
        }
    }
    if size > SIZE_LIMIT {
        let field = if is_secret { "data" } else { "" };
        causes.push(Cause::new(
            "FieldValueTooLong",
            field,
            format!("Too long: may not be more than {SIZE_LIMIT} bytes"),
        ));
    }
    if is_secret {
        causes.extend(secret_causes(object));
    }
    causes
}

fn key_problems(key: &str) -> Vec<String> {
    let mut found = Vec::new();
    if key.len() > 253 {
        found.push("must be no more than 253 bytes".to_owned());
    }
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if key.is_empty() || !key.chars().all(inner) {
        found.push(KEY.to_owned());
    }
    if matches!(key, "." | "..") {
        found.push(format!("must not be '{key}'"));
    } else if key.starts_with("..") {
        found.push("must not start with '..'".to_owned());
    }
    found
}

fn change_causes(is_secret: bool, before: &Value, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    if is_secret && before.get("type") != object.get("type") {
        let given = object.get("type").and_then(Value::as_str).unwrap_or_default();
        causes.push(Cause::invalid("type", &go_quoted(given), "field is immutable"));
    }
    let is_immutable = |object: &Value| object.get("immutable") == Some(&Value::Bool(true));
    if is_immutable(before) {
        let why = "field is immutable when `immutable` is set";
        if !is_immutable(object) {
            causes.push(forbidden("immutable", why));
        }
        for member in ["data", "binaryData"] {
            if before.get(member) != object.get(member) {
                causes.push(forbidden(member, why));
            }
        }
    }
    causes
}

fn secret_causes(object: &Value) -> Vec<Cause> {
    let data = |key: &str| object.get("data").and_then(|data| data.get(key));
    let required = |field: String| Cause::new("FieldValueRequired", field, "Required value");
    let needed: &[&str] = match object.get("type").and_then(Value::as_str).unwrap_or_default() {
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/service-account-token" => {
            let name = "kubernetes.io/service-account.name";
            let given = object::metadata(object, "annotations").and_then(|all| all.get(name)?.as_str());
            let is_missing = given.unwrap_or_default().is_empty();
            return is_missing.then(|| required(format!("metadata.annotations[{name}]"))).into_iter().collect();
        }
        "kubernetes.io/basic-auth" if data("username").is_none() && data("password").is_none() => {
            &["username", "password"]
        }
        _ => &[],
    };
    needed.iter().filter(|key| data(key).is_none()).map(|key| required(format!("data[{key}]"))).collect()
}
