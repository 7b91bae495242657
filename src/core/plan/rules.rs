//! Which rules are in force, and what waits until those of the followed revision are.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::input::Input;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_consent::{RulesDecision, RulesInForce, RulesSubject, lacks_marks, rules_in_force};
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;

/// Decides whether the rules of the followed revision are in force.
pub(super) fn decided(input: &Input<'_>) -> RulesDecision {
    let subject = RulesSubject {
        approvals: input.approvals,
        last: input.past.report.rules.as_ref(),
        instance: &input.instance.id,
        clock: &input.past.report.clock,
        now: input.now,
    };
    rules_in_force(&subject, |name| input.fleet.clusters.get(name).map(|cluster| &**cluster))
}

/// Returns `true` for a cluster that exists on the hub with other labels or annotations than declared.
fn differs_on_hub(input: &Input<'_>, name: &ClusterName) -> bool {
    let (Some(observed), Some(declared)) = (input.fleet.clusters.get(name), input.repository.clusters.get(name)) else {
        return false;
    };
    lacks_marks(observed, declared)
}

/// Returns the declared object as it may be written: a cluster keeps the labels and annotations that it has until the rules that change
/// them are in force, because policies, placements and rendering read them. `None` if nothing of it may be written yet.
pub(super) fn writable<'a>(
    input: &Input<'_>,
    rules: &RulesInForce,
    key: &ObjectKey,
    object: &'a Value,
) -> Option<Cow<'a, Value>> {
    let RulesInForce::Waiting { before } = rules else { return Some(Cow::Borrowed(object)) };
    if key.group != key::CLUSTER_GROUP || key.kind != "ManagedCluster" {
        return Some(Cow::Borrowed(object));
    }
    let Ok(name) = key.name.parse::<ClusterName>() else { return None };
    match before.fact.clusters.get(&name) {
        Some(known) => Some(Cow::Owned(with_marks(object, known))),
        None if differs_on_hub(input, &name) => None,
        None => Some(Cow::Borrowed(object)),
    }
}

fn with_marks(object: &Value, known: &ManagedCluster) -> Value {
    let mut object = object.clone();
    for (field, marks) in [("labels", &known.metadata.labels), ("annotations", &known.metadata.annotations)] {
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else { continue };
        match marks {
            Some(marks) => drop(metadata.insert(field.to_owned(), json!(marks))),
            None => drop(metadata.remove(field)),
        }
    }
    object
}
