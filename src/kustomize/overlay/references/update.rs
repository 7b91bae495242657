//! Updates names in the fields that refer to renamed objects.

use std::collections::HashMap;
use std::sync::Arc;

use super::candidates::{Ambiguous, Targets, Wanted};
use super::referrer::Referrer;
use super::target::Target;
use crate::overlay::build::BuildContext;
use crate::overlay::field_specs::config::References;
use crate::overlay::field_specs::spec::{FieldSpec, Gvk};
use crate::overlay::field_specs::{Create, FieldVisitor};
use crate::overlay::model::values::scalar;
use crate::overlay::model::{Id, Resource};
use crate::yaml::described;
use crate::yaml::{Error, Key, Node, Origin, Provenance, Scalar, Step};

/// The cause that `blame` shows.
const CAUSE: &str = "nameReference";
/// Number of fields or objects that can be examined in the time of one visit.
const FIELDS: usize = 16;

/// The `apiVersion` and kind of objects.
type Kind = (Arc<str>, Arc<str>);
/// A target kind, and a field that refers to it.
type Reference<'r> = (&'r Gvk, &'r FieldSpec);

/// Updates all fields that hold names of other objects.
///
/// # Errors
/// [`Error`] if a field holds anything but names, or a name is ambiguous.
pub(crate) fn follow(
    resources: &mut [Resource],
    references: &[References],
    context: &mut BuildContext<'_>,
) -> Result<(), Error> {
    let targets = Targets::of(resources);
    let fields: usize = references.iter().map(|references| references.referrers.len()).sum();
    context.budget.charge(resources.len().saturating_mul(1 + fields / FIELDS), Origin::default())?;
    let mut by_kind: HashMap<Kind, Vec<Reference<'_>>> = HashMap::new();
    for (at, resource) in resources.iter_mut().enumerate() {
        let Some(target) = targets.get(at) else { continue };
        let original = target.original();
        let kind = (Arc::clone(&original.api_version), Arc::clone(&original.kind));
        let fields = by_kind.entry(kind).or_insert_with(|| referring(original, references));
        if fields.is_empty() {
            continue;
        }
        // All fields are visited, even if nothing was renamed: a wrong type on the path is an error in any case.
        let referrer = Referrer::of(target, &resource.node)?;
        for (kind, spec) in fields.iter() {
            let mut follower = Follower { targets: &targets, referrer: &referrer, kind, spec, context };
            let visitor = FieldVisitor { by: "a name reference", create: Create::Nothing, origin: Origin::default() };
            visitor.visit_any(resource, spec, &mut |node| follower.field(node))?;
        }
    }
    Ok(())
}

/// Returns the fields in which objects of a kind refer to others, with the kinds that they refer to.
fn referring<'r>(id: &Id, references: &'r [References]) -> Vec<Reference<'r>> {
    let all = references.iter().flat_map(|r| r.referrers.iter().map(move |spec| (&r.target, spec)));
    all.filter(|(_, spec)| spec.gvk.selects(&id.api_version, &id.kind)).collect()
}

struct Follower<'a, 's> {
    targets: &'a Targets,
    referrer: &'a Referrer<'a>,
    kind: &'a Gvk,
    spec: &'a FieldSpec,
    context: &'a mut BuildContext<'s>,
}

