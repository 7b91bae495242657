//! Applies replacements.

use super::find::Shape;
use super::path::Path;
use super::read::{Replacement, Source, SourceObject, Target};
use super::{embedded, find, value};
use crate::overlay::budget::{Budget, Cost, MAX_MIB, MemoryBudget};
use crate::overlay::model::{Id, Resource};
use crate::overlay::patch::Recorder;
use crate::overlay::patch::is_same;
use crate::overlay::select::Index;
use crate::yaml::{Error, Node, Origin, Provenance, Scalar};
use tidegate_model::diagnostic::Diagnostic;

/// Applies replacements one after another.
///
/// # Errors
/// [`Error`] if a source is not a field of exactly one object, or a target does not have the field.
pub fn apply(
    resources: &mut [Resource],
    replacements: &[Replacement],
    provenance: &mut Provenance,
) -> Result<Vec<Diagnostic<Origin>>, Error> {
    apply_within(resources, replacements, provenance, &mut Budget::default())
}

/// Applies replacements like [`apply`], within a budget.
///
/// # Errors
/// As [`apply`], and if the budget is exceeded.
pub(crate) fn apply_within(
    resources: &mut [Resource],
    replacements: &[Replacement],
    provenance: &mut Provenance,
    budget: &mut Budget,
) -> Result<Vec<Diagnostic<Origin>>, Error> {
    let largest = Cost::of(resources).largest;
    let index = Index::new(resources);
    let mut run = Run { index, resources, warnings: Vec::new(), memory: MemoryBudget::default(), largest, budget };
    for replacement in replacements {
        let mut recorder = Recorder::new(provenance, &replacement.head.field, replacement.head.origin);
        let mut value = run.value(&replacement.source)?;
        for target in &replacement.targets {
            run.target(target, &mut value, &mut recorder)?;
        }
    }
    Ok(run.warnings)
}

struct Run<'r> {
    resources: &'r mut [Resource],
    index: Index,
    warnings: Vec<Diagnostic<Origin>>,
    /// The memory that set values may still use.
    memory: MemoryBudget,
    /// Cost of visiting the largest object once.
    largest: usize,
    budget: &'r mut Budget,
}

/// A value to copy to targets.
struct Value<'s> {
    node: Node,
    /// The index of the source object and the path of the field, unless the value is only part of a field. A target that changes
    /// the field changes what later targets get, as in kustomize.
    field: Option<(usize, &'s Path)>,
}

impl Value<'_> {
    /// Reloads the value from its field, which may have changed.
    fn renew(&mut self, at: usize, object: &Node) {
        let field = self.field.filter(|(place, _)| *place == at);
        if let Some(node) = field.and_then(|(_, path)| path.look_up(object).ok().flatten()) {
            self.node = node.clone();
        }
    }
}

impl Run<'_> {
    fn value<'s>(&mut self, source: &'s Source) -> Result<Value<'s>, Error> {
        match source {
            Source::Value(text, origin) => {
                Ok(Value { node: Node::scalar(Scalar::plain(text.clone()), *origin), field: None })
            }
            Source::Object(source) => {
                let (at, node) = self.source(source)?;
                let found = source.path.look_up(node)?.filter(|node| !node.is_empty());
                let found = found.ok_or_else(|| source.path.error("names no field with a value in the source"))?;
                let is_whole = source.options.delimiter.is_empty();
                Ok(Value { node: value::part(found, &source.options)?, field: is_whole.then_some((at, &source.path)) })
            }
        }
    }

    fn source(&mut self, source: &SourceObject) -> Result<(usize, &Node), Error> {
        let known = self.index.named(&source.kind, &source.name);
        let all = 0..self.resources.len();
        self.budget.charge(known.map_or(all.len(), <[usize]>::len), source.origin)?;
        let places: Vec<_> = match known {
            Some(places) => places.to_vec(),
            None => all.collect(),
        };
        let matches = |(_, resource): &(usize, &Resource)| resource.ids().any(|id| source.matches(&id));
        let mut found = places.iter().filter_map(|at| Some((*at, self.resources.get(*at)?))).filter(matches);
        match (found.next(), found.next()) {
            (Some((at, one)), None) => Ok((at, &one.node)),
            (None, _) => Err(source.origin.error("the source matches no object; name one from the resources")),
            (Some((_, one)), Some((_, other))) => {
                let message = format!(
                    "the source matches {} and {}, but must match one object; specify more of kind, name and namespace",
                    one.id(),
                    other.id()
                );
                Err(source.origin.error(message))
            }
        }
    }

    fn target(&mut self, target: &Target, value: &mut Value<'_>, recorder: &mut Recorder<'_>) -> Result<(), Error> {
        let places: Vec<_> = match self.index.plain(&target.select) {
            Some(places) => places.to_vec(),
            None => (0..self.resources.len()).collect(),
        };
        let looked_at = places.len().saturating_mul(1 + target.reject.len());
        self.budget.charge(looked_at, target.select.origin)?;
        let mut is_found = false;
        for at in places {
            let Some(resource) = self.resources.get_mut(at).filter(|resource| matches(target, resource)) else {
                continue;
            };
            is_found = true;
            for path in &target.paths {
                self.budget.charge(self.largest, path.origin)?;
                take(&mut self.memory, &value.node, path)?;
                let goal = Goal { target, value: &value.node, memory: &mut self.memory };
                self.warnings.extend(set(&mut resource.node, path, goal, recorder)?);
                value.renew(at, &resource.node);
            }
            self.index.add(at, resource);
        }
        if !is_found {
            let message = "select matches no object, so nothing is set; name one from the resources";
            self.warnings.push(target.select.origin.warning(message));
        }
        Ok(())
    }
}

