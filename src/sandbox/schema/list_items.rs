//! Lists of type `set` and `map`: detection of duplicates, and lookup of the old item.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::messages;
use crate::api_error::Cause;
use tidegate_api::schema::path::Place;
use tidegate_api::schema::{ListType, Schema};

/// Returns the duplicate items of lists of type `set` and `map`; each one is reported once, at its second occurrence.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/listtype`.
pub(super) fn duplicates(object: &Value, schema: &Schema) -> Vec<Cause> {
    let mut found = Vec::new();
    walk(object, schema, Place::Root, &mut found);
    found
}

fn walk(value: &Value, schema: &Schema, place: Place<'_>, found: &mut Vec<Cause>) {
    if let Value::Array(items) = value {
        match &schema.list_type {
            ListType::Atomic => {}
            ListType::Set => {
                for index in repeated(items.iter().map(Value::to_string)) {
                    let item = items.get(index).unwrap_or(&Value::Null);
                    found.push(messages::duplicate(&Place::Item(&place, index), item));
                }
            }
            ListType::Map(keys) => map(items, keys, place, found),
        }
    }
    schema.visit(value, &place, |place, value, schema| walk(value, schema, place, found));
}

fn map(items: &[Value], keys: &[String], place: Place<'_>, found: &mut Vec<Cause>) {
    if let Some((index, item)) = items.iter().enumerate().find(|(_, item)| !item.is_object() && !item.is_null()) {
        let why = "must be an object for an array of list-type map";
        found.push(Cause::invalid(Place::Item(&place, index).to_string(), &messages::shown(item), why));
        return;
    }
    let named: Vec<Value> = items.iter().map(|item| Value::Object(key(item, keys))).collect();
    for index in repeated(named.iter().map(Value::to_string)) {
        let key = named.get(index).unwrap_or(&Value::Null);
        found.push(messages::duplicate(&Place::Item(&place, index), key));
    }
}

fn key(item: &Value, keys: &[String]) -> Map<String, Value> {
    keys.iter().filter_map(|key| Some((key.clone(), item.get(key)?.clone()))).collect()
}

fn repeated(texts: impl Iterator<Item = String>) -> Vec<usize> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut second = Vec::new();
    for (index, text) in texts.enumerate() {
        let seen = times.entry(text).or_default();
        *seen += 1;
        if *seen == 2 {
            second.push(index);
        }
    }
    second
}

/// The items of the old list, by their keys.
pub(super) struct OldItems<'a> {
    keys: &'a [String],
    items: BTreeMap<String, &'a Value>,
}

impl<'a> OldItems<'a> {
    /// Indexes the old list by its keys; empty for lists that are not of type `map`.
    pub(super) fn of(list: &'a ListType, old: Option<&'a Value>) -> Self {
        let keys = list.keys();
        let items = old.and_then(Value::as_array).filter(|_| !keys.is_empty()).into_iter().flatten();
        let items = items.map(|item| (Value::Object(key(item, keys)).to_string(), item)).collect();
        Self { keys, items }
    }

    /// Returns the old item with the same keys.
    pub(super) fn of_item(&self, item: &Value) -> Option<&'a Value> {
        if self.items.is_empty() {
            return None;
        }
        self.items.get(&Value::Object(key(item, self.keys)).to_string()).copied()
    }
}
