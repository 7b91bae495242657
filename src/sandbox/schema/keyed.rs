//! Lists of type `set` and `map`: detection of duplicates, and lookup of the old item.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::check::map_keys;
use super::node::{List, Node};
use super::place::Place;
use super::words;
use crate::refusal::Cause;

/// Returns the duplicate items of lists of type `set` and `map`; each one is reported once, at its second occurrence.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/listtype`.
pub(crate) fn keyed(object: &Value, schema: &Node) -> Vec<Cause> {
    let mut found = Vec::new();
    walk(object, schema, Place::Root, &mut found);
    found
}

fn walk(value: &Value, node: &Node, place: Place<'_>, found: &mut Vec<Cause>) {
    match value {
        Value::Array(items) => {
            match &node.list {
                List::Atomic => {}
                List::Set => {
                    for index in repeated(items.iter().map(Value::to_string)) {
                        let item = items.get(index).unwrap_or(&Value::Null);
                        found.push(words::twice(&Place::Item(&place, index), item));
                    }
                }
                List::Map(keys) => map(items, keys, place, found),
            }
            if let Some(schema) = &node.items {
                for (index, item) in items.iter().enumerate() {
                    walk(item, schema, Place::Item(&place, index), found);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                match (node.members.get(name), &node.others) {
                    (Some(schema), _) => walk(member, schema, Place::Member(&place, name), found),
                    (None, Some(schema)) => walk(member, schema, Place::Key(&place, name), found),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn map(items: &[Value], keys: &[String], place: Place<'_>, found: &mut Vec<Cause>) {
    if let Some((index, item)) = items.iter().enumerate().find(|(_, item)| !item.is_object() && !item.is_null()) {
        let why = "must be an object for an array of list-type map";
        found.push(Cause::invalid(Place::Item(&place, index).to_string(), &words::shown(item), why));
        return;
    }
    let named: Vec<Value> = items.iter().map(|item| Value::Object(key(item, keys))).collect();
    for index in repeated(named.iter().map(Value::to_string)) {
        let key = named.get(index).unwrap_or(&Value::Null);
        found.push(words::twice(&Place::Item(&place, index), key));
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
pub(super) struct Former<'a> {
    keys: &'a [String],
    items: BTreeMap<String, &'a Value>,
}

impl<'a> Former<'a> {
    /// Indexes the old list by its keys; empty for lists that are not of type `map`.
    pub(super) fn of(list: &'a List, old: Option<&'a Value>) -> Self {
        let keys = map_keys(list).unwrap_or_default();
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
