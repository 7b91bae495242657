//! `namespace`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::overlay::field_specs::spec::{FieldSpec, Gvk};
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::input::Text;
use crate::overlay::model::values::{Cause, text_of};
use crate::overlay::model::{Id, Resource};
use crate::yaml::described;
use crate::yaml::{Error, Key, Node, Provenance, Scalar};

const NAMESPACE: &str = "metadata/namespace";

/// Which subjects of RoleBindings and ClusterRoleBindings move as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Subjects {
    /// Those named `default`. Name references update the others later.
    #[default]
    NamedDefault,
    /// All ServiceAccounts.
    ServiceAccounts,
    /// None.
    Nothing,
}

/// A move of objects into a namespace.
#[derive(Debug)]
pub(crate) struct Move<'m> {
    pub(crate) namespace: &'m Text,
    /// What the user wrote: a field, or the kind of a plugin.
    pub(crate) field: &'m str,
    pub(crate) specs: &'m [FieldSpec],
    /// Whether only objects without a namespace move.
    pub(crate) unset_only: bool,
    pub(crate) subjects: Subjects,
}

/// Moves objects into a namespace.
///
/// # Errors
/// [`Error`] if two objects get the same id, or a namespace field is not a single value.
pub(crate) fn apply(resources: &mut [Resource], plan: &Move<'_>, provenance: &mut Provenance) -> Result<(), Error> {
    let own = FieldSpec::new(Gvk::default(), NAMESPACE, true);
    let mut mover = Mover::new(plan, provenance);
    let mut ids: HashMap<Id, usize> = HashMap::new();
    for resource in resources.iter() {
        *ids.entry(resource.id().effective()).or_default() += 1;
    }
    for resource in resources.iter_mut().filter(|resource| !resource.is_from_chart) {
        if let Some(count) = ids.get_mut(&resource.id().effective()) {
            *count = count.saturating_sub(1);
        }
        resource.record_id();
        mover.resource(resource, &own)?;
        let id = resource.id();
        let count = ids.entry(id.effective()).or_default();
        *count += 1;
        if *count > 1 {
            let message =
                format!("in the namespace {}, two objects are {id}; rename or remove one of them", plan.namespace.text);
            return Err(resource.node.origin.error(message));
        }
    }
    Ok(())
}

/// Moves one object without checking that its id stays unique.
///
/// # Errors
/// [`Error`] if a namespace field is not a single value.
pub(crate) fn move_one(resource: &mut Resource, plan: &Move<'_>, provenance: &mut Provenance) -> Result<(), Error> {
    Mover::new(plan, provenance).resource(resource, &FieldSpec::new(Gvk::default(), NAMESPACE, true))
}

struct Mover<'a> {
    plan: &'a Move<'a>,
    cause: Cause,
    provenance: &'a mut Provenance,
}

impl<'a> Mover<'a> {
    fn new(plan: &'a Move<'a>, provenance: &'a mut Provenance) -> Self {
        Self { plan, cause: Cause::new(plan.field, plan.namespace.origin), provenance }
    }

    fn resource(&mut self, resource: &mut Resource, own: &FieldSpec) -> Result<(), Error> {
        let visitor = FieldVisitor { by: self.plan.field, create: Create::Scalar, origin: self.plan.namespace.origin };
        let id = resource.id();
        if !id.is_cluster_scoped() {
            visitor.visit(resource, own, &mut |node| self.set(node))?;
        }
        let is_binding = matches!(&*id.kind, "RoleBinding" | "ClusterRoleBinding");
        if is_binding {
            self.subjects(resource)?;
        }
        let specs = self.plan.specs;
        let counts = |spec: &&FieldSpec| {
            let is_subject =
                matches!(&*spec.gvk.kind, "RoleBinding" | "ClusterRoleBinding") && spec.path == "subjects/namespace";
            let is_other_name = spec.path == "metadata/name" && *id.api_version != *"v1";
            spec.path != NAMESPACE && !is_other_name && !(is_binding && is_subject)
        };
        specs.iter().filter(counts).try_for_each(|spec| visitor.visit(resource, spec, &mut |node| self.set(node)))
    }

    fn set(&mut self, node: &mut Node) -> Result<(), Error> {
        let before = Some(text_of(node)?).filter(|old| !old.text().is_empty()).map(|_| node.origin);
        if self.plan.unset_only && before.is_some() && !node.is_null() {
            return Ok(());
        }
        let namespace = self.plan.namespace;
        let origin = self.cause.origin(namespace.origin, before, self.provenance);
        *node = Node::scalar(Scalar::string(Arc::clone(&namespace.text)), origin);
        Ok(())
    }

    /// Moves the subjects of a binding.
    fn subjects(&mut self, resource: &mut Resource) -> Result<(), Error> {
        let id = resource.id();
        let Some(subjects) = resource.node.get_mut("subjects").filter(|subjects| !subjects.is_null()) else {
            return Ok(());
        };
        let (origin, what) = (subjects.origin, described(subjects));
        let Some(subjects) = subjects.as_sequence_mut() else {
            return Err(origin.error(format!("the subjects of {id} are {what}, but must be a list")));
        };
        for subject in subjects {
            let is = |key, text| subject.get(key).and_then(Node::as_scalar).is_some_and(|value| value.text() == text);
            let moves = match self.plan.subjects {
                Subjects::NamedDefault => is("name", "default"),
                Subjects::ServiceAccounts => is("kind", "ServiceAccount"),
                Subjects::Nothing => false,
            };
            if !moves {
                continue;
            }
            let at = self.plan.namespace.origin;
            let Some(mapping) = subject.as_mapping_mut() else { continue };
            let made = || Node::scalar(Scalar::plain(""), at);
            let field = mapping.get_or_insert_with(Key::new("namespace", at), made);
            self.set(field)?;
        }
        Ok(())
    }
}
