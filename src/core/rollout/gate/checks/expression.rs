//! Expressions over the clusters of a group.

use serde_json::{Map, Value};

use super::observation::Measured;
use tidegate_cel::{Computed, Evaluator, Program, Trouble};
use tidegate_model::name::ClusterName;
use tidegate_model::plural::first_of;

/// The variable for each cluster in turn.
pub(super) const CLUSTER: &str = "cluster";
/// The variable for the list of all clusters.
pub(super) const CLUSTERS: &str = "clusters";
/// The variables of an expression over the clusters of a group.
pub(super) const OF_CLUSTERS: &[&str] = &[CLUSTER, CLUSTERS];
/// The variables of an expression that gives a number for a cluster.
pub(super) const OF_CLUSTER: &[&str] = &[CLUSTER];

/// Evaluates an expression over the clusters of a group. If it uses `cluster`, it must be true for each of them.
pub(super) fn measure(program: &Program, clusters: Vec<(&ClusterName, Value)>) -> Measured {
    if clusters.is_empty() {
        return Measured::none("no cluster of the group takes part in the rollout");
    }
    let mut evaluator = Evaluator::default();
    let mut values = Map::new();
    if program.uses(CLUSTERS) {
        let list = clusters.iter().map(|(_, value)| value.clone()).collect();
        values.insert(CLUSTERS.to_owned(), Value::Array(list));
    }
    let mut values = Value::Object(values);
    if !program.uses(CLUSTER) {
        return match holds(&mut evaluator, program, &values) {
            Ok(holds) => Measured::new(holds, if holds { "true" } else { "false" }),
            Err(why) => Measured::none(&format!("the expression {why}")),
        };
    }
    let (mut failing, mut trouble) = (Vec::new(), None);
    for (name, cluster) in clusters {
        if let Value::Object(values) = &mut values {
            values.insert(CLUSTER.to_owned(), cluster);
        }
        match holds(&mut evaluator, program, &values) {
            Ok(true) => {}
            Ok(false) => failing.push(name.to_string()),
            Err(why) => drop(trouble.get_or_insert_with(|| format!("the expression {why} (cluster {name})"))),
        }
    }
    match trouble {
        // What is false for one cluster is not true for each, whatever the others are.
        _ if !failing.is_empty() => {
            Measured::new(false, &format!("false for {}", first_of(failing.iter().map(String::as_str), 3)))
        }
        Some(why) => Measured::none(&why),
        None => Measured::new(true, "true"),
    }
}

/// Why an expression is neither true nor false. Displays as a part of a sentence, after the expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoBoolean {
    #[error("gives a string, and not true or false")]
    String,
    #[error("gives a value of type {0}, and not true or false")]
    Other(&'static str),
    #[error(transparent)]
    Fails(Trouble),
}

/// Evaluates an expression that must be true or false.
pub(super) fn holds(evaluator: &mut Evaluator, program: &Program, values: &Value) -> Result<bool, NoBoolean> {
    match evaluator.compute(program, values) {
        Ok(Computed::Bool(holds)) => Ok(holds),
        Ok(Computed::String(_)) => Err(NoBoolean::String),
        Ok(Computed::Other(type_)) => Err(NoBoolean::Other(type_)),
        Err(trouble) => Err(NoBoolean::Fails(trouble)),
    }
}
