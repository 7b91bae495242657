//! From files to objects: every YAML or JSON document below the path, checked by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::catalog::{Known, known};
use super::complaint::{Complaint, Place};
use super::near;
use super::node::{At, Document, documents};
use super::words::words;
use crate::api::key;
use crate::api::ocm::convert::{AddonVersion, convert};
use crate::api::schema::check::{Path, faults};
use crate::api::schema::defaulting;
use crate::model::object::{ObjectKey, group_version};
use crate::model::tree::Tree;

/// A file above this size is no declaration that a person writes; the API server would refuse its objects.
const LARGEST_FILE: usize = 1024 * 1024;

/// An object with its place.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The object as it is declared, add-on kinds as v1beta1: what is applied to the hub.
    pub object: Arc<Value>,
    /// Where it begins.
    pub place: Place,
    /// The object with the defaults that an API server would fill in: what is decided upon.
    pub(super) defaulted: Arc<Value>,
    pub(super) document: Arc<Document>,
}

impl Declared {
    /// Returns the place of a part of the object.
    pub(super) fn place_of(&self, path: &Path) -> Place {
        place(&self.place.file, self.document.value_at(path))
    }
}

/// Everything that the files hold.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) found: BTreeMap<ObjectKey, Declared>,
    pub(super) complaints: Vec<Complaint>,
    /// Files of which not everything could be read.
    pub(super) unreadable: BTreeSet<String>,
}

fn place(file: &str, at: At) -> Place {
    Place { file: file.to_owned(), line: at.line, column: at.column }
}

fn whole(file: &str) -> Place {
    Place { file: file.to_owned(), line: 0, column: 0 }
}

/// Reads every file below a directory (with `/` at its end, or empty for all), but for those of the journal.
pub(super) fn objects(tree: &Tree, directory: &str) -> Objects {
    let mut objects = Objects::default();
    for (path, why) in tree.skipped.iter().filter(|(path, _)| is_declaration(path, directory)) {
        objects.complaints.push(Complaint::error(whole(path), format!("the file was not read: {why}"), None));
        objects.unreadable.insert(path.clone());
    }
    for (path, bytes) in tree.files.iter().filter(|(path, _)| is_declaration(path, directory)) {
        objects.file(path, bytes);
    }
    objects
}

fn is_declaration(path: &str, directory: &str) -> bool {
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    let is_text = [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending));
    path.starts_with(directory) && is_text && !is_hidden && !path.starts_with("status/")
}

impl Objects {
    fn refuse(&mut self, file: &str, place: Place, message: String) {
        self.complaints.push(Complaint::error(place, message, None));
        self.unreadable.insert(file.to_owned());
    }

    fn file(&mut self, path: &str, bytes: &[u8]) {
        let name = path.rsplit('/').next().unwrap_or(path);
        if matches!(name, "kustomization.yaml" | "kustomization.yml" | "Kustomization") {
            let message = "kustomize overlays are not rendered; point repository.path at plain YAML".to_owned();
            return self.refuse(path, whole(path), message);
        }
        if bytes.len() > LARGEST_FILE {
            let message = format!("the file has {} bytes, more than {LARGEST_FILE}; split it", bytes.len());
            return self.refuse(path, whole(path), message);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return self.refuse(path, whole(path), "the file is not UTF-8; save it as UTF-8".to_owned());
        };
        match documents(text) {
            Err(malformed) => {
                self.refuse(path, place(path, malformed.at), format!("not valid YAML: {}", malformed.message))
            }
            Ok(documents) => documents.into_iter().for_each(|document| self.document(path, document)),
        }
    }

