//! Object selectors.

use super::expression::Expression;
use super::field_reader::FieldReader;
use super::pattern::Pattern;
use crate::overlay::model::{Id, Resource};
use crate::yaml::{Fault, Mapping, Node, Origin, Scalar};

const FIELDS: [&str; 7] = ["group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector"];

/// An object selector: a `target`, a `select` or a `reject`. Empty fields match everything.
#[derive(Debug, Clone)]
pub struct Selector {
    /// Its location.
    pub origin: Origin,
    group: Pattern,
    version: Pattern,
    kind: Pattern,
    pub(super) name: Pattern,
    namespace: Pattern,
    labels: Expression,
    annotations: Expression,
}

impl Selector {
    /// Reads a selector of a kustomization file, such as a `target`.
    ///
    /// # Errors
    /// [`Fault`] at an unknown field, a malformed regular expression or a malformed label selector.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        let fields = FieldReader::read(node, "a selector", &FIELDS)?;
        let origin = |field| fields.get(field).map_or(node.origin, |value| value.origin);
        let pattern = |field| Pattern::read(&fields.text(field)?.unwrap_or_default(), origin(field));
        let expression = |field| {
            let text = fields.text(field)?.unwrap_or_default();
            let wrong = |why| Fault::new(origin(field), format!("the {field} {:?} is invalid: {why}", &*text));
            Expression::read(&text).map_err(wrong)
        };
        Ok(Self {
            origin: node.origin,
            group: pattern("group")?,
            version: pattern("version")?,
            kind: pattern("kind")?,
            name: pattern("name")?,
            namespace: pattern("namespace")?,
            labels: expression("labelSelector")?,
            annotations: expression("annotationSelector")?,
        })
    }

    /// Returns `true` if it does not restrict the name.
    pub(crate) fn matches_any_name(&self) -> bool {
        self.name.is_any()
    }

    /// Returns the only kind that it matches, if there is just one.
    pub(super) fn plain_kind(&self) -> Option<&str> {
        self.kind.plain()
    }

    /// Returns the only kind and name that it matches, if there is just one of each.
    pub(super) fn plain(&self) -> Option<(&str, &str)> {
        self.kind.plain().zip(self.name.plain())
    }

    /// Returns `true` if it matches an object as a patch target: by its original or current name and namespace, and its current
    /// kind.
    pub(crate) fn matches(&self, resource: &Resource) -> bool {
        let id = resource.id();
        if !self.matches_kind(&id) || !self.matches_metadata(&resource.node) {
            return false;
        }
        let first = resource.previous_ids().next();
        let any = |matches: &dyn Fn(&Id) -> bool| matches(&id) || first.as_ref().is_some_and(matches);
        any(&|id| self.name.matches(&id.name)) && any(&|id| self.namespace.matches(id.effective_namespace()))
    }

    /// Returns `true` if it matches an id with its namespace as written, for replacements.
    pub(crate) fn matches_id(&self, id: &Id) -> bool {
        self.matches_kind(id) && self.name.matches(&id.name) && self.namespace.matches(&id.namespace)
    }

    /// Returns `true` if it restricts any part of the id.
    pub(crate) fn restricts_id(&self) -> bool {
        [&self.group, &self.version, &self.kind, &self.name, &self.namespace].iter().any(|pattern| !pattern.is_any())
    }

    /// Returns `true` if it restricts labels or annotations.
    pub(crate) fn restricts_metadata(&self) -> bool {
        !self.labels.is_any() || !self.annotations.is_any()
    }

    /// Returns `true` if it matches the labels and annotations of an object.
    pub(crate) fn matches_metadata(&self, node: &Node) -> bool {
        let matches = |expression: &Expression, field| {
            let fields = node.find(&["metadata", field]).and_then(Node::as_mapping);
            expression.is_any() || expression.matches(|key| text(fields?, key))
        };
        matches(&self.labels, "labels") && matches(&self.annotations, "annotations")
    }

    fn matches_kind(&self, id: &Id) -> bool {
        self.kind.matches(&id.kind) && self.group.matches(id.group()) && self.version.matches(id.version())
    }
}

fn text<'a>(fields: &'a Mapping, key: &str) -> Option<&'a str> {
    Some(fields.get(key)?.as_scalar().map_or("", Scalar::text))
}
