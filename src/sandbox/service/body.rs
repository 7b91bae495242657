//! Parsing of request bodies, with the errors of a real server.

use serde_json::Value;

use crate::api_error::ApiError;
use crate::request::{FieldValidation, Target};
use crate::verbs::{Input, go_type};
use tidegate_go::json::Json;

/// How many bytes of a body a message quotes.
const QUOTED: usize = 30;

/// Maximum nesting depth of a body.
const DEPTH: usize = 100;

/// Parses a body as JSON; if that fails and `is_yaml` is set, as YAML.
///
/// # Errors
/// The parse error, with Go's message where that is known.
pub(super) fn read(bytes: &[u8], is_yaml: bool) -> Result<Input, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("the body is not valid UTF-8: {error}"))?;
    match Json::parse(text) {
        Ok(json) if depth(&json) > DEPTH => Err("exceeded max depth".to_owned()),
        Ok(json) => {
            let mut duplicates = Vec::new();
            find_duplicates(&json, "", &mut duplicates);
            Ok(Input { value: json.to_value().map_err(|error| error.to_string())?, duplicates })
        }
        Err(_) if is_yaml => {
            let value =
                serde_saphyr::from_str(text).map_err(|error| format!("error converting YAML to JSON: {error}"))?;
            Ok(Input { value, duplicates: Vec::new() })
        }
        Err(error) => Err(error.to_string()),
    }
}

fn depth(json: &Json<'_>) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Json::Object(_) => 1 + json.entries().map(|(_, member)| depth(member)).max().unwrap_or(0),
        _ => 0,
    }
}

fn find_duplicates(json: &Json<'_>, at: &str, found: &mut Vec<String>) {
    match json {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                find_duplicates(item, &format!("{at}[{index}]"), found);
            }
        }
        Json::Object(_) => {
            let mut seen = std::collections::BTreeSet::new();
            for (name, member) in json.entries() {
                let path = if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
                if !seen.insert(name) && !found.contains(&path) {
                    found.push(path.clone());
                }
                find_duplicates(member, &path, found);
            }
        }
        _ => {}
    }
}

/// Parses the body of a create or update request.
///
/// # Errors
/// Bad request, if it is not an object with a valid `apiVersion` and `kind`.
///
/// # Source
/// The JSON serializer of `k8s.io/apimachinery` and `transformDecodeError` of `k8s.io/apiserver`.
pub(super) fn object(
    target: &Target,
    bytes: &[u8],
    is_yaml: bool,
    validation: FieldValidation,
) -> Result<Input, ApiError> {
    let kind = &target.kind;
    let quoted = quoted(bytes);
    let unrecognized = |why: &str| {
        let must = format!("the object provided is unrecognized (must be of type {})", kind.kind);
        ApiError::bad_request(format!("{must}: {why} ({quoted})"))
    };
    let no_object = |why: &str| unrecognized(&format!("couldn't get version/kind; json parse error: {why}"));
    let mut body = read(bytes, is_yaml).map_err(|why| no_object(&why))?;
    if body.value.is_null() {
        body.value = Value::Object(serde_json::Map::new());
    }
    let head = "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";
    let Some(members) = body.value.as_object() else {
        let type_ = go_type(&body.value);
        return Err(no_object(&format!("json: cannot unmarshal {type_} into Go value of type {head}")));
    };
    for member in ["apiVersion", "kind"] {
        match members.get(member) {
            None | Some(Value::String(_) | Value::Null) => {}
            Some(other) => {
                let type_ = go_type(other);
                let field = format!("Go struct field .{member} of type string");
                return Err(no_object(&format!("json: cannot unmarshal {type_} into {field}")));
            }
        }
    }
    let is_missing = members.get("kind").and_then(Value::as_str).unwrap_or_default().is_empty();
    if kind.custom && is_missing {
        let why = format!("Object 'Kind' is missing in '{}'", String::from_utf8_lossy(bytes));
        return Err(match validation {
            FieldValidation::Ignore => ApiError::bad_request(format!(
                "{} in version {:?} cannot be handled as a {}: {why}",
                kind.kind, target.version, kind.kind
            )),
            _ => unrecognized(&why),
        });
    }
    Ok(body)
}

/// Quotes the start of a body.
fn quoted(bytes: &[u8]) -> String {
    let (head, rest) = bytes.split_at(bytes.len().min(QUOTED));
    let more = if rest.is_empty() { "" } else { " ..." };
    match head.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => format!("{}{more}", String::from_utf8_lossy(head)),
        Some(_) => format!("{}{more}", head.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
    }
}
