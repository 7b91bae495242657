//! Schema violations as sentences: the problem and its remedy.

use serde_json::Value;

use tidegate_api::schema::builtin::{BASE64, QUANTITY};
use tidegate_api::schema::check::Violation;
use tidegate_api::schema::path::{Path, Step};
use tidegate_model::near::{abbreviated, nearest, remedy};

/// Maximum known fields that a message lists.
const MAX_LISTED: usize = 15;

/// Fields that hold a duration, which people often write as a number.
const DURATIONS: [&str; 3] = ["minSuccessTime", "progressDeadline", "scoreRateLimit"];

/// Fields that hold a number of clusters or a percentage of them, which people sometimes write as a fraction.
const THRESHOLDS: [&str; 3] = ["maxConcurrency", "maxFailures", "clustersPerDecisionGroup"];

/// Returns the sentence for a violation at a path of a value.
pub(crate) fn wording(value: &Value, path: &Path, violation: &Violation) -> String {
    wording_of(value_at(value, path), path, violation)
}

/// Returns the sentence for a violation by a value at a path; `None` if there is no value.
pub(crate) fn wording_of(found: Option<&Value>, path: &Path, violation: &Violation) -> String {
    let member = match path.0.last() {
        Some(Step::Member(name)) => name.as_str(),
        _ => "",
    };
    let found = found.unwrap_or(&Value::Null);
    match violation {
        Violation::Unknown { known } => format!("{path} is not known; {}", right_field(member, known)),
        Violation::Missing => format!("{path} is missing; add it"),
        Violation::Type { expected } => {
            format!("{path} is {}; {}", described(found), right_type(member, found, expected))
        }
        Violation::NotOneOf { allowed } => {
            let word = found.as_str().unwrap_or_default();
            let remedy = remedy(word, allowed.iter().filter_map(Value::as_str).filter(|allowed| !allowed.is_empty()));
            format!("{path} is {}; {remedy}", shown(found))
        }
        // The value may be a secret, so it is not shown.
        Violation::Pattern { pattern } if pattern == BASE64 => {
            format!("{path} is not base64; encode it, or write it in stringData if this is a Secret")
        }
        Violation::Pattern { pattern } => format!("{path} is {}; {}", shown(found), right_text(member, pattern)),
        Violation::Length { min, max } => {
            let (length, unit) = match found {
                Value::Array(items) => (items.len(), "items"),
                found => (found.as_str().unwrap_or_default().chars().count(), "characters"),
            };
            format!("{path} has {length} {unit}; write {} {unit}", bounds(min.as_ref(), max.as_ref()))
        }
        Violation::Range { min, max } => {
            format!("{path} is {}; it must be {}", shown(found), bounds(min.as_ref(), max.as_ref()))
        }
        Violation::DuplicateKey { keys } => {
            format!("{path} has the same {} as an item before it; remove one of the two", keys.join(" and "))
        }
    }
}

/// Returns the known field that was probably meant, or else all of them if they are few.
fn right_field(member: &str, known: &[String]) -> String {
    let known = known.iter().map(String::as_str);
    match nearest(member, known.clone()).or_else(|| abbreviated(member, known.clone())) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.len() > MAX_LISTED => "correct its name, or remove it".to_owned(),
        None => remedy(member, known),
    }
}

/// Returns the value at a path, if it exists.
pub(crate) fn value_at<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    path.0.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Item(index) => value.get(*index),
    })
}

/// Returns the type of a value, with an article.
pub(super) fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// Formats a value as JSON, truncated to 80 characters.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 80 { text } else { text.chars().take(77).chain("...".chars()).collect() }
}

fn bounds<T: std::fmt::Display>(min: Option<&T>, max: Option<&T>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "another number of".to_owned(),
    }
}

fn right_type(member: &str, found: &Value, expected: &str) -> String {
    match (expected, found) {
        ("string", Value::Number(number)) if DURATIONS.contains(&member) => {
            format!("write a duration such as \"{number}s\"")
        }
        ("integer or string", Value::Number(number)) if THRESHOLDS.contains(&member) => match number.as_f64() {
            Some(fraction) if fraction > 0.0 && fraction < 1.0 => {
                // Rounded, because 0.07 * 100 is 7.000000000000001.
                let percent = (fraction * 1e8).round() / 1e6;
                format!("write a percentage such as \"{percent}%\", or a whole number")
            }
            _ => "write a whole number such as 3, or a percentage such as \"10%\"".to_owned(),
        },
        // The original spelling is lost once YAML has read a number or boolean: 1.10 is 1.1 by now.
        ("string", Value::Number(_) | Value::Bool(_)) => "put it in quotes".to_owned(),
        ("integer" | "number", Value::String(text)) if text.parse::<i64>().is_ok() => {
            format!("write the number without quotes: {text}")
        }
        ("boolean", Value::String(text)) if text == "true" || text == "false" => {
            format!("write it without quotes: {text}")
        }
        ("string", _) => "write a string".to_owned(),
        ("integer", _) => "write a whole number".to_owned(),
        ("number", _) => "write a number".to_owned(),
        ("boolean", _) => "write true or false".to_owned(),
        ("array", _) => "write a list".to_owned(),
        ("object", _) => "write a mapping".to_owned(),
        ("integer or string", _) => "write a whole number or a string".to_owned(),
        (other, _) => format!("write {other}"),
    }
}

/// The pattern of a name of lower-case letters, digits and `-`.
const LABEL: &str = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$";

fn right_text(member: &str, pattern: &str) -> String {
    match member {
        _ if pattern == LABEL => {
            "write lower-case letters, digits and '-', with a letter or digit at both ends".to_owned()
        }
        _ if pattern == QUANTITY => "write a quantity, such as \"500m\" or \"1Gi\"".to_owned(),
        member if THRESHOLDS.contains(&member) => {
            "write a number such as 3, or a percentage of at most 100% such as \"10%\"".to_owned()
        }
        "progressDeadline" => "write a duration such as \"10m\", or \"None\"".to_owned(),
        "scoreRateLimit" => "write a duration such as \"1m\"".to_owned(),
        "signerName" => "write a domain and a path, such as \"example.com/signer\"".to_owned(),
        "containerID" => "write \"<resource>:<name>:<container>\", such as \"deployments:agent:*\"".to_owned(),
        "digest" => {
            "write at least the first 12 digits of a digest, as `tidegate plan` and `tidegate status` print them"
                .to_owned()
        }
        "schedule" => {
            "write five fields such as \"0 3 * * *\", or a word such as @daily; a time zone belongs in timeZone"
                .to_owned()
        }
        "path" | "from" if pattern.starts_with("^(/") => "write a pointer such as /spec/replicas".to_owned(),
        "reason" => "write why, for the people who read it".to_owned(),
        "groupName" => "write 2 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends".to_owned(),
        _ => format!("write a string that matches {pattern}"),
    }
}
