//! Object selectors.

use super::field_reader::FieldReader;
use super::pattern::Pattern;
use crate::overlay::model::{Id, Resource};
use crate::yaml::{Error, Mapping, Node, Origin, Scalar};
use tidegate_go::label;
use tidegate_go::label_selector::{Expected, LabelSelector, ParseError, ValueProblem};

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
    labels: LabelSelector,
    annotations: LabelSelector,
}

impl Selector {
    /// Reads a selector of a kustomization file, such as a `target`.
    ///
    /// # Errors
    /// [`Error`] at an unknown field, a malformed regular expression or a malformed label selector.
    pub fn read(node: &Node) -> Result<Self, Error> {
        let fields = FieldReader::read(node, "a selector", &FIELDS)?;
        let origin = |field| fields.get(field).map_or(node.origin, |value| value.origin);
        let pattern = |field| Pattern::read(&fields.text(field)?.unwrap_or_default(), origin(field));
        let label_selector = |field| {
            let text = fields.text(field)?.unwrap_or_default();
            LabelSelector::parse(&text).map_err(|error| {
                let message = format!("the {field} {:?} is invalid: {}", &*text, describe(&error));
                origin(field).error(message)
            })
        };
        Ok(Self {
            origin: node.origin,
            group: pattern("group")?,
            version: pattern("version")?,
            kind: pattern("kind")?,
            name: pattern("name")?,
            namespace: pattern("namespace")?,
            labels: label_selector("labelSelector")?,
            annotations: label_selector("annotationSelector")?,
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
        !self.labels.is_everything() || !self.annotations.is_everything()
    }

    /// Returns `true` if it matches the labels and annotations of an object.
    pub(crate) fn matches_metadata(&self, node: &Node) -> bool {
        let matches = |selector: &LabelSelector, field| {
            let fields = node.find(&["metadata", field]).and_then(Node::as_mapping);
            selector.is_everything() || selector.matches(|key| text(fields?, key))
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

/// Describes the error of a label selector to the author of a kustomization.
fn describe(error: &ParseError) -> String {
    match error {
        ParseError::Unexpected { expected, found } => {
            let wanted = match expected {
                Expected::FirstRequirement | Expected::NextRequirement | Expected::Key => "a label",
                Expected::Operator => "one of in, notin, =, ==, !=, > and <",
                Expected::Value | Expected::FirstListValue | Expected::NextListValue => "a value",
                Expected::OpeningParenthesis => "(",
                Expected::CommaOrClosingParenthesis => ",",
                Expected::CommaOrEnd => "a comma or the end",
            };
            match found {
                Some(found) => format!("expected {wanted}, found {found}"),
                None => format!("{wanted} is missing at the end"),
            }
        }
        ParseError::Key { key } => {
            let rule = label::key_faults(key).into_iter().next().unwrap_or_default();
            format!("{key:?} is not a label: {rule}")
        }
        ParseError::Values { problems, .. } => {
            let is_of_label = |problem: &&ValueProblem| matches!(problem, ValueProblem::NotALabelValue { .. });
            match problems.iter().find(is_of_label).or(problems.first()) {
                Some(ValueProblem::NotALabelValue { value, rules, .. }) => {
                    format!("{value:?} is not a label value: {}", rules.first().map_or("", String::as_str))
                }
                Some(ValueProblem::NotAnInteger { value }) => {
                    format!("> and < compare with whole numbers, and {value:?} is not one")
                }
                None => error.to_string(),
            }
        }
    }
}
