//! Applies patches to objects.

use std::collections::HashSet;

use super::entry::{Action, Options, PatchEntry};
use super::internal_annotations;
use super::recorder::Recorder;
use crate::overlay::budget::{Budget, Cost, values};
use crate::overlay::model::{Id, Resource};
use crate::overlay::patch::json;
use crate::overlay::patch::json::operation::Operation;
use crate::overlay::patch::merge::{self, Types, prepare};
use crate::overlay::select::{Index, Selector};
use crate::yaml::{Error, Mapping, Node, Origin, Provenance, Scalar};
use tidegate_model::diagnostic::Diagnostic;

/// Number of patch values that can be copied in the time of one visit.
const PATCH_VALUES: usize = 16;
/// Number of list elements that can be shifted in the time of one visit.
const MOVED: usize = 32;

/// Applies patches one after another, and removes the objects that they delete.
///
/// # Errors
/// [`Error`] if a patch without a target does not name exactly one object, or a patch cannot be applied.
pub fn apply(
    resources: &mut Vec<Resource>,
    entries: &[PatchEntry],
    provenance: &mut Provenance,
) -> Result<Vec<Diagnostic<Origin>>, Error> {
    apply_within(resources, entries, &Types::default(), provenance, &mut Budget::default())
}

/// Applies patches like [`apply`], within a budget.
///
/// # Errors
/// As [`apply`], and if the budget is exceeded.
pub(crate) fn apply_within(
    resources: &mut Vec<Resource>,
    entries: &[PatchEntry],
    types: &Types,
    provenance: &mut Provenance,
    budget: &mut Budget,
) -> Result<Vec<Diagnostic<Origin>>, Error> {
    let cost = Cost::of(resources);
    let index = Index::new(resources);
    let mut run = Run { index, resources, types, warnings: Vec::new(), cost, notes: 0, forgot: HashSet::new(), budget };
    for (i, entry) in entries.iter().enumerate() {
        run.notes = i;
        run.entry(entry, provenance)?;
    }
    let warnings = run.warnings;
    resources.retain(|resource| !resource.node.is_null());
    Ok(warnings)
}

struct Run<'r> {
    resources: &'r mut Vec<Resource>,
    types: &'r Types,
    index: Index,
    warnings: Vec<Diagnostic<Origin>>,
    cost: Cost,
    /// Number of entries applied before this one whose transformer notes are still to come.
    notes: usize,
    /// The objects that had a record of their origin and lost it.
    forgot: HashSet<usize>,
    budget: &'r mut Budget,
}

