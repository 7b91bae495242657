//! `namePrefix` and `nameSuffix`.

use std::sync::Arc;

use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::Text;
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, scalar, text_of};
use crate::yaml::{Error, Node, Provenance, Scalar};

/// The side of a name to which a string is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Prefix,
    Suffix,
}

/// Adds a prefix or suffix to the names of objects. `field` is what the user wrote.
///
/// # Errors
/// [`Error`] if a name is not a single value.
pub(crate) fn apply(
    resources: &mut [Resource],
    (side, field): (Side, &str),
    affix: &Text,
    specs: &[FieldSpec],
    provenance: &mut Provenance,
) -> Result<(), Error> {
    let mut cause = Cause::new(field, affix.origin);
    let visitor = FieldVisitor { by: field, create: Create::Scalar, origin: affix.origin };
    for resource in resources {
        let id = resource.original_id();
        let stays = match &*id.kind {
            "CustomResourceDefinition" | "Namespace" => true,
            "APIService" => id.group() == "apiregistration.k8s.io",
            _ => false,
        };
        if stays {
            continue;
        }
        for spec in specs.iter().filter(|spec| spec.gvk.selects(&id.api_version, &id.kind)) {
            if spec.path == "metadata/name" && !affix.is_empty() {
                match side {
                    Side::Prefix => resource.prefixes.push(Arc::clone(&affix.text)),
                    Side::Suffix => resource.suffixes.push(Arc::clone(&affix.text)),
                }
                resource.record_id();
            }
            visitor.visit(resource, spec, &mut |node| {
                let old = text_of(node)?;
                let text = match side {
                    Side::Prefix => format!("{}{}", affix.text, old.text()),
                    Side::Suffix => format!("{}{}", old.text(), affix.text),
                };
                // A field that is created for an empty prefix becomes an empty string.
                let scalar = if text.is_empty() { Scalar::string(text) } else { scalar(text.into(), Some(old)) };
                let origin = cause.origin(affix.origin, Some(node.origin), provenance);
                *node = Node::scalar(scalar, origin);
                Ok(())
            })?;
        }
    }
    Ok(())
}
