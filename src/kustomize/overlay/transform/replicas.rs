//! `replicas`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::overlay::build::BuildContext;
use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::Replica;
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, Naming, text_of};
use crate::yaml::{Error, Node, Scalar, Style};
use tidegate_model::near::nearest;

/// Sets the replica counts of objects.
///
/// # Errors
/// [`Error`] if an entry matches no object.
pub(crate) fn apply(
    resources: &mut [Resource],
    (naming, entries): (Naming<'_>, &[Replica]),
    specs: &[FieldSpec],
    context: &mut BuildContext<'_>,
) -> Result<(), Error> {
    let by_name = index(resources);
    for (i, entry) in entries.iter().enumerate() {
        let name = entry.name.as_ref().map(|name| Arc::clone(&name.text)).unwrap_or_default();
        let mut cause = Cause::new(naming.entry(i), entry.origin);
        let visitor = FieldVisitor { by: naming.all(), create: Create::Scalar, origin: entry.count_origin };
        let mut is_found = false;
        let named = by_name.get(&name).map_or(&[] as &[usize], Vec::as_slice);
        context.budget.charge(named.len().saturating_mul(1 + specs.len() / 16), entry.origin)?;
        for at in named {
            let Some(resource) = resources.get_mut(*at) else { continue };
            for spec in specs {
                let fits = |id: crate::overlay::Id| id.name == name && spec.gvk.selects(&id.api_version, &id.kind);
                if !resource.ids().any(fits) {
                    continue;
                }
                is_found = true;
                visitor.visit(resource, spec, &mut |node| {
                    let old = text_of(node)?;
                    let is_quoted = old.style() != Style::Plain;
                    let before = if old.text().is_empty() { None } else { Some(node.origin) };
                    let origin = cause.origin(entry.count_origin, before, &mut context.provenance);
                    let count = Scalar::integer(entry.count);
                    let count = if is_quoted { Scalar::string(Arc::clone(count.shared_text())) } else { count };
                    *node = Node::scalar(count, origin);
                    Ok(())
                })?;
            }
        }
        if !is_found {
            return Err(unknown(entry, &name, resources, specs));
        }
    }
    Ok(())
}

/// Returns the indices of the objects by each name that they have or had.
fn index(resources: &[Resource]) -> HashMap<Arc<str>, Vec<usize>> {
    let mut by_name: HashMap<Arc<str>, Vec<usize>> = HashMap::new();
    for (at, resource) in resources.iter().enumerate() {
        for id in resource.ids() {
            let places = by_name.entry(id.name).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
    }
    by_name
}

fn unknown(entry: &Replica, name: &str, resources: &[Resource], specs: &[FieldSpec]) -> Error {
    let scaled = resources.iter().filter(|resource| specs.iter().any(|spec| spec.selects(resource)));
    let names: Vec<_> = scaled.map(Resource::name).collect();
    let remedy = match nearest(name, names.iter().map(|name| &**name)) {
        Some(near) => format!("did you mean {near:?}?"),
        None => "remove the entry, or add the kind to the `replicas` of a configuration".to_owned(),
    };
    let origin = entry.name.as_ref().map_or(entry.origin, |name| name.origin);
    origin.error(format!("there is no Deployment, StatefulSet, ReplicaSet or ReplicationController {name:?}; {remedy}"))
}
