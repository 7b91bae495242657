//! A manifest of a template, prepared as far as possible before the cluster is known.

use std::sync::Arc;

use serde_json::Value;

use super::namespace;
use super::text::Text;
use super::workload;
use super::workload::Kind;
use crate::condition::ready_when::Conditioned;
use crate::error::Error;
use crate::go_object::unstructured::GroupVersionKind;

/// Placeholder for the cluster name in an object that was read before the cluster was known.
const BLANK: &str = "\u{10fffd}";

/// An object of a template, before anything is added to it. A workload has been converted to its shape.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) value: Value,
    pub(super) workload: Option<Kind>,
}

impl Object {
    /// Parses the manifest at a position of the template.
    fn read(json: &str, manifest: usize) -> Result<Self, Error> {
        let parsed = || serde_json::from_str::<Value>(json).map_err(|source| Error::Syntax { manifest, source });
        let mut value = parsed()?;
        if GroupVersionKind::of(&value).kind.is_empty() {
            return Err(Error::NoKind { manifest });
        }
        match workload::kind(&value) {
            Some(kind) if kind.conform(&mut value).is_ok() => Ok(Self { value, workload: Some(kind) }),
            // An invalid workload is delivered unchanged. It is parsed again, because the attempt left it half converted.
            Some(_) => Ok(Self { value: parsed()?, workload: None }),
            None => Ok(Self { value, workload: None }),
        }
    }
}

/// A manifest of a template.
#[derive(Debug)]
pub(super) enum Manifest {
    /// It has an unclosed tag, which is an error for every cluster.
    Unclosed,
    /// A finished object that all clusters share, its kind, if it is a workload, and its conditions.
    Done(Arc<Value>, Option<Kind>, Option<Conditioned>),
    /// An object with [`BLANK`] in place of the cluster name, and the text that it was parsed from.
    Read(Object, Text),
    /// A text that must be parsed for each cluster, or cannot be parsed at all.
    Unread(Text),
}

impl Manifest {
    /// Prepares a manifest whose variables are replaced, except for the cluster name.
    ///
    /// Errors are reported later by [`Manifest::object`], since upstream reports the error of the first manifest that has
    /// one.
    pub(super) fn prepare(text: Text, install_namespace: Option<&str>) -> Self {
        let json = text.filled(BLANK);
        let Ok(object) = Object::read(&json, 0) else { return Self::Unread(text) };
        if !text.names_cluster() && object.workload.is_none() {
            return Self::done(object, text, install_namespace);
        }
        let is_same_for_any_name = !text.names_cluster() || (!text.contains(BLANK) && is_free(&json, &object));
        if is_same_for_any_name { Self::Read(object, text) } else { Self::Unread(text) }
    }

    fn done(object: Object, text: Text, install_namespace: Option<&str>) -> Self {
        let mut value = object.value.clone();
        match install_namespace.map_or(Ok(()), |namespace| namespace::set(&mut value, namespace)) {
            Ok(()) => Self::Done(Arc::new(value), None, None),
            Err(_) => Self::Read(object, text),
        }
    }

    /// Returns the object for one cluster, before anything is added to it; `position` is the index of the manifest.
    ///
    /// # Errors
    /// [`Error::UnclosedTag`], [`Error::Syntax`] and [`Error::NoKind`].
    pub(super) fn object(&self, cluster: &str, position: usize) -> Result<Object, Error> {
        match self {
            Self::Unclosed => Err(Error::UnclosedTag { manifest: position }),
            Self::Done(value, workload, _) => Ok(Object { value: value.as_ref().clone(), workload: *workload }),
            Self::Read(object, text) if !text.names_cluster() => Ok(object.clone()),
            Self::Read(object, _) if is_plain(cluster) => {
                let mut object = object.clone();
                fill(&mut object.value, cluster);
                Ok(object)
            }
            Self::Read(_, text) | Self::Unread(text) => Object::read(&text.filled(cluster), position),
        }
    }
}

/// Returns `true` if the kind and shape of an object do not depend on the name that replaces its placeholders.
///
/// They would if the name were part of the kind or of a field name, or if the placeholders made a workload invalid.
fn is_free(json: &str, object: &Object) -> bool {
    let is_unreadable = object.workload.is_none() && workload::kind(&object.value).is_some();
    let GroupVersionKind { group, version, kind } = GroupVersionKind::of(&object.value);
    let has_blank_kind = [group, version, kind].iter().any(|text| text.contains(BLANK));
    // A converted workload has already lost its unknown fields, so check the original.
    let is_whole = serde_json::from_str(json).is_ok_and(|value| has_no_blank_member(&value));
    !is_unreadable && !has_blank_kind && is_whole
}

fn has_no_blank_member(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(has_no_blank_member),
        Value::Object(members) => {
            members.iter().all(|(name, value)| !name.contains(BLANK) && has_no_blank_member(value))
        }
        _ => true,
    }
}

/// Returns `true` if a name needs no escaping in a JSON string and is not empty, which holds for all names that Kubernetes
/// allows.
fn is_plain(cluster: &str) -> bool {
    !cluster.is_empty() && cluster.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

/// Replaces the placeholders in a copy with the cluster name. Copying first is faster than building the copy field by
/// field.
fn fill(value: &mut Value, cluster: &str) {
    match value {
        Value::String(text) if text.contains(BLANK) => *text = text.replace(BLANK, cluster),
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, cluster)),
        Value::Object(members) => members.values_mut().for_each(|value| fill(value, cluster)),
        _ => {}
    }
}
