//! The final steps, run once after all layers are built.

use std::sync::Arc;

use super::stray_directives::stray_directive;
use super::{build_metadata, order};
use crate::overlay::build::{Accumulator, BuildContext};
use crate::overlay::generate::hash::hash;
use crate::overlay::input::kustomization::Kustomization;
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, check_non_string_keys, scalar};
use crate::overlay::references;
use crate::overlay::vars;
use crate::yaml::{Error, Key, Node, Origin, Provenance, normalize};

/// Annotation that keeps an object out of the result unless its value is `false`.
const LOCAL: &str = "config.kubernetes.io/local-config";

/// Returns the objects in their final form.
///
/// # Errors
/// [`Error`] if an object lost its kind or name, an id occurs twice, a reference is ambiguous, or a value cannot be written.
pub(crate) fn finish(
    context: &mut BuildContext<'_>,
    kustomization: &Kustomization,
    accumulator: Accumulator,
) -> Result<Vec<Resource>, Error> {
    let mut resources = accumulator.resource_map.into_resources();
    add_hashes(&mut resources, &mut context.provenance)?;
    references::follow(&mut resources, &accumulator.config.references, context)?;
    if context.options.ocm_references {
        references::ocm::follow(&mut resources, context)?;
    }
    vars::resolve(&accumulator.vars, &mut resources, &accumulator.config.vars, context)?;
    resources.iter().try_for_each(check)?;
    resources.retain(|resource| resource.annotation(LOCAL).is_none_or(|text| text == "false"));
    order::sort(&mut resources, kustomization.sort.as_ref(), &context.provenance)?;
    build_metadata::write(&mut resources, kustomization, context)?;
    for resource in &mut resources {
        if !resource.non_string_keys.is_empty() {
            check_non_string_keys(&resource.node, &resource.non_string_keys)?;
        }
        context.warnings.extend(stray_directive(resource));
        build_metadata::clean(&mut resource.node)?;
        normalize(&mut resource.node)?;
    }
    Ok(resources)
}

/// Appends the hashes of their data to the names of generated objects.
///
/// # Errors
/// [`Error`] if a value has no JSON form.
pub(crate) fn add_hashes(resources: &mut [Resource], provenance: &mut Provenance) -> Result<(), Error> {
    let mut hashed = resources.iter_mut().filter(|resource| resource.needs_hash);
    hashed.try_for_each(|resource| add_hash(resource, provenance))
}

/// Appends the hash of its data to the name of a generated object.
fn add_hash(resource: &mut Resource, provenance: &mut Provenance) -> Result<(), Error> {
    let text: Arc<str> = format!("{}-{}", resource.name(), hash(&resource.node)?).into();
    resource.record_id();
    let Some(metadata) = resource.node.get_mut("metadata") else { return Ok(()) };
    let before = metadata.get("name").map_or(Origin::default(), |name| name.origin);
    let origin = Cause::new("hash of the data", before).origin(before, Some(before), provenance);
    let old = metadata.get("name").and_then(Node::as_scalar);
    let name = Node::scalar(scalar(text, old), origin);
    metadata.set(Key::new("name", origin), name);
    Ok(())
}

/// Checks that an object still has a kind and a name.
fn check(resource: &Resource) -> Result<(), Error> {
    let kind = resource.kind();
    if kind.is_empty() {
        return Err(resource.node.origin.error("the object has lost its kind; fix the patch that removed it"));
    }
    if resource.name().is_empty() && !kind.ends_with("List") {
        let message = format!("the {kind} has lost its name; fix the patch that removed it");
        return Err(resource.node.origin.error(message));
    }
    Ok(())
}
