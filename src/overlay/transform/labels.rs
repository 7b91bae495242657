//! `labels`, `commonLabels` and `commonAnnotations`.

use std::sync::Arc;

use crate::overlay::fields::Pairs;
use crate::overlay::resource::Resource;
use crate::overlay::set::{Cause, set_member};
use crate::overlay::spec::FieldSpec;
use crate::overlay::walk::{Make, Walk};
use crate::yaml::{Fault, Node, Provenance, Scalar};

/// Sets keys to texts in the fields of some specs.
///
/// # Errors
/// [`Fault`] if something else than a mapping stands there, or a key is no text for kustomize.
pub(in crate::overlay) fn apply(
    resources: &mut [Resource],
    field: &str,
    pairs: &Pairs,
    specs: &[FieldSpec],
    provenance: &mut Provenance,
) -> Result<(), Fault> {
    let mut causes: Vec<_> = pairs
        .values()
        .map(|(key, text)| (Cause::new(format!("{field}.{}", key.text), key.origin), key, text))
        .collect();
    for resource in resources {
        for (cause, key, text) in &mut causes {
            let walk = Walk { by: field, make: Make::Mapping, origin: key.origin };
            for spec in specs {
                walk.visit(resource, spec, &mut |node| {
                    let before = node.get(&key.text).map(|old| old.origin);
                    let origin = cause.origin(text.origin, before, provenance);
                    set_member(node, key, Node::scalar(Scalar::string(Arc::clone(&text.text)), origin))
                })?;
            }
        }
    }
    Ok(())
}
