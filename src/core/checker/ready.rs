//! Whether an object of an application is ready, by the values that its cluster reports.

use serde_json::Value;

use super::conditions;
use super::order::{partition, sizes};
use tidegate_api::ocm::manifest_work::{FeedbackValue, ManifestResourceMeta, ManifestWork, ResourceIdentifier};

/// How far the agent keeps the number of replicas of a workload as its manifest says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keeping {
    /// There are as many.
    Exactly,
    /// There are at least as many: something else scales the workload, and has not set the number yet.
    AtLeast,
    /// There may be any number.
    Not,
}

/// Returns how far the agent keeps the number of replicas of an object.
pub(super) fn keeping(work: &ManifestWork, meta: &ManifestResourceMeta) -> Keeping {
    let mut configs = work.spec.manifest_configs.iter();
    let config = configs.find(|config| {
        let ResourceIdentifier { group, resource, name, namespace } = &config.resource_identifier;
        (group, resource, name, namespace) == (&meta.group, &meta.resource, &meta.name, &meta.namespace)
    });
    let is_kept = config.and_then(|config| config.update_strategy.as_ref()).is_none_or(|strategy| {
        let ignores = strategy.server_side_apply.as_ref().is_some_and(|apply| !apply.ignore_fields.is_empty());
        !matches!(strategy.type_.as_str(), "CreateOnly" | "ReadOnly") && !ignores
    });
    let mut paths = config.into_iter().flat_map(|config| &config.feedback_rules).flat_map(|rule| &rule.json_paths);
    match (is_kept, paths.any(|path| path.name == "TidegateScaledBy")) {
        (false, _) => Keeping::Not,
        (true, true) => Keeping::AtLeast,
        (true, false) => Keeping::Exactly,
    }
}

/// Returns `true` if an object meets its conditions according to these values, and a workload is ready. Its number of replicas is that of the
/// manifest if the agent keeps it so.
pub(super) fn is_enough((manifest, keeping): (&Value, Keeping), values: &[&FeedbackValue]) -> bool {
    let named = |name: &'static str| values.iter().filter(move |value| value.name == name);
    let mut desired = named("TidegateDesiredReplicas").map(|value| value.field_value.integer);
    let is_scaled = keeping == Keeping::Not || named("TidegateScaledBy").next().is_some();
    let is_scaled_to_zero = is_scaled && desired.clone().any(|desired| desired == Some(0));
    let mut has_replicas = |name: &'static str| {
        let written = manifest.pointer("/spec/replicas").and_then(Value::as_i64);
        if keeping == Keeping::Exactly && written.is_some() && desired.any(|desired| desired != written) {
            return false;
        }
        if is_scaled_to_zero || written == Some(0) {
            return true;
        }
        let wanted = written.filter(|_| keeping != Keeping::Not).unwrap_or(1);
        named(name).filter_map(|value| value.field_value.integer).max().unwrap_or_default() >= wanted
    };
    if !conditions::hold(manifest, values) {
        return false;
    }
    let text = |member: &str| manifest.get(member).and_then(Value::as_str).unwrap_or_default();
    let (group, _) = text("apiVersion").split_once('/').unwrap_or_default();
    match (group, text("kind")) {
        ("apps", "Deployment") => has_replicas("ReadyReplicas"),
        ("apps", "StatefulSet") | ("apps.kruise.io", "CloneSet") => {
            has_replicas("TidegateReadyReplicas") && is_replaced(manifest, values)
        }
        ("batch", "Job") if manifest.pointer("/spec/suspend") != Some(&Value::Bool(true)) => {
            named("TidegateJobComplete").any(|value| value.field_value.string.as_deref() == Some("True"))
        }
        ("standard.oam.dev", "Rollout") => is_rolled_out(manifest, values),
        ("argoproj.io", "Rollout") if manifest.pointer("/spec/replicas") == Some(&Value::from(0)) => true,
        ("argoproj.io" | "rollouts.kruise.io", "Rollout") => {
            named("TidegatePhase").any(|value| value.field_value.string.as_deref() == Some("Healthy"))
        }
        _ => true,
    }
}

