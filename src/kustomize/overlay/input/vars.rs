//! The entries of `vars`.

use std::sync::Arc;

use crate::overlay::vars::{Var, VarTarget};
use crate::yaml::{Base, Node, Reader, Text};

/// The field path if none is given.
const DEFAULT_PATH: &str = "metadata.name";

/// Reads an entry of `vars`.
pub(crate) fn var(node: &Node, reader: &mut Reader) -> Var {
    let fields = reader.fields(node, "an entry of vars", &["name", "objref", "fieldref"]);
    let name = reader.text(&fields, "name").map(|name| name.text).unwrap_or_default();
    let nothing = Node::mapping(crate::yaml::Mapping::new(), node.origin);
    let objref = fields.get("objref").unwrap_or(&nothing);
    let target = target(objref, reader);
    let fieldref = fields.get("fieldref").unwrap_or(&nothing);
    let fieldref = reader.fields(fieldref, "fieldref", &["fieldPath"]);
    let path = reader.text(&fieldref, "fieldPath");
    let default = || Text { text: Arc::from(DEFAULT_PATH), origin: node.origin, base: Base::default() };
    Var { name, origin: node.origin, target, path: path.unwrap_or_else(default) }
}

fn target(node: &Node, reader: &mut Reader) -> VarTarget {
    let known = ["apiVersion", "group", "version", "kind", "name", "namespace"];
    let fields = reader.fields(node, "objref", &known);
    let mut text = |name: &str| reader.text(&fields, name).map(|text| text.text).unwrap_or_default();
    let api_version = text("apiVersion");
    let (mut group, mut version) = (text("group"), text("version"));
    // An apiVersion with more than one slash has no effect, as in kustomize.
    match api_version.split('/').collect::<Vec<_>>().as_slice() {
        [""] => {}
        [one] => version = Arc::from(*one),
        [first, second] => (group, version) = (Arc::from(*first), Arc::from(*second)),
        _ => {}
    }
    VarTarget {
        origin: node.origin,
        group,
        version,
        kind: text("kind"),
        name: text("name"),
        namespace: text("namespace"),
    }
}
