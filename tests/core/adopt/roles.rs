//! The roles that templates give to their agents.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_core::adopt::{adopt, roles};
use tidegate_model::object::ObjectKey;

use super::hub::{fleet, objects};
use super::repository;

const NAME: &str = "open-cluster-management:managed-serviceaccount:hub";

fn role(metadata: &Value) -> Value {
    let mut role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata,
        "rules": [{ "apiGroups": [""], "resources": ["secrets"], "verbs": ["get"] }],
    });
    role["metadata"]["name"] = json!(NAME);
    role["metadata"]["uid"] = json!("6f7b");
    role
}

/// Returns why the role is left out of the repository; `None` if it is written.
fn reason(role: Option<Value>) -> Option<String> {
    let adoption = adopt(&fleet(objects().into_iter().chain(role)), &BTreeSet::new());
    let is_written = adoption.objects.values().flatten().any(|key| key.kind == "ClusterRole");
    let prefix = format!("ClusterRole {NAME}: ");
    let reason = adoption.left_out.iter().find_map(|line| Some(line.to_string().strip_prefix(&prefix)?.to_owned()));
    assert_eq!(is_written, reason.is_none(), "{reason:?}");
    reason
}

#[test]
fn the_roles_to_read_are_those_that_templates_name() {
    let key = ObjectKey::new("rbac.authorization.k8s.io", "ClusterRole", "", NAME);
    assert_eq!(roles(&fleet(objects())), BTreeSet::from([key]));
    assert_eq!(roles(&Fleet::default()), BTreeSet::new());
}

#[test]
fn a_role_is_written_beside_the_addon_that_needs_it() {
    let adoption = adopt(&fleet(objects().into_iter().chain([role(&json!({ "generation": 3 }))])), &BTreeSet::new());
    insta::assert_snapshot!("role", adoption.files["fleet/addons/managed-serviceaccount/hub-role.yaml"]);
    repository(&adoption);
    // Without the add-on, its role is not needed.
    let other = adopt(
        &fleet(objects().into_iter().chain([role(&json!({}))])),
        &BTreeSet::from(["hello-template".parse().unwrap()]),
    );
    assert!(!other.files.keys().any(|path| path.contains("role")), "{:?}", other.files.keys());
}

#[test]
fn the_rules_of_an_aggregated_role_are_filled_in_by_the_hub() {
    let mut aggregated = role(&json!({}));
    aggregated["aggregationRule"] = json!({ "clusterRoleSelectors": [{ "matchLabels": { "a": "b" } }] });
    let adoption = adopt(&fleet(objects().into_iter().chain([aggregated])), &BTreeSet::new());
    let text = &adoption.files["fleet/addons/managed-serviceaccount/hub-role.yaml"];
    assert!(text.contains("aggregationRule:") && !text.contains("rules:"), "{text}");
}

#[test]
fn a_role_of_another_controller_or_one_that_cannot_be_read_is_left_out_with_the_reason() {
    assert_eq!(reason(Some(role(&json!({})))), None);
    let owner = json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "b" }]);
    let cases = [
        (json!({ "labels": { "kubernetes.io/bootstrapping": "rbac-defaults" } }), "the hub creates it itself"),
        (
            json!({ "labels": { "open-cluster-management.io/created-by-clustermanager": "cluster-manager" } }),
            "the hub creates it itself",
        ),
        (json!({ "ownerReferences": owner }), "ConfigMap a keeps it up to date"),
        (json!({ "deletionTimestamp": "2026-01-01T00:00:00Z" }), "it is being deleted"),
        (
            json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "3f2a9c0d1e2f3a4b" } }),
            "it belongs to instance 3f2a9c0d1e2f3a4b",
        ),
    ];
    for (metadata, wanted) in cases {
        assert_eq!(reason(Some(role(&metadata))).as_deref(), Some(wanted), "{metadata}");
    }
    assert!(reason(None).unwrap().starts_with("the hub does not have this role, "), "{:?}", reason(None));
    let mut fleet = fleet(objects());
    let key = ObjectKey::new("rbac.authorization.k8s.io", "ClusterRole", "", NAME);
    fleet.unreadable.insert(key, "forbidden".to_owned());
    let left_out: Vec<String> = adopt(&fleet, &BTreeSet::new()).left_out.iter().map(ToString::to_string).collect();
    assert!(left_out.contains(&format!("ClusterRole {NAME}: it cannot be read: forbidden")), "{left_out:?}");
}