/// Returns `true` if the replicas that a workload with batches should have replaced are reported as new, for the partition in its manifest.
fn is_replaced(manifest: &Value, values: &[&FeedbackValue]) -> bool {
    if sizes(manifest).is_empty() {
        return true;
    }
    let named = |name: &str| values.iter().rev().find(|value| value.name == name)?.field_value.integer;
    let (reported, updated) = match manifest.get("kind").and_then(Value::as_str) {
        Some("CloneSet") => ("TidegateCloneSetPartition", "TidegateUpdatedReadyReplicas"),
        _ => ("TidegatePartition", "TidegateUpdatedReplicas"),
    };
    let replicas = manifest.pointer("/spec/replicas").and_then(Value::as_i64);
    let Some((partition, replicas)) = partition(manifest).zip(replicas) else { return false };
    named(reported) == Some(partition) && named(updated).unwrap_or_default() >= replicas - partition
}

/// Returns `true` if a Rollout of `standard.oam.dev` has succeeded with the revision and the size of its manifest.
fn is_rolled_out(manifest: &Value, values: &[&FeedbackValue]) -> bool {
    let named = |name: &str| values.iter().rev().find(|value| value.name == name).map(|value| &value.field_value);
    let target = manifest.pointer("/spec/targetRevisionName").and_then(Value::as_str);
    let size = manifest.pointer("/spec/rolloutPlan/targetSize").and_then(Value::as_i64);
    let text = |name: &str| named(name).and_then(|value| value.string.as_deref());
    text("TidegateRollingState") == Some("rolloutSucceed")
        && text("TidegateLastTargetRevision") == target
        && (size.is_none() || named("TidegateUpgradedReadyReplicas").and_then(|value| value.integer) == size)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A Rollout of two replicas to revision v2, with this status.
    fn rolled_out(state: &str, target: &str, ready: i64) -> bool {
        let manifest = json!({
            "apiVersion": "standard.oam.dev/v1alpha1", "kind": "Rollout",
            "spec": { "targetRevisionName": "v2", "rolloutPlan": { "targetSize": 2 } },
        });
        let values: Vec<FeedbackValue> = serde_json::from_value(json!([
            { "name": "TidegateRollingState", "fieldValue": { "type": "String", "string": state } },
            { "name": "TidegateLastTargetRevision", "fieldValue": { "type": "String", "string": target } },
            { "name": "TidegateUpgradedReadyReplicas", "fieldValue": { "type": "Integer", "integer": ready } },
        ]))
        .unwrap_or_default();
        is_enough((&manifest, Keeping::Exactly), &values.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_rollout_is_ready_with_the_revision_and_the_size_of_its_manifest() {
        assert!(rolled_out("rolloutSucceed", "v2", 2));
        let others = [("rollingInBatches", "v2", 2), ("rolloutSucceed", "v1", 2), ("rolloutSucceed", "v2", 1)];
        assert!(others.iter().all(|(state, target, ready)| !rolled_out(state, target, *ready)));
        assert!(!is_enough(
            (&json!({ "apiVersion": "standard.oam.dev/v1alpha1", "kind": "Rollout" }), Keeping::Exactly),
            &[]
        ));
    }

    #[test]
    fn other_rollouts_are_ready_in_the_phase_healthy() {
        let healthy = |phase: &str| {
            let value = json!({ "name": "TidegatePhase", "fieldValue": { "type": "String", "string": phase } });
            let value: Option<FeedbackValue> = serde_json::from_value(value).ok();
            let manifest = json!({ "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "spec": {} });
            is_enough((&manifest, Keeping::Exactly), &value.iter().collect::<Vec<_>>())
        };
        assert_eq!([healthy("Healthy"), healthy("Degraded")], [true, false]);
        assert!(is_enough(
            (
                &json!({ "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "spec": { "replicas": 0 } }),
                Keeping::Exactly
            ),
            &[]
        ));
    }

    #[test]
    fn the_number_of_replicas_is_that_of_the_manifest_if_the_agent_keeps_it() {
        let manifest = json!({ "apiVersion": "apps/v1", "kind": "Deployment", "spec": { "replicas": 3 } });
        let is_ready = |keeping: Keeping, desired: i64, ready: i64| {
            let value = |name: &str, integer: i64| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": integer } });
            let values = json!([value("TidegateDesiredReplicas", desired), value("ReadyReplicas", ready)]);
            let values: Vec<FeedbackValue> = serde_json::from_value(values).unwrap_or_default();
            is_enough((&manifest, keeping), &values.iter().collect::<Vec<_>>())
        };
        let cases = [(3, 3), (1, 1), (5, 5), (0, 0)];
        let judged = |keeping| cases.map(|(desired, ready)| is_ready(keeping, desired, ready));
        assert_eq!(judged(Keeping::Exactly), [true, false, false, false]);
        assert_eq!(judged(Keeping::AtLeast), [true, false, true, false]);
        assert_eq!(judged(Keeping::Not), [true, true, true, true]);
    }
}
