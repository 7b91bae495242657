//! From an application to the file of a new revision.

use serde_json::{Value, json};

use super::listing::{Found, listed};
use super::refusal::Refusal;
use crate::application::used::used;
use crate::application::{DEFINITIONS, digest, revision_key};
use crate::definition::{Definitions, TRAIT};
use crate::read::object::Object;
use tidegate_api::key;
use tidegate_kustomize::yaml::{Node, Origin, write};
use tidegate_model::digest::Digest;
use tidegate_model::name::{ApplicationName, ClusterName};
use tidegate_model::object::ObjectKey;
use tidegate_model::tree::Tree;

/// A revision of an application as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The name of the revision.
    pub name: String,
    /// Its digest.
    pub digest: Digest,
    /// The path of its file.
    pub file: String,
    /// The content to write; `None` if the revision exists already.
    pub text: Option<String>,
    /// Whether the declarations are an overlay, so that the file has to be added to its resources.
    pub is_overlay: bool,
}

/// Returns the revision of an application as it is declared: a new one, or the one that exists with the same content. Its name is
/// `<application>-v<number>` unless another one is given.
///
/// # Errors
/// [`Refusal`] if the application has errors, or the name is taken.
pub fn publish(
    tree: &Tree,
    path: &str,
    application: &ApplicationName,
    name: Option<&str>,
) -> Result<Publication, Refusal> {
    let found = Found::read(tree, path)?;
    let object = found.application(application)?;
    found.sound(object, application.as_str())?;
    let mut revision = revision(application, &object.value);
    add_requirements(&mut revision, &object.value);
    add_definitions(&mut revision, object, &found.objects);
    let digest = digest(&revision);
    let is_overlay = object.is_rendered;
    let own = || listed(&found).into_iter().filter(|known| known.application == *application);
    let exists = |known: super::Listed| Publication {
        name: known.name,
        digest: digest.clone(),
        file: known.place.file,
        text: None,
        is_overlay,
    };
    let name = match name {
        Some(name) => name.to_owned(),
        None => match own().find(|known| known.digest == digest) {
            Some(known) => return Ok(exists(known)),
            None => next(application, listed(&found).iter().map(|known| known.name.as_str())),
        },
    };
    if name.len() > 63 || name.contains('.') || name.parse::<ClusterName>().is_err() {
        return Err(Refusal::Name { name });
    }
    let taken = |known: &super::Listed| known.namespace == application.namespace() && known.name == name;
    if let Some(known) = listed(&found).into_iter().find(taken) {
        if known.digest == digest && known.application == *application {
            return Ok(exists(known));
        }
        return Err(Refusal::Taken { name, place: known.place.to_string(), existing: known.digest, digest });
    }
    let directory = object.file().rsplit_once('/').map(|(directory, _)| format!("{directory}/")).unwrap_or_default();
    let file = format!("{directory}{name}.yaml");
    if tree.files.contains_key(&file) || tree.skipped.contains_key(&file) {
        return Err(Refusal::File { file });
    }
    revision["metadata"]["name"] = json!(name);
    revision["metadata"]["annotations"] = json!({ key::REVISION_DIGEST: digest.as_str() });
    let text = write(&Node::from_value(&revision, Origin::default()));
    let text = text.map_err(|error| Refusal::Errors { subject: name.clone(), errors: vec![error.message] })?;
    if !is_overlay {
        reread(tree, path, (&file, &text), &revision_key(application.namespace(), &name))?;
    }
    Ok(Publication { name, digest, file, text: Some(text), is_overlay })
}

/// Reads a new file with the rest of the repository.
///
/// # Errors
/// [`Refusal`] if the revision in it has errors.
fn reread(tree: &Tree, path: &str, (file, text): (&str, &str), key: &ObjectKey) -> Result<(), Refusal> {
    let mut files = tree.files.clone();
    files.insert(file.to_owned(), text.as_bytes().to_vec());
    let found = Found::read(&Tree { files, ..tree.clone() }, path)?;
    let written = found.objects.iter().find(|object| object.key == *key);
    written.map_or(Ok(()), |written| found.sound(written, &key.name))
}

/// Returns the revision of an application, without a name.
fn revision(application: &ApplicationName, declared: &Value) -> Value {
    let version = format!("{}/v1beta1", key::APPLICATION_GROUP);
    json!({
        "apiVersion": version,
        "kind": "ApplicationRevision",
        "metadata": { "namespace": application.namespace() },
        "spec": {
            "application": {
                "apiVersion": version,
                "kind": "Application",
                "metadata": { "namespace": application.namespace(), "name": application.name() },
                "spec": declared.get("spec"),
            },
        },
    })
}

/// Adds what an application requires of its clusters. Other annotations are about the application as it is declared.
fn add_requirements(revision: &mut Value, declared: &Value) {
    let requires = declared.pointer("/metadata/annotations").and_then(|annotations| annotations.get(key::REQUIRES));
    if let Some(requires) = requires.filter(|requires| !requires.is_null()) {
        revision["spec"]["application"]["metadata"]["annotations"] = json!({ key::REQUIRES: requires });
    }
}

/// Adds the definitions that an application uses, so that the revision does not depend on them any more.
fn add_definitions(revision: &mut Value, application: &Object, objects: &[Object]) {
    let definitions = Definitions::of(objects);
    for used in used(&application.value, &definitions) {
        let Some(definition) = objects.iter().find(|object| object.key == *used.key) else { continue };
        let [of_components, of_traits] = DEFINITIONS;
        let member = if used.key.kind == TRAIT { of_traits } else { of_components };
        revision["spec"][member][&used.key.name] = json!({
            "apiVersion": definition.value.get("apiVersion"),
            "kind": used.key.kind,
            "metadata": { "namespace": used.key.namespace, "name": used.key.name },
            "spec": definition.value.get("spec"),
        });
    }
}

/// Returns the first name that is free after all that exist.
fn next<'n>(application: &ApplicationName, known: impl Iterator<Item = &'n str>) -> String {
    let prefix = format!("{}-v", application.name());
    let numbers = known.filter_map(|name| name.strip_prefix(&prefix)?.parse::<u32>().ok());
    format!("{prefix}{}", numbers.max().unwrap_or_default().saturating_add(1))
}
