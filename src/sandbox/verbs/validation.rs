//! Checks of whole objects, with the words of an API server.

use serde_json::Value;

use crate::api::schema::check::{Fault, Path};
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::Target;
use crate::sandbox::schema::{self, Update};

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
     and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
     and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
     validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// Checks an object against the rules for names and labels and against its schema; on an update also against what it was.
///
/// # Errors
/// Invalid, with every fault.
pub(super) fn validate(target: &Target, object: &Value, old: Option<&Value>) -> Result<(), Refusal> {
    let mut causes: Vec<Cause> = name_cause(target, object).into_iter().chain(label_causes(object)).collect();
    let in_metadata = super::admission::metadata_faults(object);
    causes.extend(in_metadata.iter().map(|(path, fault)| cause(path, fault)));
    if let Some(node) = &target.spoken().node {
        let update = old.map(|old| Update { old, status: target.status });
        schema::judge(object, node, update, &mut causes);
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

/// Puts a fault of the metadata into the words of an API server.
fn cause(path: &Path, fault: &Fault) -> Cause {
    match fault {
        Fault::Missing => Cause::new("FieldValueRequired", path.to_string(), "Required value"),
        Fault::DuplicateKey { .. } => Cause::new("FieldValueDuplicate", path.to_string(), "Duplicate value"),
        Fault::Unknown { .. } => Cause::new("FieldValueForbidden", path.to_string(), "Forbidden: unknown field"),
        _ => Cause::invalid(path.to_string(), "\"\"", "is not right"),
    }
}
