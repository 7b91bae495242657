//! Checks of whole objects, with the words of an API server.

use serde_json::Value;

use crate::api::schema::check::{Fault, Path, Step, faults};
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::Target;

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
     and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
     validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// Checks an object against the rules for names and labels and against its schema.
///
/// # Errors
/// Invalid, with every fault.
pub(super) fn validate(target: &Target, object: &Value) -> Result<(), Refusal> {
    let mut causes: Vec<Cause> = name_cause(target, object).into_iter().chain(label_causes(object)).collect();
    let in_metadata = super::admission::metadata_faults(object);
    causes.extend(in_metadata.iter().map(|(path, fault)| cause(object, path, fault)));
    if let Some(schema) = &target.spoken().schema {
        let found = faults(object, schema, false);
        causes.extend(found.iter().map(|(path, fault)| cause(object, path, fault)));
    }
    if causes.is_empty() {
        return Ok(());
    }
    Err(invalid(target, object::text(object, "name"), &causes))
}

/// Returns the refusal of an object with these faults.
pub(super) fn invalid(target: &Target, name: &str, causes: &[Cause]) -> Refusal {
    Refusal::invalid(&target.kind.group, &target.kind.kind, name, causes)
}

fn name_cause(target: &Target, object: &Value) -> Option<Cause> {
    let name = object::text(object, "name");
    if name.is_empty() {
        let message = "Required value: name or generateName is required";
        return Some(Cause::new("FieldValueRequired", "metadata.name", message));
    }
    let label = |label: &str| {
        let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        label.starts_with(inner) && label.ends_with(inner) && label.chars().all(|c| inner(c) || c == '-')
    };
    let (fits, limit, rule) = if target.kind.group == "rbac.authorization.k8s.io" {
        (!matches!(name, "." | "..") && !name.contains(['/', '%']), usize::MAX, "may not contain '/' or '%'")
    } else if target.kind.plural == "namespaces" {
        (label(name), 63, LABEL)
    } else {
        (name.split('.').all(label), 253, SUBDOMAIN)
    };
    let wrong = |why: &str| Some(Cause::invalid("metadata.name", &format!("{name:?}"), why));
    match fits {
        false => wrong(rule),
        true if name.len() > limit => wrong(&format!("must be no more than {limit} bytes")),
        true => None,
    }
}

fn label_causes(object: &Value) -> Vec<Cause> {
    let labels = object::metadata(object, "labels").and_then(Value::as_object).into_iter().flatten();
    let values = labels.filter_map(|(_, value)| value.as_str());
    let wrong = |value: &str| Cause::invalid("metadata.labels", &format!("{value:?}"), LABEL_VALUE);
    let end = |c: char| c.is_ascii_alphanumeric();
    let fits = |value: &str| {
        let inner = |c: char| end(c) || matches!(c, '-' | '_' | '.');
        value.is_empty() || (value.starts_with(end) && value.ends_with(end) && value.chars().all(inner))
    };
    let too_long =
        |value: &str| Cause::invalid("metadata.labels", &format!("{value:?}"), "must be no more than 63 bytes");
    values
        .filter_map(|value| if !fits(value) { Some(wrong(value)) } else { (value.len() > 63).then(|| too_long(value)) })
        .collect()
}

fn value_at<'a>(object: &'a Value, path: &Path) -> &'a Value {
    let step = |value: &'a Value, step: &Step| match step {
        Step::Member(name) => value.get(name),
        Step::Item(index) => value.get(index),
    };
    path.0.iter().try_fold(object, step).unwrap_or(&Value::Null)
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Puts a fault into the words of an API server.
///
/// # Source
/// `k8s.io/kube-openapi/pkg/validation/errors` and `k8s.io/apimachinery/pkg/util/validation/field`.
fn cause(object: &Value, path: &Path, fault: &Fault) -> Cause {
    let value = value_at(object, path);
    let invalid = |value: &str, why: String| Cause::invalid(path.to_string(), value, &format!("{path} in body {why}"));
    match fault {
        Fault::Unknown { .. } => Cause::new("FieldValueForbidden", path.to_string(), "Forbidden: unknown field"),
        Fault::Type { expected } => {
            let found = format!("{:?}", type_name(value));
            let why = format!("Invalid value: {found}: {path} in body must be of type {expected}: {found}");
            Cause::new("FieldValueTypeInvalid", path.to_string(), why)
        }
        Fault::Missing => Cause::new("FieldValueRequired", path.to_string(), "Required value"),
        Fault::NotOneOf { allowed } => {
            let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
            let message = format!("Unsupported value: {value}: supported values: {}", allowed.join(", "));
            Cause::new("FieldValueNotSupported", path.to_string(), message)
        }
        Fault::Pattern { pattern } => invalid(&value.to_string(), format!("should match '{pattern}'")),
        Fault::Length { min, max } => length_cause(value, path, *min, *max),
        Fault::Range { min, max } => match (min, max) {
            (Some(min), _) if value.as_f64().is_some_and(|number| number < *min) => {
                invalid(&value.to_string(), format!("should be greater than or equal to {min}"))
            }
            (_, max) => {
                invalid(&value.to_string(), format!("should be less than or equal to {}", max.unwrap_or_default()))
            }
        },
        Fault::DuplicateKey { keys } => {
            let key: serde_json::Map<String, Value> =
                keys.iter().filter_map(|key| Some((key.clone(), value.get(key)?.clone()))).collect();
            let message = format!("Duplicate value: {}", Value::Object(key));
            Cause::new("FieldValueDuplicate", path.to_string(), message)
        }
    }
}

fn length_cause(value: &Value, path: &Path, min: Option<u64>, max: Option<u64>) -> Cause {
    let at = path.to_string();
    if let Value::Array(items) = value {
        let length = items.len();
        return match max {
            Some(max) if length as u64 > max => {
                Cause::new("FieldValueTooMany", at, format!("Too many: {length}: must have at most {max} items"))
            }
            _ => {
                let why = format!("{path} in body should have at least {} items", min.unwrap_or_default());
                Cause::invalid(at, &length.to_string(), &why)
            }
        };
    }
    let length = value.as_str().map_or(0, |text| text.chars().count()) as u64;
    match max {
        Some(max) if length > max => {
            Cause::new("FieldValueTooLong", at, format!("Too long: may not be more than {max} bytes"))
        }
        _ => {
            let why = format!("{path} in body should be at least {} chars long", min.unwrap_or_default());
            Cause::invalid(at, &value.to_string(), &why)
        }
    }
}
