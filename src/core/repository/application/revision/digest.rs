//! The digest of a revision, by which a change of its file is found.

use serde_json::{Value, json};

use tidegate_api::key;
use tidegate_go::canonical::go_json;
use tidegate_model::digest::Digest;

/// The definitions of a revision, which its digest covers.
pub(crate) const DEFINITIONS: [&str; 2] = ["componentDefinitions", "traitDefinitions"];

/// Returns the digest of the content of a revision: the name of its application, what it consists of and
/// requires, and its definitions.
///
/// # Shape
/// It does not depend on comments, on the order of keys, on nulls, or on annotations such as revision-only. What the application
/// requires is left out if it requires nothing.
pub(crate) fn digest(revision: &Value) -> Digest {
    let spec = revision.get("spec").unwrap_or(&Value::Null);
    let application = spec.get("application").unwrap_or(&Value::Null);
    let metadata = |member: &str| application.get("metadata").and_then(|metadata| metadata.get(member));
    let [components, traits] = DEFINITIONS.map(|member| spec.get(member).cloned().unwrap_or_else(|| json!({})));
    let mut content = json!({
        "application": {
            "namespace": metadata("namespace"),
            "name": metadata("name"),
            "spec": application.get("spec"),
        },
        "componentDefinitions": components,
        "traitDefinitions": traits,
    });
    let requires = metadata("annotations").and_then(|annotations| annotations.get(key::REQUIRES));
    if let Some(requires) = requires.filter(|requires| !requires.is_null()) {
        content["application"]["requires"] = requires.clone();
    }
    Digest::of(go_json(&content).as_bytes())
}

/// Returns the digest that a revision was published with, as written.
pub(crate) fn stated(revision: &Value) -> Option<&Value> {
    revision.pointer("/metadata/annotations")?.get(key::REVISION_DIGEST)
}
