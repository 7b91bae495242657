//! The roles on the hub that templates give to agents.

use serde_json::{Value, json};
use tidegate_model::tree::Tree;
use tidegate_repository::{Scope, load};

use super::fixture::{TEMPLATE, complaints, edit, with};

const ROLE: &str = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: hello-agent
rules:
  - apiGroups: ['']
    resources: [configmaps]
    verbs: [get]
";

/// Returns the good repository with these hub permissions in its template.
fn with_permissions(permissions: &Value) -> Tree {
    let registration = json!([{ "type": "KubeClient", "kubeClient": { "hubPermissions": permissions } }]);
    let mut tree = with("role.yaml", ROLE);
    edit(
        &mut tree,
        "template.yaml",
        "  addonName: hello\n",
        &format!("  addonName: hello\n  registration: {registration}\n"),
    );
    tree
}

fn current(role: &str) -> Value {
    json!({ "type": "CurrentCluster", "currentCluster": { "clusterRoleName": role } })
}

fn single(namespace: &str, kind: &str, name: &str) -> Value {
    single_of("rbac.authorization.k8s.io", namespace, kind, name)
}

fn single_of(group: &str, namespace: &str, kind: &str, name: &str) -> Value {
    let role = json!({ "apiGroup": group, "kind": kind, "name": name });
    json!({ "type": "SingleNamespace", "singleNamespace": { "namespace": namespace, "roleRef": role } })
}

#[test]
fn each_permission_has_its_place_its_role_and_its_scope() {
    let permissions = json!([current("hello-agent"), current("elsewhere"), single("shared", "Role", "hello")]);
    let loaded = load(&with_permissions(&permissions), "");
    let shown: Vec<String> = loaded
        .hub_permissions
        .iter()
        .map(|found| format!("{} {} {:?}", found.place, found.role, found.scope))
        .collect();
    let column = |permission: &str| {
        let text = String::from_utf8(with_permissions(&permissions).files["template.yaml"].clone()).unwrap();
        text.lines().nth(6).unwrap().find(permission).unwrap() + 1
    };
    let in_shared = Scope::SingleNamespace { namespace: "shared".to_owned() };
    assert_eq!(
        shown,
        [
            format!(
                "template.yaml:7:{} ClusterRole hello-agent CurrentCluster",
                column("{\"currentCluster\":{\"clusterRoleName\":\"hello")
            ),
            format!(
                "template.yaml:7:{} ClusterRole elsewhere CurrentCluster",
                column("{\"currentCluster\":{\"clusterRoleName\":\"else")
            ),
            format!("template.yaml:7:{} Role shared/hello {in_shared:?}", column("{\"singleNamespace\"")),
        ]
    );
    let found = &loaded.hub_permissions[0];
    assert_eq!(found.template.to_string(), "AddOnTemplate hello-1");
    assert_eq!(found.addons.iter().map(|addon| addon.as_str()).collect::<Vec<_>>(), ["hello"]);
    let declared = found.declared.as_ref().unwrap();
    assert_eq!(declared.place.to_string(), "role.yaml:1:1");
    assert_eq!(json!(declared.rules), json!([{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"] }]));
    assert!(loaded.hub_permissions[1..].iter().all(|found| found.declared.is_none()));
}

#[test]
fn a_permission_that_cannot_be_granted_is_a_warning_and_is_not_listed() {
    let cases = [
        json!([current("")]),
        json!([{ "type": "CurrentCluster" }]),
        json!([{ "type": "SingleNamespace", "currentCluster": { "clusterRoleName": "hello-agent" } }]),
        json!([single("shared", "Role", "")]),
        json!([single("", "Role", "hello")]),
        json!([single("no such/namespace", "ClusterRole", "hello")]),
        json!([single("shared", "User", "hello")]),
        json!([single_of("apps", "shared", "Role", "hello")]),
    ];
    let found = |permissions: &Value| {
        let mut tree = with_permissions(permissions);
        // No template uses the role.
        tree.files.remove("role.yaml");
        let loaded = load(&tree, "");
        assert_eq!(loaded.hub_permissions, [], "{permissions}");
        assert!(loaded.repository.blocked.is_empty(), "{permissions}");
        loaded.complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(cases.iter().map(found).collect::<Vec<_>>().join("\n"));
}

#[test]
fn two_permissions_that_share_a_binding_are_a_warning() {
    let replaced = complaints(&with_permissions(&json!([current("hello-agent"), current("elsewhere")])));
    assert_eq!(replaced.len(), 1, "{replaced:?}");
    assert!(
        replaced[0].contains("hubPermissions[1] gives another role of the same kind in the same namespace"),
        "{replaced:?}"
    );
    // Another kind, another namespace, or the same role once more: each has a binding of its own, or shares it rightly.
    let apart = json!([
        current("hello-agent"),
        current("hello-agent"),
        single("shared", "Role", "hello"),
        single("shared", "ClusterRole", "hello"),
        single("other", "Role", "elsewhere"),
    ]);
    let tree = with_permissions(&apart);
    assert_eq!(complaints(&tree), Vec::<String>::new());
    assert_eq!(load(&tree, "").hub_permissions.len(), 5);
}

#[test]
fn malformed_registrations_are_complaints_of_the_schema_only() {
    for registration in
        ["3", "[3]", "[{type: KubeClient, kubeClient: [1]}]", "[{kubeClient: {hubPermissions: {a: b}}}]"]
    {
        let mut tree = with("role.yaml", ROLE);
        tree.files
            .insert("template.yaml".to_owned(), format!("{TEMPLATE}  registration: {registration}\n").into_bytes());
        let loaded = load(&tree, "");
        assert_eq!(loaded.hub_permissions, [], "{registration}");
        assert!(loaded.complaints.iter().any(|complaint| complaint.is_error()), "{registration}");
    }
}

#[test]
fn the_rules_of_an_aggregated_or_malformed_role_are_not_known() {
    for (from, to) in [("rules:\n", "aggregationRule: {}\nrules:\n"), ("verbs: [get]", "verbs: {a: b}")] {
        let mut tree = with_permissions(&json!([current("hello-agent")]));
        edit(&mut tree, "role.yaml", from, to);
        let declared = load(&tree, "").hub_permissions.remove(0).declared.unwrap();
        assert_eq!(declared.rules, None, "{to}");
    }
}
