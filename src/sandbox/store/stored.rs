//! The stored form of an object.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::object;

/// An object as JSON bytes, in the storage version. Cloning is cheap.
///
/// A tree of values takes five to ten times as much memory as its JSON, and most objects are written once and then only sent.
#[derive(Debug, Clone)]
pub(crate) struct Stored(Arc<Rest>);

#[derive(Debug)]
struct Rest {
    text: Bytes,
    /// The labels, which most selectors match on.
    labels: Box<[(Box<str>, Box<str>)]>,
    /// The UIDs of the owners.
    owners: Box<[Box<str>]>,
}

impl Stored {
    /// Serializes an object.
    pub(crate) fn new(value: &Value) -> Self {
        let labels = object::metadata(value, "labels").and_then(Value::as_object).into_iter().flatten();
        let labels = labels.filter_map(|(name, value)| Some((name.as_str().into(), value.as_str()?.into())));
        // A `Value` always serializes to JSON.
        let text = Bytes::from(serde_json::to_vec(value).unwrap_or_default());
        let owners = object::owners(value).map(Into::into).collect();
        Self(Arc::new(Rest { text, labels: labels.collect(), owners }))
    }

    /// Returns the object.
    pub(crate) fn value(&self) -> Value {
        // The bytes were serialized from a value, so they can be parsed as one.
        serde_json::from_slice(&self.0.text).unwrap_or_else(|_| Value::Object(Map::new()))
    }

    /// Returns the JSON of the object.
    pub(crate) fn text(&self) -> &Bytes {
        &self.0.text
    }

    /// Returns `true` if both are the same allocation: the same object at the same revision, not just an equal one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the object with a different resourceVersion; `None` if the position of its resourceVersion is ambiguous.
    pub(crate) fn at_revision(&self, from: u64, to: u64) -> Option<Self> {
        if from == to {
            return Some(self.clone());
        }
        let text = std::str::from_utf8(&self.0.text).ok()?;
        let member = |revision: u64| format!("\"resourceVersion\":\"{revision}\"");
        let before = member(from);
        let (head, tail) = text.split_once(&before)?;
        if tail.contains(&before) {
            return None;
        }
        let text = Bytes::from([head, &member(to), tail].concat());
        Some(Self(Arc::new(Rest { text, labels: self.0.labels.clone(), owners: self.0.owners.clone() })))
    }

    /// Returns the UIDs of the owners.
    pub(crate) fn owners(&self) -> impl Iterator<Item = &str> {
        self.0.owners.iter().map(|owner| &**owner)
    }

    /// Returns the value of a label.
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        self.0.labels.iter().find(|(label, _)| **label == *name).map(|(_, value)| &**value)
    }
}
