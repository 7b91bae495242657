//! Published revisions: what is in them, and that nothing has changed since they were published.

use serde_json::Value;

use super::metadata;
use super::schema::{conform, listed};
use crate::application::used::is_per_cluster;
use crate::application::{COMPONENTS, DEFINITIONS, TRAITS, digest, embedded, revision_definitions, stated};
use crate::check::definition;
use crate::complaint::Complaint;
use crate::definition::{COMPONENT, Definitions, TRAIT, schema_of};
use crate::read::notes::Notes;
use crate::read::object::path;
use crate::settings::Executor;
use tidegate_api::key;
use tidegate_model::digest::Digest;
use tidegate_model::object::ObjectKey;

/// Adds the problems of a revision. It has its own definitions; of those of the repository, only the settings count.
pub(in crate::check) fn check(notes: &mut Notes<'_>, of_repository: &Definitions) {
    metadata::names(notes);
    identity(notes);
    let mut definitions = revision_definitions(notes.object);
    definitions.images = of_repository.images;
    self::definitions(notes, &definitions);
    if super::rendered::has_errors(notes) {
        return;
    }
    unchanged(notes);
    let object = notes.object;
    let Some(application) = embedded(object) else {
        let message = "spec.application cannot be read; publish the revision with `tidegate app publish`";
        return notes.error(object.origin_of(&["spec", "application"]), message);
    };
    if is_per_cluster(&application.value, &definitions) {
        let message = "a definition in spec reads context.cluster, which is not supported in a published revision; write the Application with \
                       policies or steps instead";
        return notes.error(object.origin_of(&["spec", "application"]), message);
    }
    let mut found = Vec::new();
    super::check(&mut Notes { object: &application, complaints: &mut found }, &definitions);
    let of_revision = |complaint| Complaint { object: Some(object.key.clone()), ..complaint };
    notes.complaints.extend(found.into_iter().map(of_revision));
    if of_repository.rollout == Executor::Standard {
        by_controller(notes);
    }
}

/// Adds a complaint about each trait `rollout`: the controller would need the revisions of components, which a published one does not have.
fn by_controller(notes: &mut Notes<'_>) {
    let object = notes.object;
    let at = path(&["spec", "application", "spec", "components"]);
    for (index, component) in listed(&object.value, "/spec/application/spec/components") {
        let at = at.clone().item(index).member("traits");
        let is_rollout = |given: &Value| given.get("type").is_some_and(|type_| type_ == "rollout");
        for (index, _) in listed(component, "/traits").filter(|(_, given)| is_rollout(given)) {
            let at = at.item(index);
            let message = format!(
                "{at} is rollout, which is not supported in a published revision while rollout = \"standard.oam.dev\" in section \
                 [applications] of tidegate.toml; write the Application with policies or steps instead"
            );
            notes.error(object.value_origin(&at), message);
        }
    }
}

/// Adds a complaint if the revision is not of an application in its own namespace.
fn identity(notes: &mut Notes<'_>) {
    let object = notes.object;
    let application = object.value.pointer("/spec/application").unwrap_or(&Value::Null);
    let at = path(&["spec", "application"]);
    let expected = format!("{}/v1beta1", key::APPLICATION_GROUP);
    for (member, expected) in [("apiVersion", expected.as_str()), ("kind", "Application")] {
        if application.get(member).is_some_and(|given| given != expected) {
            let at = at.member(member);
            notes.error(object.value_origin(&at), format!("{at} must be {expected}"));
        }
    }
    let at = at.member("metadata");
    let given = |member: &str| application.get("metadata")?.get(member)?.as_str().filter(|text| !text.is_empty());
    for member in ["name", "namespace"].into_iter().filter(|member| given(member).is_none()) {
        let at = at.member(member);
        notes.error(object.value_origin(&at), format!("{at} is missing; write the {member} of the application"));
    }
    if let Some(other) = given("namespace").filter(|namespace| *namespace != object.key.namespace) {
        let at = at.member("namespace");
        let message =
            format!("{at} is {other:?}, but the revision is in namespace {:?}; publish it there", object.key.namespace);
        notes.error(object.value_origin(&at), message);
    }
}

/// Adds the problems of the definitions in a revision.
fn definitions(notes: &mut Notes<'_>, definitions: &Definitions) {
    let object = notes.object;
    for (member, (kind, built_in)) in DEFINITIONS.into_iter().zip([(COMPONENT, &COMPONENTS), (TRAIT, &TRAITS)]) {
        let at = path(&["spec", member]);
        let given = object.value.pointer("/spec").and_then(|spec| spec.get(member)?.as_object());
        for (name, definition) in given.into_iter().flatten() {
            let at = at.member(name);
            let is = |member: &str, text: &str| definition.get(member).is_some_and(|value| value == text);
            let is_read = is("kind", kind) && is("apiVersion", &format!("{}/v1beta1", key::APPLICATION_GROUP));
            if !is_read || built_in.schema(name).is_some() {
                let message = format!(
                    "{at} must be a {kind} of {}/v1beta1 for a type that is not built in; restore the file, or publish the revision again",
                    key::APPLICATION_GROUP
                );
                notes.error(object.value_origin(&at), message);
                continue;
            }
            if let Some(schema) = schema_of(kind) {
                conform(notes, (&at, definition), schema);
            }
            let key = ObjectKey::new(key::APPLICATION_GROUP, kind, &object.key.namespace, name);
            definition::mistakes(notes, definitions.mistakes(&key));
        }
    }
}

/// Adds a complaint if the content is not what was published.
fn unchanged(notes: &mut Notes<'_>) {
    let object = notes.object;
    let at = path(&["metadata", "annotations"]).member(key::REVISION_DIGEST);
    let digest = digest(&object.value);
    let message = match stated(&object.value) {
        Some(Value::String(stated)) if *stated == digest.as_str() => return,
        Some(Value::String(stated)) if stated.parse::<Digest>().is_ok() => format!(
            "{} was changed after it was published: its content has digest {}, and not {}; restore the file, and publish the change as \
             another revision",
            object.key.name,
            digest.short(),
            tidegate_model::digest::short(stated),
        ),
        Some(_) => format!("{at} is not a digest; publish the revision with `tidegate app publish`"),
        None => format!("{at} is missing; publish the revision with `tidegate app publish`"),
    };
    notes.error(object.value_origin(&at), message);
}
