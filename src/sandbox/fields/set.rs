//! Sets of field paths, as a tree.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::shape;

/// A set of field paths. Steps are written as in `fieldsV1`: `f:<field>`, `k:<keys of a list item>`, `v:<value of a list item>`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSet {
    /// Whether the path that ends here is in the set.
    pub(crate) is_member: bool,
    /// The paths that continue from here.
    pub(crate) children: BTreeMap<String, FieldSet>,
}

/// The fields of the metadata that the server manages; no manager owns them.
const SERVER_FIELDS: [&str; 8] = [
    "f:name",
    "f:namespace",
    "f:creationTimestamp",
    "f:selfLink",
    "f:uid",
    "f:generation",
    "f:managedFields",
    "f:resourceVersion",
];

impl FieldSet {
    /// Returns the set with only the path that ends here.
    pub(crate) fn leaf() -> Self {
        Self { is_member: true, children: BTreeMap::new() }
    }

    /// Returns `true` if no path is in the set.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_member && self.children.is_empty()
    }

    /// Adds the subtree after a step, unless it is empty.
    pub(crate) fn insert(&mut self, step: String, child: FieldSet) {
        if !child.is_empty() {
            self.children.insert(step, child);
        }
    }

    /// Adds all paths of another set.
    pub(crate) fn union(mut self, other: &FieldSet) -> Self {
        self.is_member |= other.is_member;
        for (step, child) in &other.children {
            let own = self.children.remove(step).unwrap_or_default();
            self.children.insert(step.clone(), own.union(child));
        }
        self
    }

    /// Returns the paths that are not in the other set.
    pub(crate) fn difference(&self, other: &FieldSet) -> Self {
        let mut left = Self { is_member: self.is_member && !other.is_member, children: BTreeMap::new() };
        for (step, child) in &self.children {
            let rest = other.children.get(step).map_or_else(|| child.clone(), |other| child.difference(other));
            left.insert(step.clone(), rest);
        }
        left
    }

    /// Returns the paths that are in both sets.
    pub(crate) fn intersection(&self, other: &FieldSet) -> Self {
        let mut both = Self { is_member: self.is_member && other.is_member, children: BTreeMap::new() };
        for (step, child) in &self.children {
            if let Some(other) = other.children.get(step) {
                both.insert(step.clone(), child.intersection(other));
            }
        }
        both
    }

    /// Adds the parents of each path that are fields declared by the schema.
    pub(crate) fn with_named_parents(&self, schema: Option<&Value>) -> Self {
        let mut set = Self { is_member: self.is_member, children: BTreeMap::new() };
        for (step, child) in &self.children {
            let (schema, named) = shape::behind(schema, step);
            let mut child = child.with_named_parents(schema);
            child.is_member |= named && step.starts_with("f:");
            set.children.insert(step.clone(), child);
        }
        set
    }

    /// Removes the fields that no manager can own.
    pub(crate) fn without_server_fields(mut self) -> Self {
        self.is_member = false;
        self.children.remove("f:apiVersion");
        self.children.remove("f:kind");
        if let Some(mut metadata) = self.children.remove("f:metadata") {
            metadata.is_member = false;
            metadata.children.retain(|step, _| !SERVER_FIELDS.contains(&step.as_str()));
            self.insert("f:metadata".to_owned(), metadata);
        }
        self
    }

    /// Parses a set from `fieldsV1`.
    pub(crate) fn from_fields(fields: &Value) -> Self {
        let mut set = Self::default();
        let Some(members) = fields.as_object() else { return set };
        for (step, child) in members {
            if step == "." {
                set.is_member = true;
                continue;
            }
            let mut child_set = Self::from_fields(child);
            // An entry without children represents the path itself.
            child_set.is_member |= child_set.children.is_empty();
            set.children.insert(step.clone(), child_set);
        }
        set
    }

    /// Serializes the set as `fieldsV1`.
    pub(crate) fn to_fields(&self) -> Value {
        let mut members = Map::new();
        if self.is_member && !self.children.is_empty() {
            members.insert(".".to_owned(), Value::Object(Map::new()));
        }
        for (step, child) in &self.children {
            members.insert(step.clone(), child.to_fields());
        }
        Value::Object(members)
    }

    /// Returns all paths as messages show them: `.spec.list[key="a"].field`. Paths that end at a level come before longer ones.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.collect_paths("", &mut paths);
        paths
    }

    fn collect_paths(&self, at: &str, paths: &mut Vec<String>) {
        let ends = self.children.iter().filter(|(_, child)| child.is_member);
        paths.extend(ends.map(|(step, _)| format!("{at}{}", printed(step))));
        for (step, child) in &self.children {
            child.collect_paths(&format!("{at}{}", printed(step)), paths);
        }
    }
}

/// Returns a step as messages show it.
pub(super) fn printed(step: &str) -> String {
    match step.split_once(':') {
        Some(("f", name)) => format!(".{name}"),
        Some(("v", value)) => format!("[={value}]"),
        Some(("k", keys)) => {
            let keys: Map<String, Value> = serde_json::from_str(keys).unwrap_or_default();
            let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!("[{}]", keys.join(","))
        }
        _ => step.to_owned(),
    }
}