impl Run<'_> {
    fn entry(&mut self, entry: &PatchEntry, provenance: &mut Provenance) -> Result<(), Error> {
        let head = &entry.head;
        let mut recorder = Recorder::new(provenance, &head.field, head.origin);
        let is_found = match &entry.action {
            Action::Nothing => true,
            Action::Named { patches, options, is_old } => {
                if *is_old {
                    self.notes = 0;
                }
                for patch in patches {
                    self.named(patch, *options, *is_old, &mut recorder)?;
                }
                true
            }
            Action::Selected { patch, options, target } => self.selected(patch, *options, target, &mut recorder)?,
            Action::Json { operations, target, remembers } => {
                self.json(operations, target, *remembers, &mut recorder)?
            }
        };
        let lost = std::mem::take(&mut recorder.lost);
        self.warnings.extend(lost.into_iter().map(|(origin, why)| origin.warning(why)));
        if !is_found {
            let origin = entry.target().map_or(head.origin, |target| target.origin);
            let meant = entry.target().and_then(|target| self.index.meant(target));
            let remedy = meant.unwrap_or_else(|| "correct it, or remove the patch".to_owned());
            let field = &head.field;
            let message = format!("the target of {field} matches no object, so the patch does nothing; {remedy}");
            self.warnings.push(origin.warning(message));
        } else if !recorder.changed {
            let message = format!("{} changes nothing; remove it", head.field);
            self.warnings.push(head.origin.warning(message));
        }
        Ok(())
    }

    fn named(
        &mut self,
        patch: &Node,
        options: Options,
        is_old: bool,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), Error> {
        let mut named = Resource::new(patch.clone());
        named.is_cluster_scoped = self.types.is_cluster_scoped(&named.api_version(), &named.kind());
        let id = named.id();
        let found = self.index.with_id(&id, self.resources);
        let [at] = found.as_slice() else {
            let message = if found.is_empty() { self.unknown(&id) } else { ambiguous(&id, found.len()) };
            return Err(patch.origin.error(message));
        };
        self.budget.charge(self.cost.largest, patch.origin)?;
        let prepared = prepare::prepare(patch, options, is_old);
        self.merge(*at, &prepared, options, recorder)
    }

    fn selected(
        &mut self,
        patch: &Node,
        options: Options,
        target: &Selector,
        recorder: &mut Recorder<'_>,
    ) -> Result<bool, Error> {
        let added = values(patch);
        let found = self.found(target, added / PATCH_VALUES)?;
        self.budget.copy(added, found.len(), patch.origin)?;
        let prepared = prepare::prepare(patch, options, true);
        for at in &found {
            self.merge(*at, &prepared, options, recorder)?;
        }
        if options.any() {
            found.iter().try_for_each(|at| self.check_unique(*at, patch.origin))?;
        }
        Ok(!found.is_empty())
    }

    /// Returns the indices of the objects that a target matches. Each object costs `each` in addition to a visit.
    fn found(&mut self, target: &Selector, each: usize) -> Result<Vec<usize>, Error> {
        let looked_at = self.index.plain(target).map_or(self.resources.len(), <[usize]>::len);
        self.budget.charge(looked_at, target.origin)?;
        let found = self.index.selected(target, self.resources);
        let each = self.cost.largest.saturating_add(each);
        self.budget.charge(found.len().saturating_mul(each), target.origin)?;
        Ok(found)
    }

    fn merge(&mut self, at: usize, patch: &Node, options: Options, recorder: &mut Recorder<'_>) -> Result<(), Error> {
        let Some(resource) = self.resources.get_mut(at) else { return Ok(()) };
        if options.any() {
            resource.record_id();
        }
        if prepare::forgets(patch) {
            internal_annotations::forget(resource);
            if resource.made_by.is_some() {
                self.forgot.insert(at);
            }
            if self.forgot.contains(&at) {
                internal_annotations::lose_changes(resource, self.notes);
            }
        }
        let old = prepare::Names::of(&resource.node);
        let stays = merge::merge(&mut resource.node, patch, self.types, recorder)?;
        if !stays || resource.node.as_mapping().is_none_or(Mapping::is_empty) {
            resource.node = Node::scalar(Scalar::null(), resource.node.origin);
            return Ok(());
        }
        old.restore(&mut resource.node, options);
        recorder.share(resource);
        if options.any() {
            self.index.add(at, resource);
        }
        Ok(())
    }

    fn json(
        &mut self,
        operations: &[Operation],
        target: &Selector,
        remembers: bool,
        recorder: &mut Recorder<'_>,
    ) -> Result<bool, Error> {
        // An operation may shift all elements of a list, including those that earlier operations added.
        let moved = self.cost.largest.saturating_add(operations.len() / MOVED);
        let found = self.found(target, operations.len().saturating_mul(moved))?;
        self.cost.largest = moved;
        let added = operations.iter().filter_map(Operation::value).map(values).sum();
        self.budget.copy(added, found.len(), target.origin)?;
        for at in &found {
            let Some(resource) = self.resources.get_mut(*at) else { continue };
            if remembers {
                resource.record_id();
            }
            let tells = resource.made_by.is_some() || self.forgot.contains(at);
            internal_annotations::add(resource, remembers || tells);
            json::apply(&mut resource.node, operations, recorder)?;
            // The object went through JSON, where no value is shared between two places.
            resource.shared.clear();
            if tells && !internal_annotations::exist(&resource.node) {
                // The patch replaced all annotations, including those that record where the object came from.
                self.forgot.insert(*at);
                internal_annotations::lose_changes(resource, self.notes);
            }
            internal_annotations::remove(&mut resource.node);
            let id = resource.id();
            if id.kind.is_empty() || id.name.is_empty() {
                let what = if id.kind.is_empty() { "kind" } else { "metadata.name" };
                let origin = operations.last().map_or(target.origin, |last| last.path.origin);
                return Err(origin.error(format!("the patch leaves an object without {what}; keep it")));
            }
            self.index.add(*at, resource);
        }
        Ok(!found.is_empty())
    }

    fn check_unique(&self, at: usize, origin: Origin) -> Result<(), Error> {
        let Some(id) = self.resources.get(at).map(Resource::id) else { return Ok(()) };
        let same = self.index.with_id(&id, self.resources);
        let is_same = |at: &&usize| self.resources.get(**at).is_some_and(|resource| resource.id().is_same(&id));
        if same.iter().filter(is_same).count() < 2 {
            return Ok(());
        }
        Err(origin.error(format!("the patch creates a second object {id}; give it another name")))
    }

    /// Returns the message that no object has an id, with the object that may be meant.
    fn unknown(&self, id: &Id) -> String {
        let like = self.resources.iter().flat_map(Resource::ids).filter(|one| one.name == id.name);
        let like = like.max_by_key(|one| (one.kind == id.kind, one.api_version == id.api_version));
        let hint = match like {
            Some(one) if one.kind != id.kind => format!("{one} has that name"),
            Some(one) if one.api_version != id.api_version => {
                format!("the apiVersion of the object with that name is {}", one.api_version)
            }
            Some(one) if one.namespace.is_empty() => "the object with that name has no namespace".to_owned(),
            Some(one) => format!("the namespace of the object with that name is {}", one.namespace),
            None => "name an object from the resources, or give a target".to_owned(),
        };
        format!("the patch is for {id}, but there is no such object; {hint}")
    }
}

fn ambiguous(id: &Id, count: usize) -> String {
    format!("the patch is for {id}, but {count} objects have or had that id; give a target that matches one of them")
}

impl PatchEntry {
    fn target(&self) -> Option<&Selector> {
        match &self.action {
            Action::Selected { target, .. } | Action::Json { target, .. } => Some(target),
            Action::Nothing | Action::Named { .. } => None,
        }
    }
}
