//! What a body must be before it becomes an object: the right kind, in the right place, with known members only.

use serde_json::{Value, json};

use crate::api::schema::check::{Fault, Path, Step, faults};
use crate::api::schema::{defaulting, pruning};
use crate::sandbox::kind::metadata_schema;
use crate::sandbox::object;
use crate::sandbox::refusal::{Cause, Refusal};
use crate::sandbox::request::Target;

/// Checks that a body is of the kind and version that is spoken, and fills them in where it does not say.
///
/// # Errors
/// If it is of another kind or version, or no object at all.
pub(super) fn accept_type(target: &Target, body: &mut Value) -> Result<(), Refusal> {
    let kind = &target.kind;
    let expected = target.api_version();
    let unrecognized =
        || Refusal::bad_request(format!("the object provided is unrecognized (must be of type {})", kind.kind));
    let members = body.as_object_mut().ok_or_else(unrecognized)?;
    if members.get("metadata").is_some_and(|metadata| !metadata.is_object() && !metadata.is_null()) {
        return Err(undecodable(target, &kind.kind, "metadata is no object"));
    }
    for (member, default) in [("apiVersion", &expected), ("kind", &kind.kind)] {
        let given = members.entry(member).or_insert_with(|| json!(default));
        if given == "" {
            *given = json!(default);
        }
    }
    let given = members.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if given != kind.kind && !kind.custom {
        return Err(undecodable(target, &given, &format!("it is not of kind {}", kind.kind)));
    }
    if given != kind.kind {
        let cause = Cause::invalid("kind", &format!("{given:?}"), &format!("must be {}", kind.kind));
        return Err(Refusal::invalid(&kind.group, &given, object::text(body, "name"), &[cause]));
    }
    if body.get("apiVersion") != Some(&json!(expected)) {
        let given = body.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        return Err(Refusal::bad_request(format!(
            "the API version in the data ({given}) does not match the expected API version ({expected})"
        )));
    }
    Ok(())
}

/// Checks that a body belongs into the namespace of the path, and puts it there where it does not say.
///
/// # Errors
/// If it says another namespace.
pub(super) fn accept_namespace(target: &Target, body: &mut Value) -> Result<(), Refusal> {
    let given = object::text(body, "namespace");
    if target.namespace.is_empty() {
        object::set(body, "namespace", None);
    } else if given.is_empty() {
        object::set(body, "namespace", Some(json!(target.namespace)));
    } else if given != target.namespace {
        let message = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Refusal::bad_request(message));
    }
    Ok(())
}

/// Checks that a body has the name of the path.
///
/// # Errors
/// If it has another name, or none.
pub(super) fn accept_name(name: &str, body: &Value) -> Result<(), Refusal> {
    match object::text(body, "name") {
        given if given == name => Ok(()),
        "" => Err(Refusal::bad_request(format!(
            "the name of the object ({name} based on URL) was undeterminable: name must be provided"
        ))),
        given => Err(Refusal::bad_request(format!(
            "the name of the object ({given}) does not match the name on the URL ({name})"
        ))),
    }
}

/// Removes the members that nobody knows, or refuses them if `strict`; fills in the defaults.
///
/// # Errors
/// Bad request: metadata that cannot be read, or unknown members.
pub(super) fn conform(target: &Target, object: &mut Value, strict: bool) -> Result<(), Refusal> {
    // Who manages which field is the hub's to say.
    object::metadata_mut(object).retain(|name, member| !member.is_null() && name != "managedFields");
    let mut unknown = Vec::new();
    for (path, fault) in metadata_faults(object) {
        match fault {
            Fault::Unknown { .. } => unknown.push(format!("unknown field \"{path}\"")),
            Fault::Type { expected } => {
                return Err(undecodable(target, &target.kind.kind, &format!("{path} must be of type {expected}")));
            }
            _ => {}
        }
    }
    if strict {
        unknown.extend(unknown_members(target, object).iter().map(|path| format!("unknown field \"{path}\"")));
        if !unknown.is_empty() {
            let why = format!("strict decoding error: {}", unknown.join(", "));
            return Err(undecodable(target, &target.kind.kind, &why));
        }
    }
    if let Some(metadata) = object.get_mut("metadata") {
        pruning::prune(metadata, metadata_schema(), false);
    }
    if let Some(schema) = &target.spoken().schema {
        pruning::prune(object, schema, true);
        defaulting::drop_nulls(object, schema);
        defaulting::fill(object, schema);
    }
    Ok(())
}

/// Returns what is wrong with the metadata of an object, with paths from the root of the object.
pub(super) fn metadata_faults(object: &Value) -> Vec<(Path, Fault)> {
    let Some(metadata) = object.get("metadata") else { return Vec::new() };
    let from_root = |path: Path| {
        let steps = [Step::Member("metadata".to_owned())].into_iter().chain(path.0);
        Path(steps.collect())
    };
    faults(metadata, metadata_schema(), true).into_iter().map(|(path, fault)| (from_root(path), fault)).collect()
}

/// Returns the paths of the members that the schema does not know, outside of the metadata.
pub(super) fn unknown_members(target: &Target, object: &Value) -> Vec<String> {
    let Some(schema) = &target.spoken().schema else { return Vec::new() };
    let unknown = faults(object, schema, true).into_iter().filter(|(_, fault)| matches!(fault, Fault::Unknown { .. }));
    unknown.map(|(path, _)| path.to_string()).collect()
}

fn undecodable(target: &Target, given: &str, why: &str) -> Refusal {
    let kind = &target.kind.kind;
    Refusal::bad_request(format!("{given} in version {:?} cannot be handled as a {kind}: {why}", target.version))
}

/// Says whether two states of an object differ in what is wanted of it: anything but metadata and status.
pub(super) fn wants_something_else(target: &Target, before: &Value, after: &Value) -> bool {
    let has_status = target.spoken().has_status;
    let is_wanted = |name: &str| match name {
        "metadata" | "apiVersion" | "kind" => false,
        "status" => !has_status,
        _ => true,
    };
    let wanted = |object| members(object).filter(|(name, _)| is_wanted(name));
    !wanted(before).eq(wanted(after))
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}
