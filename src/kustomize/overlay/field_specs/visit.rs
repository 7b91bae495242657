//! Visits the fields that a field spec names.

use std::collections::HashMap;

use super::spec::{FieldSpec, Step};
use crate::overlay::model::Resource;
use crate::yaml::described;
use crate::yaml::{Error, Key, Mapping, Node, Origin, Scalar};

/// What is created where a field is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Create {
    /// Nothing.
    Nothing,
    /// An empty string.
    Scalar,
    /// An empty mapping.
    Mapping,
}

impl Create {
    fn node(self, origin: Origin) -> Node {
        match self {
            Self::Mapping => Node::mapping(Mapping::new(), origin),
            // A scalar created here is set at once.
            Self::Scalar | Self::Nothing => Node::scalar(Scalar::plain(""), origin),
        }
    }
}

/// A visitor of fields.
pub(crate) struct FieldVisitor<'a> {
    /// The field of the kustomization that it works for, as shown in messages.
    pub(crate) by: &'a str,
    pub(crate) create: Create,
    /// Where created mappings come from.
    pub(crate) origin: Origin,
}

impl FieldVisitor<'_> {
    /// Calls a function on each field of an object that a spec names. If it replaces a value that several places share, all of them get
    /// the new one.
    ///
    /// # Errors
    /// [`Error`] if a value on the path has the wrong type, or from the function.
    pub(crate) fn visit(
        &self,
        resource: &mut Resource,
        spec: &FieldSpec,
        set: &mut dyn FnMut(&mut Node) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !spec.selects(resource) {
            return Ok(());
        }
        if resource.shared.is_empty() {
            return self.visit_any(resource, spec, set);
        }
        let shared = std::mem::take(&mut resource.shared);
        let mut renewed = HashMap::new();
        let visited = self.visit_any(resource, spec, &mut |node| {
            let before = node.origin;
            set(node)?;
            if node.origin != before && shared.contains(&before) {
                renewed.insert(before, node.clone());
            }
            Ok(())
        });
        resource.shared = shared;
        resource.share(&renewed);
        visited
    }

    /// Calls a function on each field that a spec names, in an object of any kind.
    ///
    /// # Errors
    /// As [`Self::visit`].
    pub(crate) fn visit_any(
        &self,
        resource: &mut Resource,
        spec: &FieldSpec,
        set: &mut dyn FnMut(&mut Node) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let went = self.go(&mut resource.node, spec, &spec.steps, set);
        went.map_err(|error| {
            let message = format!("{} applies to {} of {}: {}", self.by, spec.path, resource.id(), error.message);
            error.place.error(message)
        })
    }

    fn go(
        &self,
        node: &mut Node,
        spec: &FieldSpec,
        steps: &[Step],
        set: &mut dyn FnMut(&mut Node) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some((step, rest)) = steps.split_first() else { return set(node) };
        if node.is_null() {
            return Ok(());
        }
        if let Some(items) = node.as_sequence_mut() {
            return items.iter_mut().try_for_each(|item| self.go(item, spec, steps, set));
        }
        if step.name.is_empty() {
            return Err(node.origin.error("a step of the path is empty; write a path such as spec/template"));
        }
        let (origin, what) = (node.origin, described(node));
        let Some(mapping) = node.as_mapping_mut() else {
            let message = format!(
                "this is {what}, but a mapping or a list is expected; write a mapping that may have {:?}",
                step.name
            );
            return Err(origin.error(message));
        };
        if step.names_element() {
            let message = format!(
                "the step {:?} of the path names elements of a list, but this is a mapping; lists need no step of their own",
                step.name
            );
            return Err(origin.error(message));
        }
        let make = match self.create {
            Create::Nothing => None,
            _ if !spec.create || step.is_list => None,
            make if rest.is_empty() => Some(make),
            _ => Some(Create::Mapping),
        };
        let field = match make {
            Some(make) => {
                let made = || make.node(self.origin);
                Some(mapping.get_or_insert_with(Key::new(step.name.as_str(), self.origin), made))
            }
            None => mapping.get_mut(&step.name),
        };
        let Some(field) = field else { return Ok(()) };
        if field.is_null() {
            match make {
                Some(make) => *field = make.node(field.origin),
                None if step.is_list => *field = Node::sequence(Vec::new(), field.origin),
                None => {}
            }
        }
        self.go(field, spec, rest, set)
    }
}
