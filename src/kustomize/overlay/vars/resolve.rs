//! Finds the values of vars, and sets the fields that refer to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::FIELD;
use super::declaration::Var;
use super::expand::{Piece, pieces};
use super::fix::Places;
use super::set::VarSet;
use super::value::{Known, Value};
use crate::overlay::budget::{MAX_MIB, MemoryBudget};
use crate::overlay::build::BuildContext;
use crate::overlay::field_specs::spec::FieldSpec;
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::model::Resource;
use crate::overlay::model::values::is_non_string;
use crate::overlay::replacement::Path;
use crate::yaml::described;
use crate::yaml::{Error, Kind, Node, Origin, Provenance, Scalar, SourceId, Step};

/// Number of fields that can be examined in the time of one visit.
const FIELDS: usize = 16;

/// Replaces references to vars in the fields that some field specs name. `top` is the kustomization that is rendered.
///
/// # Errors
/// [`Error`] if a var has no object or no value, or a field holds what is neither a string nor strings.
pub(crate) fn resolve(
    vars: &VarSet,
    resources: &mut [Resource],
    specs: &[FieldSpec],
    top: SourceId,
    context: &mut BuildContext<'_>,
) -> Result<(), Error> {
    let mut values = BTreeMap::new();
    context.each(vars.iter(), |_, var| {
        values.insert(Arc::clone(&var.name), value(var, resources)?);
        Ok(())
    })?;
    if values.is_empty() {
        return Ok(());
    }
    context.budget.charge(resources.len().saturating_mul(1 + specs.len() / FIELDS), Origin::default())?;
    // Replacements are proposed only for the kustomization that is rendered.
    let places = vars.iter().all(|var| var.origin.source == top).then(|| Places::of(resources));
    let visitor = FieldVisitor { by: FIELD, create: Create::Nothing, origin: Origin::default() };
    let mut expander = Expander { values, memory: MemoryBudget::default(), provenance: &mut context.provenance };
    for resource in resources.iter_mut() {
        for spec in specs {
            let mut is_changed = false;
            visitor.visit(resource, spec, &mut |node| {
                is_changed |= expander.field(node)?;
                Ok(())
            })?;
            if is_changed {
                resource.share_changes(expander.provenance, &|field| field == FIELD);
            }
        }
    }
    let values = expander.values;
    if let Some(replacements) =
        places.and_then(|places| places.replacements(vars.iter(), &values, resources, &context.provenance))
    {
        let first = vars.iter().map(|var| var.origin).min_by_key(|origin| (origin.line, origin.column));
        let message = format!("these replacements mean the same as the vars: {replacements}");
        context.warnings.extend(first.map(|origin| origin.warning(message)));
    }
    for (name, known) in values.iter().filter(|(_, known)| !known.is_used) {
        let message =
            format!("nothing refers to the var {name}; write $({name}) in a field of varReference, or remove it");
        context.warnings.push(known.declared.warning(message));
    }
    Ok(())
}

/// Returns the value of a var.
fn value(var: &Var, resources: &[Resource]) -> Result<Known, Error> {
    let bound = resources.iter().find(|resource| resource.vars.contains(&var.name));
    let Some(resource) = bound else {
        let message = if var.target.kind.is_empty() || var.target.name.is_empty() {
            format!("the var {} names no object; write apiVersion, kind and name in objref", var.name)
        } else {
            format!(
                "the var {} refers to {}, which is not among the objects; write apiVersion, kind and the name before prefixes",
                var.name, var.target
            )
        };
        return Err(var.target.origin.error(message));
    };
    let path = Path::read_with_indices(&var.path.text, var.path.origin)?;
    let found = path.look_up(&resource.node).ok().flatten();
    let known = found.and_then(|node| {
        Some(Known { value: Value::of(node)?, origin: node.origin, declared: var.origin, is_used: false })
    });
    known.ok_or_else(|| {
        path.error(format_args!("of the var {} names no field with a value in {}", var.name, resource.id()))
    })
}

struct Expander<'p> {
    values: BTreeMap<Arc<str>, Known>,
    memory: MemoryBudget,
    provenance: &'p mut Provenance,
}

impl Expander<'_> {
    /// Replaces the references in a string, in the values of a mapping, or in a list of strings. Returns `true` if something
    /// changed.
    fn field(&mut self, node: &mut Node) -> Result<bool, Error> {
        if let Some(items) = node.as_sequence_mut() {
            let mut is_changed = false;
            for item in items {
                if !is_string(item) {
                    return Err(item
                        .origin
                        .error(format!("this is {}, but a list of strings is expected", described(item))));
                }
                is_changed |= self.string(item)?;
            }
            return Ok(is_changed);
        }
        if let Some(mapping) = node.as_mapping_mut() {
            let mut is_changed = false;
            for (key, value) in mapping.iter_mut() {
                if is_non_string(key) {
                    return Err(key.origin.error(format!("the key {:?} is not a string; put it in quotes", key.text)));
                }
                is_changed |= is_string(value) && self.string(value)?;
            }
            return Ok(is_changed);
        }
        Ok(is_string(node) && self.string(node)?)
    }

    fn string(&mut self, node: &mut Node) -> Result<bool, Error> {
        let Some(text) = node.as_scalar().map(|scalar| Arc::clone(scalar.shared_text())) else { return Ok(false) };
        if !text.contains('$') {
            return Ok(false);
        }
        let pieces = pieces(&text);
        let mut from = None;
        if let [Piece::Reference(name)] = *pieces {
            let known = self.values.get_mut(name).and_then(|known| Some((known.value.scalar()?, known)));
            let Some((scalar, known)) = known else { return Ok(false) };
            known.is_used = true;
            from = Some((known.declared, known.origin));
            return self.set(node, scalar, from).map(|()| true);
        }
        let mut new = String::with_capacity(text.len());
        for piece in pieces {
            match piece {
                Piece::Text(text) => new.push_str(&text),
                Piece::Reference(name) => {
                    match self.values.get_mut(name).filter(|known| known.value != Value::Collection) {
                        Some(known) => {
                            known.is_used = true;
                            known.value.append_to(&mut new);
                            from = from.or(Some((known.declared, known.origin)));
                        }
                        None => new.extend(["$(", name, ")"]),
                    }
                }
            }
            if new.len() > MAX_MIB << 20 {
                return Err(too_large(node.origin));
            }
        }
        if *new == *text {
            return Ok(false);
        }
        self.set(node, Scalar::string(new), from).map(|()| true)
    }

    /// Sets a string to its new value. `from` is where the var is declared, and where its value is.
    fn set(&mut self, node: &mut Node, scalar: Scalar, from: Option<(Origin, Origin)>) -> Result<(), Error> {
        let before = node.origin;
        let (at, from) = from.map_or((before, None), |(declared, value)| (declared, Some(value)));
        let step = Step { field: Arc::from(FIELD), at, before: Some(before), from };
        *node = Node::scalar(scalar, before.by(self.provenance.add_step(step)));
        if self.memory.take(node) { Ok(()) } else { Err(too_large(before)) }
    }
}

/// Returns `true` for a string, and for what a transformer wrote: its type is not fixed.
fn is_string(node: &Node) -> bool {
    node.as_scalar()
        .is_some_and(|scalar| scalar.is_untagged() || (scalar.kind() == Kind::String && !scalar.is_binary()))
}

fn too_large(origin: Origin) -> Error {
    origin.error(format!("the values of vars have more than {MAX_MIB} MiB in total; refer to smaller values"))
}
