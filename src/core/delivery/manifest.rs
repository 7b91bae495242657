//! A manifest of a template, made as ready as it can be before a cluster is known.

use std::sync::Arc;

use serde_json::Value;

use super::error::Error;
use super::namespace;
use super::object::GroupVersionKind;
use super::text::Text;
use super::workload::{self, Kind};

/// Stands for the name of the cluster in an object that was read before the cluster was known.
const BLANK: &str = "\u{10fffd}";

/// An object out of a template, before anything is added to it; a workload is in shape.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) value: Value,
    pub(super) workload: Option<Kind>,
}

impl Object {
    /// Reads the text of the manifest at a position of the template.
    fn read(json: &str, manifest: usize) -> Result<Self, Error> {
        let parsed = || serde_json::from_str::<Value>(json).map_err(|source| Error::Syntax { manifest, source });
        let mut value = parsed()?;
        if GroupVersionKind::of(&value).kind.is_empty() {
            return Err(Error::NoKind { manifest });
        }
        match workload::kind(&value) {
            Some(kind) if kind.conform(&mut value).is_ok() => Ok(Self { value, workload: Some(kind) }),
            // What cannot be read as a workload is delivered as it is; the attempt has left it half converted.
            Some(_) => Ok(Self { value: parsed()?, workload: None }),
            None => Ok(Self { value, workload: None }),
        }
    }
}

/// A manifest of a template.
#[derive(Debug)]
pub(super) enum Manifest {
    /// A tag in it has no end, which is an error for every cluster.
    Unclosed,
    /// A finished object, which all clusters share.
    Done(Arc<Value>),
    /// An object with [`BLANK`] in place of the name of the cluster, and the text that it was read from.
    Read(Object, Text),
    /// A text that must be read for each cluster, or that cannot be read at all.
    Unread(Text),
}

impl Manifest {
    /// Prepares a manifest whose variables are replaced, but for the name of the cluster.
    ///
    /// What is wrong with it is not told here, but by [`Manifest::object`]: upstream's first error is that of the first
    /// manifest with one.
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
            Ok(()) => Self::Done(Arc::new(value)),
            Err(_) => Self::Read(object, text),
        }
    }

    /// Returns the object for one cluster, before anything is added to it; `position` is that of the manifest.
    ///
    /// # Errors
    /// [`Error::UnclosedTag`], [`Error::Syntax`] and [`Error::NoKind`].
    pub(super) fn object(&self, cluster: &str, position: usize) -> Result<Object, Error> {
        match self {
            Self::Unclosed => Err(Error::UnclosedTag { manifest: position }),
            Self::Done(value) => Ok(Object { value: value.as_ref().clone(), workload: None }),
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

/// Returns `true` if what an object is does not depend on the name that will stand in its blanks.
///
/// It would if the name were part of its kind or of the name of a member, or if the object could not be read as a workload
/// because of the blanks.
fn is_free(json: &str, object: &Object) -> bool {
    let is_unreadable = object.workload.is_none() && workload::kind(&object.value).is_some();
    let GroupVersionKind { group, version, kind } = GroupVersionKind::of(&object.value);
    let has_blank_kind = [group, version, kind].iter().any(|text| text.contains(BLANK));
    // The workload has lost its unknown members by now.
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

/// Returns `true` if a name is the same text in a JSON string, and no empty one. All names that Kubernetes allows are.
fn is_plain(cluster: &str) -> bool {
    !cluster.is_empty() && cluster.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

/// Puts the name of a cluster into the blanks of a copy; copying first is faster than building the copy member by member.
fn fill(value: &mut Value, cluster: &str) {
    match value {
        Value::String(text) if text.contains(BLANK) => *text = text.replace(BLANK, cluster),
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, cluster)),
        Value::Object(members) => members.values_mut().for_each(|value| fill(value, cluster)),
        _ => {}
    }
}
