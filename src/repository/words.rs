//! What a fault that a schema found is called.

use serde_json::Value;

use super::near;
use crate::api::schema::check::{Fault, Path, Step};

/// Returns what is wrong and what would be right.
pub(super) fn words(path: &Path, fault: &Fault, value: Option<&Value>) -> String {
    let name = match path.0.last() {
        Some(Step::Member(name)) => name.as_str(),
        _ => "item",
    };
    match fault {
        Fault::Unknown { known } => {
            let hint = near::hint(name, known.iter().map(String::as_str));
            let known =
                if hint.is_empty() && !known.is_empty() { format!("; known here: {}", known.join(", ")) } else { hint };
            format!("unknown field {path}{known}")
        }
        Fault::Missing => format!("{path} is missing; add it"),
        Fault::Type { expected } => format!("{path} is {}; {}", shown(value), remedy(name, expected, value)),
        Fault::NotOneOf { allowed } => {
            let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
            let hint =
                value.and_then(Value::as_str).map(|text| near::hint(text, names.iter().copied())).unwrap_or_default();
            format!("{path} is {}; write one of {}{hint}", shown(value), names.join(", "))
        }
        Fault::Pattern { .. } if matches!(name, "maxConcurrency" | "maxFailures" | "clustersPerDecisionGroup") => {
            format!("{path} is {}; write a number such as 10 or a per cent such as 25%", shown(value))
        }
        Fault::Pattern { .. } if name == "progressDeadline" => {
            format!("{path} is {}; write a duration such as 30s, 10m or 1h, or None", shown(value))
        }
        Fault::Pattern { pattern } => format!("{path} is {}; it must match {pattern}", shown(value)),
        Fault::Length { min, max } => format!("{path} has a wrong length; {}", bounds("characters or items", min, max)),
        Fault::Range { min, max } => format!("{path} is {}; {}", shown(value), bounds("", min, max)),
        Fault::DuplicateKey { keys } => {
            format!("{path} has the same {} as an item before it; keep one of them", keys.join(" and "))
        }
    }
}

fn bounds<T: std::fmt::Display>(unit: &str, min: &Option<T>, max: &Option<T>) -> String {
    let text = match (min, max) {
        (Some(min), Some(max)) => format!("write {min} to {max} {unit}"),
        (Some(min), None) => format!("write at least {min} {unit}"),
        (None, Some(max)) => format!("write at most {max} {unit}"),
        (None, None) => String::new(),
    };
    text.trim_end().to_owned()
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "not there".to_owned(),
        Some(Value::Object(_)) => "a mapping".to_owned(),
        Some(Value::Array(_)) => "a list".to_owned(),
        Some(Value::Null) => "empty".to_owned(),
        Some(Value::Number(number)) => format!("the number {number}"),
        Some(Value::Bool(value)) => format!("the boolean {value}"),
        Some(value) => value.to_string(),
    }
}

fn remedy(name: &str, expected: &str, value: Option<&Value>) -> String {
    let is_duration = matches!(name, "minSuccessTime" | "progressDeadline");
    match (expected, value) {
        ("string", Some(Value::Number(number))) if is_duration => {
            format!("write a duration such as \"{number}s\" or \"{number}m\"")
        }
        ("string", Some(value @ (Value::Number(_) | Value::Bool(_)))) => format!("write it in quotes: \"{value}\""),
        ("array", _) => "write a list, each item with a dash before it".to_owned(),
        ("object", _) => "write a mapping of fields".to_owned(),
        (expected, _) => format!("write a value of type {expected}"),
    }
}
