//! Fields that another client changed on the hub.

use serde_json::{Value, json};
use tidegate_plan::drift;

fn managed(manager: &str, spec: Value) -> Value {
    json!({ "manager": manager, "operation": "Update", "fieldsV1": { "f:spec": spec } })
}

#[test]
fn a_field_added_by_another_manager_is_removed_and_a_default_stays() {
    let observed = json!({
        "metadata": { "managedFields": [
            managed("tidegate", json!({ "f:clusterSets": {} })),
            managed("kubectl-edit", json!({ "f:numberOfClusters": {}, "f:clusterSets": {} })),
        ] },
        "spec": { "clusterSets": ["fleet"], "numberOfClusters": 3, "spreadPolicy": {} },
    });
    let declared = json!({ "spec": { "clusterSets": ["fleet"] } });
    let drift = drift(&observed, &declared).unwrap();
    assert_eq!(drift.patch, json!({ "spec": { "numberOfClusters": null } }));
    assert_eq!(drift.to_string(), "spec.numberOfClusters was set by kubectl-edit");
}

#[test]
fn an_item_added_to_a_list_by_another_manager_is_removed_by_restoring_the_declared_list() {
    let owned =
        json!({ "f:installStrategy": { "f:placements": { "k:{\"name\":\"b\",\"namespace\":\"x\"}": { ".": {} } } } });
    let item = |name: &str| json!({ "name": name, "namespace": "x" });
    let observed = json!({
        "metadata": { "managedFields": [managed("console", owned)] },
        "spec": { "installStrategy": { "placements": [item("a"), item("b")] } },
    });
    let declared = json!({ "spec": { "installStrategy": { "placements": [item("a")] } } });
    let drift = drift(&observed, &declared).unwrap();
    assert_eq!(drift.patch, json!({ "spec": { "installStrategy": { "placements": [item("a")] } } }));
}

#[test]
fn a_declared_value_owned_by_another_manager_is_not_drift() {
    let observed = json!({
        "metadata": { "managedFields": [managed("kubectl", json!({ "f:numberOfClusters": {} }))] },
        "spec": { "numberOfClusters": 3 },
    });
    assert_eq!(drift(&observed, &json!({ "spec": { "numberOfClusters": 3 } })), None);
    let status = json!({ "manager": "x", "subresource": "status", "fieldsV1": { "f:spec": { "f:a": {} } } });
    let observed = json!({ "metadata": { "managedFields": [status] }, "spec": { "a": 1 } });
    assert_eq!(drift(&observed, &json!({})), None);
}
