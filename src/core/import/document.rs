//! The objects of the imported files.

use tidegate_kustomize::yaml::Node;

use crate::field::Field;
use crate::field::Use::{Ignored, Read};
use crate::report::Report;

/// An object of a file.
pub(crate) struct Document<'n> {
    /// Group and version, such as `argoproj.io/v1alpha1`.
    api_version: &'n str,
    /// Kind.
    pub(crate) kind: &'n str,
    /// `metadata.name`.
    pub(crate) name: &'n str,
    /// The object.
    pub(crate) field: Field<'n>,
}

impl<'n> Document<'n> {
    /// Returns the objects of a node: the items of a List, as kubectl prints several objects, or the node itself.
    pub(crate) fn all(node: &'n Node) -> Vec<Self> {
        let is_list = node.find(&["kind"]).and_then(Node::as_str) == Some("List");
        match node.find(&["items"]).and_then(Node::as_sequence).filter(|_| is_list) {
            Some(items) => items.iter().map(Self::new).collect(),
            None => vec![Self::new(node)],
        }
    }

    /// Reads the head of an object; what is absent is empty.
    fn new(node: &'n Node) -> Self {
        let text = |path: &[&str]| node.find(path).and_then(Node::as_str).unwrap_or_default();
        Self {
            api_version: text(&["apiVersion"]),
            kind: text(&["kind"]),
            name: text(&["metadata", "name"]),
            field: Field { node, path: String::new() },
        }
    }

    /// Returns `true` if the object is one of a group, whatever its version.
    pub(crate) fn is_of(&self, group: &str) -> bool {
        self.api_version.split('/').next() == Some(group) && self.api_version.contains('/')
    }

    /// Returns its `spec`; a missing one is reported.
    pub(crate) fn spec(&self, report: &mut Report) -> Option<Field<'n>> {
        let known = [("apiVersion", Read), ("kind", Read), ("metadata", Ignored), ("spec", Read), ("status", Ignored)];
        self.field.open(report, &known);
        let spec = self.field.get("spec");
        if spec.is_none() {
            self.field.refuse(report, format!("the {} has no spec", self.kind));
        }
        spec
    }
}

/// Returns the spec of the only object, which must be of a kind; `None`, and a report, otherwise.
pub(crate) fn only_spec<'n>(documents: &[Document<'n>], kind: &str, report: &mut Report) -> Option<Field<'n>> {
    for document in documents.iter().filter(|document| document.kind != kind) {
        document.field.refuse(report, format!("the kind {:?} is not known: {kind}", document.kind));
    }
    only(documents, &[kind], report)?.spec(report)
}

/// Returns the only object of some kinds; `None`, and a report, if there are several.
pub(crate) fn only<'d, 'n>(
    documents: &'d [Document<'n>],
    kinds: &[&str],
    report: &mut Report,
) -> Option<&'d Document<'n>> {
    let mut found = documents.iter().filter(|document| kinds.contains(&document.kind));
    let first = found.next()?;
    match found.next() {
        None => Some(first),
        Some(second) => {
            second
                .field
                .refuse(report, format!("there are two objects of the kind {}; import one at a time", second.kind));
            None
        }
    }
}
