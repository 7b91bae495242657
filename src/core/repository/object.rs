//! Objects: recognizes Kubernetes objects among documents, and records their identities and places.

use std::sync::Arc;

use serde_json::Value;

use super::complaint::{Complaint, Place, Rule, Severity};
use super::kinds::{self, Meaning, OcmKind};
use super::node::{Content, Mark, Node};
use tidegate_api::key;
use tidegate_api::schema::path::Path;
use tidegate_api::schema::{Schema, defaulting};
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;

/// An object as written in a file, in its original version.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) key: ObjectKey,
    pub(super) file: Arc<str>,
    /// The files that its values come from, if it was rendered.
    pub(super) files: Arc<[Arc<str>]>,
    pub(super) node: Node,
    pub(super) value: Value,
    /// The schema of its kind and version; `None` for a kind without one.
    pub(super) schema: Option<&'static Schema>,
}

impl Object {
    /// Returns the place where the object starts.
    pub(super) fn place(&self) -> Place {
        self.place_of(self.node.mark)
    }

    /// Returns the place of a mark.
    pub(super) fn place_of(&self, mark: Mark) -> Place {
        Place::new(mark.file_in(&self.files, &self.file), mark)
    }

    /// Returns `true` if the object has the given kind of the add-on group.
    pub(super) fn is_addon_kind(&self, kind: &str) -> bool {
        self.key.group == key::ADDON_GROUP && self.key.kind == kind
    }

    /// Returns the place of the value at a path of fields, or of the nearest value around it.
    pub(super) fn mark_of(&self, members: &[&str]) -> Mark {
        self.node.value_mark(&path(members))
    }
}

/// Returns the path of nested fields.
pub(super) fn path(members: &[&str]) -> Path {
    members.iter().fold(Path::default(), |path, name| path.member(name))
}

/// Collects the objects of one file, or of a rendered overlay.
pub(super) struct Sorter<'a> {
    pub(super) file: Arc<str>,
    pub(super) files: Arc<[Arc<str>]>,
    /// `true` if they were rendered: kustomize sets its `namespace` even on cluster-scoped kinds.
    pub(super) is_rendered: bool,
    pub(super) objects: &'a mut Vec<Object>,
    pub(super) complaints: &'a mut Vec<Complaint>,
}

impl Sorter<'_> {
    fn error(&mut self, mark: Mark, message: impl Into<String>) {
        let file = mark.file_in(&self.files, &self.file);
        self.complaints.push(Complaint::of_file(file, mark, message).about(Rule::Object));
    }

    /// Adds a document. Skips anything that is not a Kubernetes object, and unpacks lists.
    pub(super) fn document(&mut self, node: Node) {
        let (api_version, kind) = (node.find(&["apiVersion"]), node.find(&["kind"]));
        let known = match (api_version, kind) {
            (None, None) if node.find(&["metadata", "name"]).is_some() => {
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
            Err(message) => return self.error(node.mark, message),
        };
        if api_version.starts_with("kustomize.config.k8s.io/") {
            return self.error(node.mark, OVERLAY);
        }
        if kind.ends_with("List")
            && node.find(&["items"]).is_some_and(|items| matches!(items.content, Content::List(_)))
        {
            return self.list(node);
        }
        self.object(node, &api_version, &kind);
    }

    fn list(&mut self, node: Node) {
        let Content::Map(members) = node.content else { return };
        for member in members.into_iter().filter(|member| member.key == "items") {
            let Content::List(items) = member.value.content else { continue };
            for item in items {
                if item.find(&["apiVersion"]).is_none() && item.find(&["kind"]).is_none() {
                    self.error(
                        item.mark,
                        "this list item is not a Kubernetes object; give it an apiVersion and a kind",
                    );
                } else {
                    self.document(item);
                }
            }
        }
    }

    fn object(&mut self, node: Node, api_version: &str, kind: &str) {
        let (ocm, schema) = match kinds::meaning(api_version, kind) {
            Meaning::Plain => (None, None),
            Meaning::Ocm(ocm, schema) => (Some(ocm), Some(schema)),
            Meaning::Mistaken { member, message } => return self.error(node.value_mark(&path(&[member])), message),
        };
        let part = |name: &str| node.find(&["metadata", name]).map(text);
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
                match check_name(name, ocm.is_some()).and_then(|()| check_namespace(namespace, kind, ocm)) {
                    Ok(()) => {
                        let group = api_version.split_once('/').map_or("", |(group, _)| group);
                        Ok(ObjectKey::new(group, kind, namespace, name))
                    }
                    Err(fault) => Err(fault),
                }
            }
        };
        match identity {
            Err((member, message)) => self.error(node.value_mark(&path(&["metadata", member])), message),
            Ok(key) => {
                let mut value = node.to_value();
                if let Some(schema) = schema {
                    // The only nullable fields upstream are times of taints and scores, for which null means the same as absent.
                    defaulting::drop_all_nulls(&mut value, schema);
                }
                if self.is_rendered && is_cluster_scoped(ocm) {
                    self.drop_namespace(&node, &mut value, kind);
                }
                let (file, files) = (self.file.clone(), self.files.clone());
                self.objects.push(Object { key, file, files, node, value, schema });
            }
        }
    }
}

