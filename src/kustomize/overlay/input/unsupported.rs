//! Fields of kustomizations that are not supported, and what to do instead.

use crate::yaml::Node;
use crate::yaml::{Fields, Reader};

/// Fields that are refused unless they are empty, why, and what to do instead.
const UNSUPPORTED: [(&str, &str); 6] = [
    ("vars", "kustomize has deprecated them; write replacements"),
    (
        "crds",
        "they only tell kustomize which fields hold names; list these fields as nameReference in a file of configurations",
    ),
    ("openapi", "merge keys are those of the built-in kinds; patch lists of other kinds with JSON patches"),
    (
        "generators",
        "plugins are not run; generate with configMapGenerator and secretGenerator, or list the objects in resources",
    ),
    ("transformers", "plugins are not run; use the fields of the kustomization, such as patches and replacements"),
    ("validators", "plugins are not run; check the objects before they are committed"),
];

/// Refuses unsupported fields.
pub(crate) fn unsupported(fields: &Fields<'_>, reader: &mut Reader) {
    for (name, remedy) in UNSUPPORTED {
        if let Some(node) = fields.get(name).filter(|node| holds_something(node)) {
            reader.error(node.origin, format!("{name} is not supported: {remedy}"));
        }
    }
}

fn holds_something(node: &Node) -> bool {
    match (node.as_sequence(), node.as_mapping()) {
        (Some(items), _) => !items.is_empty(),
        (_, Some(mapping)) => !mapping.is_empty(),
        _ => !node.is_null(),
    }
}