impl SourceObject {
    fn matches(&self, id: &Id) -> bool {
        let fits = |wanted: &str, text: &str| wanted.is_empty() || wanted == text;
        fits(&self.kind, &id.kind)
            && fits(&self.name, &id.name)
            && fits(&self.group, id.group())
            && fits(&self.version, id.version())
            && (self.namespace.is_empty() || self.id().effective_namespace() == id.effective_namespace())
    }

    fn id(&self) -> Id {
        let api_version = if self.group.is_empty() {
            self.version.clone()
        } else {
            std::sync::Arc::from(format!("{}/{}", self.group, self.version))
        };
        Id::new(api_version, self.kind.clone(), self.namespace.clone(), self.name.clone())
    }
}

/// Returns `true` if a target matches an object by any id that the object has or had.
fn matches(target: &Target, resource: &Resource) -> bool {
    target.select.matches_metadata(&resource.node)
        && resource.ids().any(|id| target.select.matches_id(&id))
        && !target.reject.iter().any(|reject| {
            // Labels and ids each reject on their own.
            (reject.restricts_metadata() && reject.matches_metadata(&resource.node))
                || (reject.restricts_id() && resource.ids().any(|id| reject.matches_id(&id)))
        })
}

/// The value to set, and the target with its options.
struct Goal<'g> {
    target: &'g Target,
    value: &'g Node,
    memory: &'g mut MemoryBudget,
}

/// Takes the memory that a value needs from what is left.
fn take(memory: &mut MemoryBudget, value: &Node, path: &Path) -> Result<(), Error> {
    if memory.take(value) {
        Ok(())
    } else {
        Err(path.error(format!("sets more than {MAX_MIB} MiB in total; copy less")))
    }
}

fn set(
    node: &mut Node,
    path: &Path,
    goal: Goal<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Option<Diagnostic<Origin>>, Error> {
    let (target, value) = (goal.target, goal.value);
    let create = target.options.create.then(|| Shape::of(value));
    if let Some(embedded) = embedded::through(node, path) {
        if embedded.set(node, path, value, create)? == 0 {
            return Err(path.error("names no field in the string; correct it, or set the option create"));
        }
        return Ok(None);
    }
    let found = find::find(node, path, create)?;
    if found.places.is_empty() && !found.is_lost {
        let remedy = if create.is_some() { "" } else { ", or set the option create" };
        return Err(path.error(format_args!("names no field of the target; correct it{remedy}")));
    }
    for (i, place) in found.places.iter().enumerate() {
        if i > 0 {
            take(goal.memory, goal.value, path)?;
        }
        let Some(field) = find::at(node, &place.way) else { continue };
        let text = value::text(field, value, &target.options)?;
        let mut new = Node { origin: value.origin, content: field.content.clone() };
        value::set(&mut new, value, &text).map_err(|what| path.error(format_args!("does not fit: {what}")))?;
        if !is_same(field, &new) {
            recorder.record(&mut new, Some(field.origin));
            *field = new;
        }
    }
    let message = || format!("the path {:?} leads below a null, so nothing is set; remove the null", path.text);
    Ok(found.is_lost.then(|| path.origin.warning(message())))
}
