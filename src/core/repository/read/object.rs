//! Objects: recognizes Kubernetes objects among documents, and records their identities and places.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::kinds;
use super::kinds::{Meaning, OcmKind};
use super::misplaced;
use super::origin::{key_origin, known, value_origin};
use crate::complaint::{Complaint, Rule};
use crate::read::policy_file::{DIRECTORY, is_policy};
use tidegate_api::key;
use tidegate_api::schema::path::Path;
use tidegate_api::schema::{Schema, defaulting};
use tidegate_kustomize::yaml::{Content, Node, Origin, Provenance};
use tidegate_model::diagnostic::Place;
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;

/// An object as written in a file, in its original version.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) key: ObjectKey,
    pub(crate) node: Node,
    /// The files that its values come from.
    pub(crate) provenance: Arc<Provenance>,
    /// `true` if it was rendered, which changes how YAML reads a plain scalar.
    pub(crate) is_rendered: bool,
    pub(crate) value: Value,
    /// The schema of its kind and version; `None` for a kind without one.
    pub(crate) schema: Option<&'static Schema>,
}

impl Object {
    /// Returns the place where the object starts.
    pub(crate) fn place(&self) -> Place {
        self.place_of(self.node.origin)
    }

    /// Returns the file where the object starts.
    pub(crate) fn file(&self) -> &str {
        self.provenance.source(self.node.origin.source).map_or("", |file| file)
    }

    /// Returns the place of an origin.
    pub(crate) fn place_of(&self, origin: Origin) -> Place {
        self.provenance.place(origin)
    }

    /// Returns `true` if the object has the given kind of the add-on group.
    pub(crate) fn is_addon_kind(&self, kind: &str) -> bool {
        self.key.group == key::ADDON_GROUP && self.key.kind == kind
    }

    /// Returns the origin of the value at a path of fields, or of the nearest value around it.
    pub(crate) fn origin_of(&self, members: &[&str]) -> Origin {
        self.value_origin(&path(members))
    }

    /// Returns the origin of the value at a path, or of the nearest value around it.
    pub(crate) fn value_origin(&self, path: &Path) -> Origin {
        value_origin(&self.node, path)
    }

    /// Returns the origin of the key at the end of a path, or of the nearest key around it.
    pub(crate) fn key_origin(&self, path: &Path) -> Origin {
        key_origin(&self.node, path)
    }
}

/// Returns the path of nested fields.
pub(crate) fn path(members: &[&str]) -> Path {
    members.iter().fold(Path::default(), |path, name| path.member(name))
}

/// Collects the objects of one file, or of a rendered overlay.
pub(crate) struct Sorter<'a> {
    pub(crate) provenance: Arc<Provenance>,
    /// `true` if they were rendered: kustomize sets its `namespace` even on cluster-scoped kinds.
    pub(crate) is_rendered: bool,
    pub(crate) objects: &'a mut Vec<Object>,
    pub(crate) complaints: &'a mut Vec<Complaint>,
}

impl Sorter<'_> {
    fn error(&mut self, origin: Origin, message: impl fmt::Display) {
        self.complaints.push(Complaint::new(Rule::Object, self.provenance.resolve(origin.error(message))));
    }

    /// Adds a document, which is given as a tree and as plain data. Skips anything that is not a Kubernetes object, and unpacks
    /// lists.
    pub(crate) fn document(&mut self, node: Node, value: Value) {
        let known = match (value.get("apiVersion"), value.get("kind")) {
            (None, None) if value.pointer("/metadata/name").is_some() => {
                Err("this has metadata but no field named exactly apiVersion or kind; a Kubernetes object needs both")
            }
            (None, None) => return,
            (Some(_), None) => Err("this has an apiVersion but no kind; a Kubernetes object needs both"),
            (None, Some(_)) => Err("this has a kind but no apiVersion; a Kubernetes object needs both"),
            (Some(api_version), Some(kind)) => match (text(api_version), text(kind)) {
                (Some(api_version), Some(kind)) => Ok((api_version.to_owned(), kind.to_owned())),
                _ => Err("apiVersion and kind must be non-empty strings, such as \"v1\" and \"ConfigMap\""),
            },
        };
        let (api_version, kind) = match known {
            Ok(known) => known,
            Err(message) => return self.error(node.origin, message),
        };
        if api_version.starts_with("kustomize.config.k8s.io/") {
            return self.error(node.origin, OVERLAY);
        }
        if is_policy(&api_version, &kind) {
            return self.policy(&node);
        }
        if kind.ends_with("List") && value.get("items").is_some_and(Value::is_array) {
            return self.list(node, value);
        }
        if let Some(message) = misplaced::decision(&api_version, &kind) {
            return self.error(node.origin, message);
        }
        self.object(node, value, &api_version, &kind);
    }

    /// Skips a policy, which is read on its own, and reports one that is not.
    fn policy(&mut self, node: &Node) {
        let file = self.provenance.source(node.origin.source);
        if self.is_rendered || !file.is_some_and(|file| file.starts_with(DIRECTORY)) {
            let message = "a PlanPolicy is read only from policies/ at the root of the repository; move it there";
            self.error(node.origin, message);
        }
    }

    fn list(&mut self, list: Node, mut value: Value) {
        let at = value_origin(&list, &path(&["items"]));
        let values = value.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
        let Content::Mapping(mut entries) = list.content else { return };
        let Some(Content::Sequence(items)) = entries.remove("items").map(|items| items.value.content) else { return };
        for (item, value) in items.into_iter().zip(values) {
            let origin = known(item.origin, at);
            if value.get("apiVersion").is_none() && value.get("kind").is_none() {
                self.error(origin, "this list item is not a Kubernetes object; give it an apiVersion and a kind");
            } else {
                self.document(Node { origin, ..item }, value);
            }
        }
    }

    fn object(&mut self, node: Node, mut value: Value, api_version: &str, kind: &str) {
        let (ocm, schema) = match kinds::meaning(api_version, kind) {
            Meaning::Plain => (None, None),
            Meaning::Ocm(ocm, schema) => (Some(ocm), Some(schema)),
            Meaning::Mistaken { member, message } => return self.error(value_origin(&node, &path(&[member])), message),
        };
        let part = |name: &str| value.get("metadata")?.get(name).map(text);
        let identity = match (part("name"), part("namespace")) {
            (None, _) => Err(("name", "metadata.name is missing; give the object a name".to_owned())),
            (Some(None), _) => {
                Err(("name", "metadata.name is not a string, or is empty; write a name in quotes".to_owned()))
            }
            (_, Some(None)) => {
                Err(("namespace", "metadata.namespace is not a string, or is empty; write a name in quotes".to_owned()))
            }
            (Some(Some(name)), namespace) => {
                let namespace = namespace.flatten().unwrap_or("");
                let namespace = if self.is_rendered && is_cluster_scoped(ocm) { "" } else { namespace };
                let checked = check_name(name, ocm.is_some()).and_then(|()| check_namespace(namespace, kind, ocm));
                checked.map(|()| {
                    let group = api_version.split_once('/').map_or("", |(group, _)| group);
                    ObjectKey::new(group, kind, namespace, name)
                })
            }
        };
        match identity {
            Err((member, message)) => self.error(value_origin(&node, &path(&["metadata", member])), message),
            Ok(key) => {
                if let Some(schema) = schema {
                    // The only nullable fields upstream are times of taints and scores, for which null means the same as absent.
                    defaulting::drop_all_nulls(&mut value, schema);
                }
                if self.is_rendered && is_cluster_scoped(ocm) {
                    self.drop_namespace(&node, &mut value, kind);
                }
                let (provenance, is_rendered) = (Arc::clone(&self.provenance), self.is_rendered);
                self.objects.push(Object { key, node, provenance, is_rendered, value, schema });
            }
        }
    }
}

