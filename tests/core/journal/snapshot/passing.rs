//! What changes all the time on a hub, and must not change the record.

use serde_json::{Value, json};
use tidegate_model::object::ObjectKey;

use super::hub::{ADDON, CLUSTERS, hub, recorded};

fn key(kind: &str, namespace: &str, name: &str) -> ObjectKey {
    let group = if kind.ends_with("AddOn") { ADDON } else { CLUSTERS };
    ObjectKey::new(group, kind, namespace, name)
}

#[test]
fn what_merely_passes_changes_no_byte() {
    let mut hub = hub();
    let before = recorded(&hub).to_yaml();
    let mut patch = |key: ObjectKey, patch: Value| {
        hub.patch(&key, &patch);
        assert_eq!(recorded(&hub).to_yaml(), before, "{key} {patch}");
    };
    let cluster = || key("ManagedCluster", "", "c1");
    patch(cluster(), json!({ "metadata": { "annotations": { "agent.example.com/seen": "12:01:00" } } }));
    patch(
        cluster(),
        json!({ "metadata": { "managedFields": [{ "manager": "agent", "time": "2026-03-01T12:00:01Z" }] } }),
    );
    patch(cluster(), json!({ "spec": { "leaseDurationSeconds": 30 } }));
    patch(
        cluster(),
        json!({ "status": { "conditions": [{
        "type": "ManagedClusterConditionAvailable", "status": "True", "reason": "R", "message": "12:01:00",
        "lastTransitionTime": "2026-03-01T12:01:00Z", "observedGeneration": 7,
    }] } }),
    );
    patch(key("Placement", "ocm", "all"), json!({ "status": { "lastScoreUpdateTime": "2026-03-01T12:01:00Z" } }));
    let config = json!({ "name": "hello-0.4.1", "specHash": "aa11" });
    let addon = || key("ManagedClusterAddOn", "c1", "hello");
    patch(addon(), json!({ "metadata": { "annotations": { "agent.example.com/seen": "12:01:00" } } }));
    patch(
        addon(),
        json!({ "status": { "configReferences": [{
        "group": ADDON, "resource": "addontemplates", "lastObservedGeneration": 2,
        "desiredConfig": config, "lastAppliedConfig": config,
    }] } }),
    );
}

#[test]
fn measured_values_are_recorded_and_are_no_difference() {
    let mut hub = hub();
    let before = recorded(&hub);
    hub.patch(&key("ManagedCluster", "", "c1"), &json!({ "status": { "allocatable": { "cpu": "6" } } }));
    hub.apply(json!({
        "apiVersion": format!("{CLUSTERS}/v1alpha1"), "kind": "AddOnPlacementScore",
        "metadata": { "name": "usage", "namespace": "c1" },
        "status": { "scores": [{ "name": "cpu", "value": 40 }], "validUntil": "2026-03-01T13:00:00Z" },
    }));
    let after = recorded(&hub);
    assert!(after != before && !after.differs(&before));
    assert!(after.to_yaml().contains(r#""allocatable": {"cpu": "6"}"#), "{}", after.to_yaml());
    hub.patch(&key("ManagedCluster", "", "c1"), &json!({ "metadata": { "labels": { "region": "us" } } }));
    assert!(recorded(&hub).differs(&before));
    assert_eq!(recorded(&hub).changed_clusters(&before), 1);
}
