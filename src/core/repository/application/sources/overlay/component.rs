//! The type `kustomize` of components: its properties, and the objects of the overlay that it names.

use serde_json::{Map, Value, json};

use tidegate_api::schema::path::Path;

/// The type of a component that renders an overlay.
pub(crate) const KUSTOMIZE: &str = "kustomize";
/// The property that names the overlay.
pub(super) const PATH: &str = "path";
/// The property with the objects of the overlay.
pub(super) const RENDERED: &str = "objects";
/// The property with the path that these objects were rendered from.
pub(super) const RENDERED_FROM: &str = "objectsOf";

/// The properties that only a published revision has, since they are what an overlay renders to.
pub(crate) const MADE: [&str; 2] = [RENDERED, RENDERED_FROM];

/// What to do instead of naming a source that is elsewhere.
const VENDOR: &str = "is not supported: overlays are rendered from this repository; name the source in a kustomization here, run `tidegate vendor`, and \
                      write the directory of the kustomization as path";
/// Properties of KubeVela that are refused, with what to do instead.
pub(crate) const REMOTE: [(&str, &str); 9] = [
    ("repoType", VENDOR),
    ("url", VENDOR),
    ("git", VENDOR),
    ("oss", VENDOR),
    ("secretRef", VENDOR),
    ("imageRepository", "is not supported; write the image in the overlay"),
    ("pullInterval", "has no effect: the overlay is that of the commit; remove it"),
    ("timeout", "has no effect; remove it"),
    ("force", "is not supported: objects are never recreated; remove it"),
];

/// Maximum objects of an overlay.
const MOST_OBJECTS: usize = 1_000;

/// Why a component has no objects of an overlay. Displays as what follows the path of the component in a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::application) enum NoObjects {
    #[error(
        "is an overlay that an override names, which is not rendered; write it as a component, and select it in the override"
    )]
    Override,
    #[error(
        "is the overlay {directory:?}, which cannot be rendered; write the path from the root of the repository to a directory with a \
         kustomization.yaml, or fix what is wrong in it"
    )]
    Unrendered { directory: String },
    #[error("is an overlay without objects; add some, or remove the component")]
    Empty,
    #[error("is an overlay with {count} objects; {MOST_OBJECTS} are allowed, so split it")]
    Many { count: usize },
}

/// Returns the schema of the properties. Those of KubeVela are known, and refused with what to write instead.
pub(in crate::application) fn schema() -> Value {
    let mut properties = json!({
        PATH: { "type": "string", "minLength": 1 },
        RENDERED: { "type": "array", "items": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } },
        RENDERED_FROM: { "type": "string" },
    });
    for (member, _) in REMOTE {
        properties[member] = json!({ "x-kubernetes-preserve-unknown-fields": true });
    }
    json!({ "type": "object", "required": [PATH], "properties": properties })
}

/// Returns what is wrong with one of these properties where people write it.
pub(crate) fn made(at: &Path) -> String {
    format!("{at} is what the overlay renders, and is not written; remove it")
}

/// Returns the directory that a path names, in one form; a path from the root of the machine, which leads nowhere in a repository, as it is.
pub(super) fn directory(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if path.starts_with('/') { path.to_owned() } else { parts.join("/") }
}

/// Returns the objects of the overlay of a component.
///
/// # Errors
/// [`NoObjects`]
pub(in crate::application) fn objects(properties: &Map<String, Value>) -> Result<Vec<Value>, NoObjects> {
    let directory = properties.get(PATH).and_then(Value::as_str).map(directory);
    let from = properties.get(RENDERED_FROM).and_then(Value::as_str);
    if from.is_none() || from != directory.as_deref() {
        return Err(NoObjects::Override);
    }
    let Some(objects) = properties.get(RENDERED).and_then(Value::as_array) else {
        return Err(NoObjects::Unrendered { directory: directory.unwrap_or_default() });
    };
    match objects.len() {
        0 => Err(NoObjects::Empty),
        count if count > MOST_OBJECTS => Err(NoObjects::Many { count }),
        _ => Ok(objects.clone()),
    }
}
