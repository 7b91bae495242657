//! The roles that templates give to their agents.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::object::ObjectKey;
use tidegate_repository::adopt::{adopt, roles};

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

#[test]
fn what_the_operator_has_to_allow_is_listed_for_the_file_of_the_daemon() {
    let mut role = role(&json!({}));
    let adoption = adopt(&fleet(objects().into_iter().chain([role.clone()])), &BTreeSet::new());
    let entry = r#"{ kind = "ClusterRole", group = "rbac.authorization.k8s.io", name = "open-cluster-management:managed-serviceaccount:hub" }"#;
    assert_eq!(adoption.daemon_file, format!("[adopt]\nobjects = [\n  {entry},\n]\n"));
    // A role that a repository may not declare without being allowed to.
    role["rules"][0]["verbs"] = json!(["*"]);
    let adoption = adopt(&fleet(objects().into_iter().chain([role])), &BTreeSet::new());
    let kinds = adoption.daemon_file.split("[adopt]").next().unwrap();
    assert!(kinds.starts_with("[hub]\nkinds = [\n  { kind = \"ClusterRole\","), "{kinds}");
    assert_eq!(adoption.complaints, []);
}

#[test]
fn subjects_that_lose_a_role_on_the_hub_are_listed_with_what_they_lose() {
    let addon = "managed-serviceaccount";
    let one = |cluster: &str| format!("system:open-cluster-management:cluster:{cluster}:addon:{addon}");
    let subject =
        |kind: &str, name: &str| json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name });
    let mut fleet = fleet(objects());
    for cluster in ["east", "west"] {
        let groups = json!([one(cluster), format!("system:open-cluster-management:addon:{addon}")]);
        let known = json!({ "user": format!("{}:agent:{addon}-agent", one(cluster)), "groups": groups });
        let installed = json!({
            "metadata": { "name": addon, "namespace": cluster }, "spec": {},
            "status": { "registrations": [{ "type": "kubeClient", "kubeClient": { "subject": known } }] },
        });
        let installed = serde_json::from_value(installed).unwrap();
        let clusters = fleet.cluster_addons.entry(addon.parse().unwrap()).or_default();
        clusters.insert(cluster.parse().unwrap(), std::sync::Arc::new(installed));
        let mut subjects = vec![subject("User", &format!("{}:agent:{addon}-agent", one(cluster)))];
        subjects.extend(groups.as_array().unwrap().iter().map(|group| subject("Group", group.as_str().unwrap())));
        if cluster == "west" {
            subjects.push(subject("Group", "system:unauthenticated"));
        }
        let owner = json!({ "apiVersion": "v1", "kind": "ManagedClusterAddOn", "name": addon, "uid": "u" });
        let binding = json!({
            "metadata": { "name": "agent", "namespace": cluster, "ownerReferences": [owner] },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME },
            "subjects": subjects,
        });
        let namespaces = fleet.role_bindings.entry(addon.parse().unwrap()).or_default();
        let binding = std::sync::Arc::new(serde_json::from_value(binding).unwrap());
        namespaces.entry(cluster.to_owned()).or_default().insert("agent".to_owned(), binding);
    }
    let expected = [
        format!(
            "{addon}: Group system:open-cluster-management:addon:{addon} loses ClusterRole {NAME} in 2 namespaces, such as east (RoleBinding agent)"
        ),
        format!("{addon}: Group system:unauthenticated loses ClusterRole {NAME} in namespace west (RoleBinding agent)"),
    ];
    assert_eq!(adopt(&fleet, &BTreeSet::new()).losses, expected);
    let other = BTreeSet::from(["hello-template".parse().unwrap()]);
    assert_eq!(adopt(&fleet, &other).losses, Vec::<String>::new());
}
