//! `labels`, `commonLabels` and `commonAnnotations`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::overlay::fields::Pairs;
use crate::overlay::resource::Resource;
use crate::overlay::set::{Cause, is_odd, set_member};
use crate::overlay::spec::FieldSpec;
use crate::overlay::walk::{Make, Walk};
use crate::yaml::{Fault, Node, Origin, Provenance, Scalar};

/// Sets keys to strings in the fields that some field specs name.
///
/// # Errors
/// [`Fault`] if such a field is not a mapping.
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
        let mut shared = std::mem::take(&mut resource.shared);
        let mut renewed: HashMap<Origin, Node> = HashMap::new();
        for (cause, key, text) in &mut causes {
            let walk = Walk { by: field, make: Make::Mapping, origin: key.origin };
            let (mut added, mut last) = (0, Origin::default());
            for spec in specs {
                walk.visit(resource, spec, &mut |node| {
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
                    set_member(node, key, value)
                })?;
            }
            if added > 1 {
                shared.insert(last);
            }
            if added > 0 && is_odd(key) {
                resource.odd_keys.push((*key).clone());
            }
        }
        resource.shared = shared;
        resource.share(&renewed);
    }
    Ok(())
}