impl<'a> Follower<'a, '_> {
    fn field(&mut self, node: &mut Node) -> Result<(), Error> {
        if node.is_null() {
            return Ok(());
        }
        if node.as_mapping().is_some() {
            return self.mapping(node);
        }
        let Some(items) = node.as_sequence_mut() else { return self.scalar(node) };
        for item in items.iter_mut().filter(|item| !item.is_null()) {
            if item.as_sequence().is_some() {
                let message = format!("this is {}, but a name is expected", described(item));
                return Err(item.origin.error(message));
            }
            if item.as_mapping().is_some() { self.mapping(item)? } else { self.scalar(item)? }
        }
        Ok(())
    }

    fn scalar(&mut self, node: &mut Node) -> Result<(), Error> {
        let Some(old) = node.as_scalar() else { return Ok(()) };
        let name = Arc::clone(old.shared_text());
        let Some(target) = self.select(&name, false, None, node.origin)? else { return Ok(()) };
        let new = Arc::clone(&target.id.name);
        if new != name {
            let scalar = scalar(new, Some(old));
            let renaming = Renaming { cause: CAUSE, from: target.named_at };
            *node = Node::scalar(scalar, renaming.origin(node.origin, &mut self.context.provenance));
        }
        Ok(())
    }

    /// Updates `name` and `namespace` of a mapping.
    fn mapping(&mut self, node: &mut Node) -> Result<(), Error> {
        let Some(name) = node.get("name") else {
            let message = "this has no name, and references need one; write `name`";
            return Err(node.origin.error(message));
        };
        let origin = name.origin;
        let text = |node: Option<&Node>| node.and_then(Node::as_scalar).map(|scalar| Arc::clone(scalar.shared_text()));
        let old = text(Some(name)).unwrap_or_default();
        let namespace = node.get("namespace").map(|namespace| text(Some(namespace)).unwrap_or_default());
        let Some(target) = self.select(&old, true, namespace.as_deref(), origin)? else { return Ok(()) };
        let (name, namespace) = (Arc::clone(&target.id.name), Arc::clone(&target.id.namespace));
        if name == old && namespace.is_empty() {
            return Ok(());
        }
        let provenance = &mut self.context.provenance;
        Renaming { cause: CAUSE, from: target.named_at }.put(node, "name", name, provenance);
        if !namespace.is_empty() {
            Renaming { cause: CAUSE, from: target.placed_at }.put(node, "namespace", namespace, provenance);
        }
        Ok(())
    }

    fn select(
        &mut self,
        name: &str,
        in_mapping: bool,
        namespace: Option<&str>,
        at: Origin,
    ) -> Result<Option<&'a Target>, Error> {
        let is_role = self.spec.path.ends_with("roleRef/name");
        let wanted = Wanted { name, kind: self.kind, namespace, is_role, in_mapping };
        let targets = self.targets;
        let selected = targets.select(self.referrer, &wanted);
        self.context.budget.charge(targets.looked_at.take() / FIELDS, at)?;
        selected.map_err(|Ambiguous(ids)| {
            let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
            let message = format!(
                "the name {name:?} may refer to {}; add the namespace, or give the objects different names before prefixes are \
                 added",
                ids.join(" or ")
            );
            at.error(message)
        })
    }
}

/// Why a name replaces another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Renaming {
    /// The cause that `blame` shows.
    pub(crate) cause: &'static str,
    /// Where the new name comes from.
    pub(crate) from: Option<Origin>,
}

impl Renaming {
    /// Returns the origin of the name that replaces another one.
    pub(crate) fn origin(self, before: Origin, provenance: &mut Provenance) -> Origin {
        let from = self.from.filter(|from| from.step().is_some());
        before.by(provenance.add_step(Step { field: Arc::from(self.cause), at: before, before: Some(before), from }))
    }

    /// Sets a field of a mapping to a string.
    pub(crate) fn put(self, node: &mut Node, key: &str, text: Arc<str>, provenance: &mut Provenance) {
        let origin = node.origin;
        let Some(mapping) = node.as_mapping_mut() else { return };
        let before = mapping.get(key).cloned();
        let old = before.as_ref().and_then(Node::as_scalar);
        if old.is_some_and(|old| old.text() == &*text) {
            return;
        }
        let value = match &before {
            Some(before) => Node::scalar(scalar(text, old), self.origin(before.origin, provenance)),
            None => Node::scalar(Scalar::string(text), self.origin(origin, provenance)),
        };
        mapping.insert(Key::new(key, value.origin), value);
    }
}
