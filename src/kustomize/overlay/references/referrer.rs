//! Objects that refer to others by name.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::target::Target;
use crate::overlay::field_specs::spec::Gvk;
use crate::yaml::described;
use crate::yaml::{Error, Node, Scalar, Typed};

/// An object that refers to others.
pub(super) struct Referrer<'a> {
    pub(super) target: &'a Target,
    /// Namespaces of the service accounts that a RoleBinding names.
    pub(super) subjects: BTreeSet<Arc<str>>,
    /// Group and kind of the role that a binding names.
    pub(super) role: Option<Gvk>,
}

impl<'a> Referrer<'a> {
    /// Creates the referrer for an object.
    ///
    /// # Errors
    /// [`Error`] if the subjects of a RoleBinding are malformed.
    pub(super) fn of(target: &'a Target, node: &Node) -> Result<Self, Error> {
        let text = |node: Option<&Node>| {
            node.filter(|node| !node.is_null()).and_then(Node::as_scalar).map(Scalar::shared_text).cloned()
        };
        let mut subjects = BTreeSet::new();
        if *target.id.kind == *"RoleBinding" && !target.is_cluster_scoped {
            for subject in node.get("subjects").and_then(Node::as_sequence).unwrap_or_default() {
                subjects.extend(namespace(subject)?);
            }
        }
        let role = |field| text(node.find(&["roleRef", field])).map(|text| text.to_string());
        let role = role("apiGroup").zip(role("kind"));
        let role = role.map(|(group, kind)| Gvk { group: group.into(), version: "".into(), kind: kind.into() });
        Ok(Self { target, subjects, role })
    }
}

/// Returns the namespace of a subject of a RoleBinding, if it is a ServiceAccount with one.
fn namespace(subject: &Node) -> Result<Option<Arc<str>>, Error> {
    if subject.as_mapping().is_none() {
        let message = format!("this is {}, but a subject is expected; write its kind and name", described(subject));
        return Err(subject.origin.error(message));
    }
    let (Some(kind), Some(namespace)) = (subject.get("kind"), subject.get("namespace")) else { return Ok(None) };
    if *text(kind, "the kind of a subject")? != *"ServiceAccount" {
        return Ok(None);
    }
    text(namespace, "the namespace of a ServiceAccount").map(Some)
}

fn text(node: &Node, what: &str) -> Result<Arc<str>, Error> {
    let scalar = node.as_scalar().filter(|scalar| matches!(scalar.typed(), Typed::String(_)));
    scalar.map(|scalar| Arc::clone(scalar.shared_text())).ok_or_else(|| {
        node.origin
            .error(format!("{what} is {}, but must be a string; write one, or remove the field", described(node)))
    })
}
