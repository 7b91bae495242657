//! Checks of whole objects, with the words of an API server.

use serde_json::Value;

use crate::api::schema::check::{Fault, Path, Step, faults};
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::Target;

/// Checks an object against its schema, after what is known to be wrong with its metadata.
///
/// # Errors
/// Invalid, with every fault.
pub(super) fn validate(target: &Target, object: &Value, in_metadata: Vec<Cause>) -> Result<(), Refusal> {
    let mut causes = in_metadata;
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