    fn document(&mut self, file: &str, document: Document) {
        let value = document.value();
        let at = place(file, document.start());
        if value.get("apiVersion").is_none() && value.get("kind").is_none() {
            // Values of a chart, a pipeline or the like: not ours to judge.
            return;
        }
        let is_text = |name: &str| value.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        for name in ["apiVersion", "kind"] {
            if !is_text(name) {
                let message = format!("{name} is missing; every object says its apiVersion and kind");
                return self.refuse(file, at, message);
            }
        }
        if value.get("kind").and_then(Value::as_str).is_some_and(|kind| kind == "List") && value.get("items").is_some()
        {
            let message =
                "a List is not read; write its items as documents of their own, with --- between them".to_owned();
            return self.refuse(file, at, message);
        }
        let Some(name) = value.pointer("/metadata/name").and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            return self.refuse(file, at, "metadata.name is missing; every object needs a name".to_owned());
        };
        if let Some(why) = invalid_name(name, &value) {
            let place = place(file, document.value_at(&Path::default().member("metadata").member("name")));
            return self.refuse(file, place, format!("metadata.name {name:?} is invalid: {why}"));
        }
        let Some(key) = ObjectKey::of(&value) else { return };
        self.object(file, document, value, key);
    }

    fn object(&mut self, file: &str, document: Document, value: Value, key: ObjectKey) {
        let at = place(file, document.start());
        let (_, version) = group_version(&value).unwrap_or(("", ""));
        let api_version = Path::default().member("apiVersion");
        let schema = match known(&key.group, version, &key.kind) {
            Known::Schema(schema) => Some(schema),
            Known::Foreign => None,
            Known::Versions(versions) => {
                let message =
                    format!("{} is not known as {}/{version}; write {}", key.kind, key.group, versions.join(" or "));
                return self.about(&key, place(file, document.value_at(&api_version)), message);
            }
            Known::Kinds(kinds) if key.kind == "AddOnPlacementScore" || key.kind == "ManifestWorkReplicaSet" => {
                let message = format!("{} is not supported; supported in this group: {}", key.kind, kinds.join(", "));
                return self.about(&key, at, message);
            }
            Known::Kinds(kinds) => {
                let hint = near::hint(&key.kind, kinds.iter().map(String::as_str));
                let message = format!("{} has no kind {:?}{hint}", key.group, key.kind);
                return self.about(&key, place(file, document.value_at(&Path::default().member("kind"))), message);
            }
        };
        for (path, fault) in schema.map(|schema| faults(&value, schema, true)).unwrap_or_default() {
            let is_about_key = matches!(fault, crate::api::schema::check::Fault::Unknown { .. });
            let at = if is_about_key { document.at(&path) } else { document.value_at(&path) };
            let message = words(&path, &fault, part(&value, &path));
            self.about(&key, place(file, at), message);
        }
        let mut defaulted = value.clone();
        if let Some(schema) = schema {
            defaulting::fill(&mut defaulted, schema);
        }
        let mut object = value;
        convert(&mut object, AddonVersion::V1Beta1);
        convert(&mut defaulted, AddonVersion::V1Beta1);
        let declared = Declared {
            object: Arc::new(object),
            place: at,
            defaulted: Arc::new(defaulted),
            document: Arc::new(document),
        };
        match self.found.get(&key) {
            Some(first) => {
                let message = format!("{key} is declared twice; the first is at {}: keep one of them", first.place);
                self.about(&key, declared.place, message);
            }
            None => {
                self.found.insert(key, declared);
            }
        }
    }

    fn about(&mut self, key: &ObjectKey, place: Place, message: String) {
        self.complaints.push(Complaint::error(place, message, Some(key)));
    }
}

/// RBAC and bootstrap objects have names with colons; all others follow RFC 1123.
fn invalid_name(name: &str, value: &Value) -> Option<String> {
    let (group, _) = group_version(value)?;
    if group == "rbac.authorization.k8s.io" {
        return name.contains(['/', '%']).then(|| "'/' and '%' are not allowed".to_owned());
    }
    name.parse::<crate::model::name::AddonName>().err().map(|error| error.why.to_owned())
}

/// The part of a value at a path.
pub(super) fn part<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    use crate::api::schema::check::Step;
    path.0.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Item(index) => value.get(index),
    })
}

/// Says whether a kind is of the add-on group.
pub(super) fn is_addon_kind(key: &ObjectKey, kind: &str) -> bool {
    key.group == key::ADDON_GROUP && key.kind == kind
}