impl Sorter<'_> {
    /// Removes the namespace from an object of a cluster-scoped kind.
    fn drop_namespace(&mut self, node: &Node, value: &mut Value, kind: &str) {
        let metadata = value.get_mut("metadata").and_then(Value::as_object_mut);
        if metadata.and_then(|metadata| metadata.remove("namespace")).is_some_and(|namespace| namespace != "") {
            let mark = node.value_mark(&path(&["metadata", "namespace"]));
            let file = mark.file_in(&self.files, &self.file);
            let message = format!(
                "kustomize sets a namespace here, but {kind} is a cluster-scoped kind; it is dropped on the way to the hub"
            );
            let complaint = Complaint::of_file(file, mark, message).about(Rule::Overlay);
            self.complaints.push(Complaint { severity: Severity::Warning, ..complaint });
        }
    }
}

fn is_cluster_scoped(ocm: Option<&OcmKind>) -> bool {
    ocm.is_some_and(|ocm| !ocm.namespaced)
}

/// The complaint about a kustomization below plain objects.
pub(super) const OVERLAY: &str = "this is an overlay below a directory of plain objects; set the path in tidegate.toml to the overlay to use, or \
     to a directory without overlays";

type Fault = (&'static str, String);

fn text(node: &Node) -> Option<&str> {
    match &node.content {
        Content::Leaf(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

fn check_name(name: &str, strict: bool) -> Result<(), Fault> {
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

fn check_namespace(namespace: &str, kind: &str, ocm: Option<&OcmKind>) -> Result<(), Fault> {
    let fault = |message: String| Err(("namespace", message));
    match (ocm, namespace) {
        (Some(OcmKind { namespaced: true, .. }), "") => {
            fault(format!("metadata.namespace is missing, but {kind} is a namespaced kind; add it"))
        }
        (Some(OcmKind { namespaced: false, .. }), namespace) if !namespace.is_empty() => {
            fault(format!("metadata.namespace is {namespace:?}, but {kind} is a cluster-scoped kind; remove it"))
        }
        (_, "") => Ok(()),
        (_, namespace) => match namespace.parse::<ClusterName>() {
            Err(error) => fault(format!("metadata.namespace {namespace:?} is not a valid name: {}", error.why)),
            Ok(_) if namespace.len() > 63 || namespace.contains('.') => {
                fault(format!("metadata.namespace {namespace:?} is not a valid name: at most 63 characters and no '.'"))
            }
            Ok(_) => Ok(()),
        },
    }
}
