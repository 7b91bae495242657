//! The final steps, run once after all layers are built.

use std::sync::Arc;

use super::generate::hash::hash;
use super::kustomization::Kustomization;
use super::layer::Gathered;
use super::leftover::leftover;
use super::metadata;
use super::resource::Resource;
use super::session::Session;
use super::set::{Cause, check_odd_keys, scalar};
use super::{order, references};
use crate::yaml::{Fault, Key, Node, Origin, Provenance, settle};

/// Annotation that keeps an object out of the result unless its value is `false`.
const LOCAL: &str = "config.kubernetes.io/local-config";

/// Returns the objects in their final form.
///
/// # Errors
/// [`Fault`] if an object lost its kind or name, an id occurs twice, a reference is ambiguous, or a value cannot be written.
pub(super) fn finish(
    session: &mut Session<'_>,
    kustomization: &Kustomization,
    gathered: Gathered,
) -> Result<Vec<Resource>, Fault> {
    let mut resources = gathered.pool.into_resources();
    for resource in resources.iter_mut().filter(|resource| resource.needs_hash) {
        add_hash(resource, &mut session.provenance)?;
    }
    references::follow(&mut resources, &gathered.config.references, session)?;
    if session.options.ocm_references {
        references::ocm::follow(&mut resources, session)?;
    }
    resources.iter().try_for_each(check)?;
    resources.retain(|resource| resource.annotation(LOCAL).is_none_or(|text| text == "false"));
    order::sort(&mut resources, kustomization.sort.as_ref(), &session.provenance)?;
    metadata::write(&mut resources, kustomization, session)?;
    for resource in &mut resources {
        if !resource.odd_keys.is_empty() {
            check_odd_keys(&resource.node, &resource.odd_keys)?;
        }
        session.warnings.extend(leftover(resource));
        metadata::clean(&mut resource.node)?;
        settle(&mut resource.node)?;
    }
    Ok(resources)
}

/// Appends the hash of its data to the name of a generated object.
fn add_hash(resource: &mut Resource, provenance: &mut Provenance) -> Result<(), Fault> {
    let text: Arc<str> = format!("{}-{}", resource.name(), hash(&resource.node)?).into();
    resource.remember();
    let Some(metadata) = resource.node.get_mut("metadata") else { return Ok(()) };
    let before = metadata.get("name").map_or(Origin::default(), |name| name.origin);
    let origin = Cause::new("hash of the data", before).origin(before, Some(before), provenance);
    let old = metadata.get("name").and_then(Node::as_scalar);
    let name = Node::scalar(scalar(text, old), origin);
    metadata.set(Key::new("name", origin), name);
    Ok(())
}

/// Checks that an object still has a kind and a name.
fn check(resource: &Resource) -> Result<(), Fault> {
    let kind = resource.kind();
    if kind.is_empty() {
        return Err(Fault::new(resource.node.origin, "the object has lost its kind; fix the patch that removed it"));
    }
    if resource.name().is_empty() && !kind.ends_with("List") {
        let message = format!("the {kind} has lost its name; fix the patch that removed it");
        return Err(Fault::new(resource.node.origin, message));
    }
    Ok(())
}
