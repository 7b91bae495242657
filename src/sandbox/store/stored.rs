//! Objects at rest.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::object;

/// An object as it is held: its text, in the storage version. Cloning is cheap.
///
/// A tree of values takes five to ten times as much memory as its text, and most objects are written once and then only sent.
#[derive(Debug, Clone)]
pub(crate) struct Stored(Arc<Rest>);

#[derive(Debug)]
struct Rest {
    text: Bytes,
    /// What most selectors ask for.
    labels: Box<[(Box<str>, Box<str>)]>,
    /// The uids of the owners.
    owners: Box<[Box<str>]>,
}

impl Stored {
    /// Puts an object to rest.
    pub(crate) fn new(value: &Value) -> Self {
        let labels = object::metadata(value, "labels").and_then(Value::as_object).into_iter().flatten();
        let labels = labels.filter_map(|(name, value)| Some((name.as_str().into(), value.as_str()?.into())));
        // Values always turn into JSON.
        let text = Bytes::from(serde_json::to_vec(value).unwrap_or_default());
        let owners = object::owners(value).map(Into::into).collect();
        Self(Arc::new(Rest { text, labels: labels.collect(), owners }))
    }

    /// Returns the object.
    pub(crate) fn value(&self) -> Value {
        // What was written from a value can be read as one.
        serde_json::from_slice(&self.0.text).unwrap_or_else(|_| Value::Object(Map::new()))
    }

    /// Returns the text of the object.
    pub(crate) fn text(&self) -> &Bytes {
        &self.0.text
    }

    /// Returns `true` if this is the same object at the same revision, and not only one that is alike.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the object with another revision; `None` if it is not plain where its revision stands.
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

    /// Returns the uids of the owners.
    pub(crate) fn owners(&self) -> impl Iterator<Item = &str> {
        self.0.owners.iter().map(|owner| &**owner)
    }

    /// Returns the value of a label.
    pub(crate) fn label(&self, name: &str) -> Option<&str> {
        self.0.labels.iter().find(|(label, _)| **label == *name).map(|(_, value)| &**value)
    }
}