impl Sorter<'_> {
    /// Removes the namespace from an object of a cluster-scoped kind.
    fn drop_namespace(&mut self, node: &Node, value: &mut Value, kind: &str) {
        let metadata = value.get_mut("metadata").and_then(Value::as_object_mut);
        if metadata.and_then(|metadata| metadata.remove("namespace")).is_some_and(|namespace| namespace != "") {
            let origin = value_origin(node, &path(&["metadata", "namespace"]));
            let message = format!(
                "kustomize sets a namespace here, but {kind} is a cluster-scoped kind; it is dropped on the way to the hub"
            );
            let diagnostic = self.provenance.resolve(origin.warning(message));
            self.complaints.push(Complaint::new(Rule::Overlay, diagnostic));
        }
    }
}

fn is_cluster_scoped(ocm: Option<&OcmKind>) -> bool {
    ocm.is_some_and(|ocm| !ocm.namespaced)
}

/// The complaint about a kustomization below plain objects.
pub(crate) const OVERLAY: &str = "this is an overlay below a directory of plain objects; set the path in tidegate.toml to the overlay to use, or \
     to a directory without overlays";

/// The field of the metadata that is wrong, and why.
type Misnamed = (&'static str, String);

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

fn check_name(name: &str, strict: bool) -> Result<(), Misnamed> {
    let refuse = |why: &str| Err(("name", format!("metadata.name {name:?} is not a valid name: {why}")));
    if strict {
        return name.parse::<ClusterName>().map(drop).or_else(|error| refuse(error.why));
    }
    // Names of RBAC objects may contain colons. For all kinds, an API server only forbids what a URL path cannot
    // contain.
    if matches!(name, "." | "..") || name.contains(['/', '%']) {
        return refuse("it may not be \".\" or \"..\", or contain '/' or '%'");
    }
    if name.len() > 253 {
        return refuse("it is longer than 253 characters");
    }
    Ok(())
}

fn check_namespace(namespace: &str, kind: &str, ocm: Option<&OcmKind>) -> Result<(), Misnamed> {
    let refuse = |message: String| Err(("namespace", message));
    match (ocm, namespace) {
        (Some(OcmKind { namespaced: true, .. }), "") => {
            refuse(format!("metadata.namespace is missing, but {kind} is a namespaced kind; add it"))
        }
        (Some(OcmKind { namespaced: false, .. }), namespace) if !namespace.is_empty() => {
            refuse(format!("metadata.namespace is {namespace:?}, but {kind} is a cluster-scoped kind; remove it"))
        }
        (_, "") => Ok(()),
        (_, namespace) => match namespace.parse::<ClusterName>() {
            Err(error) => refuse(format!("metadata.namespace {namespace:?} is not a valid name: {}", error.why)),
            Ok(_) if namespace.len() > 63 || namespace.contains('.') => refuse(format!(
                "metadata.namespace {namespace:?} is not a valid name: at most 63 characters and no '.'"
            )),
            Ok(_) => Ok(()),
        },
    }
}
