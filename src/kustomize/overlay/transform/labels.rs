//! `labels`, `commonLabels` and `commonAnnotations`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::Pairs;
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, is_non_string, set_field};
use crate::yaml::{Error, Node, Origin, Provenance, Scalar};

/// Sets keys to strings in the fields that some field specs name.
///
/// # Errors
/// [`Error`] if such a field is not a mapping.
pub(crate) fn apply(
    resources: &mut [Resource],
    field: &str,
    pairs: &Pairs,
    specs: &[FieldSpec],
    provenance: &mut Provenance,
) -> Result<(), Error> {
    let mut causes: Vec<_> = pairs
        .values()
        .map(|(key, text)| (Cause::new(format!("{field}.{}", key.text), key.origin), key, text))
        .collect();
    for resource in resources {
        let mut shared = std::mem::take(&mut resource.shared);
        let mut renewed: HashMap<Origin, Node> = HashMap::new();
        for (cause, key, text) in &mut causes {
            let visitor = FieldVisitor { by: field, create: Create::Mapping, origin: key.origin };
            let (mut added, mut last) = (0, Origin::default());
            for spec in specs {
                visitor.visit(resource, spec, &mut |node| {
                    let before = node.get(&key.text).map(|old| old.origin);
                    let known = before.and_then(|before| renewed.get(&before)).map(|new| new.origin);
                    let origin = known.unwrap_or_else(|| cause.origin(text.origin, before, provenance));
                    let value = Node::scalar(Scalar::string(Arc::clone(&text.text)), origin);
                    match before {
                        Some(before) if shared.contains(&before) => {
                            renewed.insert(before, value.clone());
                        }
                        Some(_) => {}
                        None => (added, last) = (added + 1, origin),
                    }
                    set_field(node, key, value)
                })?;
            }
            if added > 1 {
                shared.insert(last);
            }
            if added > 0 && is_non_string(key) {
                resource.non_string_keys.push((*key).clone());
            }
        }
        resource.shared = shared;
        resource.share(&renewed);
    }
    Ok(())
}
