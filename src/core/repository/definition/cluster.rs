//! What definitions read of the cluster that they are rendered for.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use tidegate_cel::{FieldPath, Shape, reads};

/// The variable that has the cluster, and its field.
const CONTEXT: &str = "context";
/// The field of the context that has the cluster.
pub(super) const CLUSTER: &str = "cluster";

/// The fields of `context.cluster` that a definition reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClusterReads(BTreeSet<FieldPath>);

impl ClusterReads {
    /// Notes what an expression reads. Where the field is known only when it runs, that is everything.
    pub(super) fn note(&mut self, expression: &str) {
        match reads(expression, CONTEXT) {
            Ok(paths) => {
                let of_cluster = paths.iter().filter_map(|path| match path.as_slice() {
                    [first, rest @ ..] if first == CLUSTER => Some(rest.to_vec()),
                    _ => None,
                });
                self.0.extend(of_cluster);
            }
            // Without a place, it does not read the context.
            Err(refused) if refused.place.is_some() && expression.contains(CLUSTER) => {
                self.0.insert(FieldPath::new());
            }
            Err(_) => {}
        }
    }

    /// Adds what another definition reads.
    pub(super) fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Returns `true` if nothing is read.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the part of the facts about a cluster that is read. Nothing else is known when a definition is rendered.
    pub(crate) fn of(&self, facts: &Value) -> Value {
        let mut found = Map::new();
        for path in &self.0 {
            match path.as_slice() {
                [] => return facts.clone(),
                [field, name, ..] if facts.get(field).is_some_and(Value::is_object) => {
                    let into = found.entry(field.clone()).or_insert_with(|| Value::Object(Map::new()));
                    if let (Some(into), Some(value)) = (into.as_object_mut(), facts[field.as_str()].get(name)) {
                        into.insert(name.clone(), value.clone());
                    }
                }
                [field, ..] => {
                    if let Some(value) = facts.get(field) {
                        found.insert(field.clone(), value.clone());
                    }
                }
            }
        }
        Value::Object(found)
    }
}

/// Returns what is known about `context.cluster` before an expression runs.
pub(super) fn shape() -> Shape {
    let texts = || Shape::Map(Box::new(Shape::Text));
    let fields = [("name", Shape::Text), ("labels", texts()), ("claims", texts()), ("version", Shape::Text)];
    Shape::Record(fields.map(|(name, shape)| (name.to_owned(), shape)).into())
}
