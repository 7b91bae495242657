//! Which objects a repository may put on the hub.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_model::tree::Tree;
use tidegate_repository::{AllowedKind, Loaded, OperatorRules, Rule, load, load_with};

use super::fixture::{edit, with};

const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// Returns an object in YAML, of which JSON is a part.
fn object(api_version: &str, kind: &str, namespace: &str, name: &str) -> Value {
    let mut metadata = json!({ "name": name });
    if !namespace.is_empty() {
        metadata["namespace"] = json!(namespace);
    }
    json!({ "apiVersion": api_version, "kind": kind, "metadata": metadata })
}

/// Loads the good repository with one more object.
fn loaded(object: &Value, allowed: &[AllowedKind]) -> Loaded {
    let operator = OperatorRules { kinds: allowed.to_vec(), ..OperatorRules::default() };
    load_with(&with("more.yaml", &object.to_string()), "", &Arc::new(operator))
}

/// Returns why an object may not be declared; `None` if it may.
fn refusal(object: &Value, allowed: &[AllowedKind]) -> Option<String> {
    let Loaded { repository, complaints, .. } = loaded(object, allowed);
    let found = complaints.iter().find(|complaint| complaint.rule == Rule::Hub);
    let key = tidegate_model::object::ObjectKey::of(object).unwrap();
    assert_eq!(
        repository.objects.contains_key(&key),
        found.is_none(),
        "an object is applied only if it may be declared"
    );
    found.map(ToString::to_string)
}

fn allowed(entry: &str) -> AllowedKind {
    serde_json::from_str(entry).unwrap()
}

#[test]
fn a_work_in_the_repository_does_not_reach_a_cluster_past_the_gates() {
    let mut work = object("work.open-cluster-management.io/v1", "ManifestWork", "aws-001", "mallory");
    let rights = json!({ "apiVersion": RBAC, "kind": "ClusterRoleBinding", "metadata": { "name": "mallory" } });
    work["spec"] = json!({ "workload": { "manifests": [rights] } });
    let why = refusal(&work, &[]).unwrap();
    assert!(why.starts_with("more.yaml:1:"), "{why}");
    assert!(why.contains("ManifestWork.work.open-cluster-management.io cannot be declared: "), "{why}");
    // Not even the operator can allow it.
    let entry = allowed(r#"{"group": "work.open-cluster-management.io", "kind": "ManifestWork"}"#);
    assert!(refusal(&work, &[entry]).is_some());
}

#[test]
fn an_application_is_refused_with_the_setting_that_reads_it() {
    for kind in ["Application", "AppDeployment", "ApplicationRevision", "ComponentDefinition"] {
        let why = refusal(&object("core.oam.dev/v1beta1", kind, "shop", "web"), &[]).unwrap();
        assert!(why.contains("write enabled = true in section [applications] of tidegate.toml"), "{why}");
        assert!(why.contains(&format!("kind = \"{kind}\"")), "{why}");
    }
    // Switched on, it would be refused as well.
    let why = refusal(&object("core.oam.dev/v1beta1", "Workflow", "shop", "web"), &[]).unwrap();
    assert!(!why.contains("[applications]"), "{why}");
}

#[test]
fn nothing_that_schedulers_agents_and_controllers_write_is_declared() {
    let placed = "cluster.open-cluster-management.io/v1beta1";
    for written in [
        object("work.open-cluster-management.io/v1alpha1", "ManifestWorkReplicaSet", "fleet", "a"),
        object(placed, "PlacementDecision", "fleet", "everywhere-decision-1"),
        object("certificates.k8s.io/v1", "CertificateSigningRequest", "", "a"),
        object("coordination.k8s.io/v1", "Lease", "open-cluster-management-hub", "a"),
        object("v1", "Event", "fleet", "a"),
    ] {
        let why = refusal(&written, &[]).unwrap_or_else(|| panic!("{written} is accepted"));
        assert!(why.contains("cannot be declared"), "{why}");
    }
}

#[test]
fn a_push_does_not_give_rights_on_the_hub() {
    let group = "rbac.authorization.k8s.io";
    for (kind, namespace) in
        [("RoleBinding", "aws-001"), ("ClusterRoleBinding", ""), ("Role", "fleet"), ("ClusterRole", "")]
    {
        let grant = object(RBAC, kind, namespace, "mallory");
        let why = refusal(&grant, &[]).unwrap_or_else(|| panic!("{kind} is accepted"));
        assert!(why.contains(&format!("a repository may not put {kind}.{group} on the hub")), "{why}");
        assert!(why.contains("[hub] kinds in the file of the daemon"), "{why}");
        let start = why.find("{ kind").unwrap();
        let entry = &why[start..=why.find(" }").unwrap() + 1];
        let entry: AllowedKind =
            toml::from_str::<toml::Table>(&format!("x = {entry}")).unwrap()["x"].clone().try_into().unwrap();
        assert_eq!(refusal(&grant, std::slice::from_ref(&entry)), None, "the entry in the message allows it: {entry}");
        let mut other = grant.clone();
        other["metadata"]["name"] = json!("another");
        assert!(refusal(&other, &[entry]).is_some(), "it allows nothing else");
    }
}

#[test]
fn plain_objects_need_the_word_of_the_operator_and_never_get_the_namespaces_of_the_hub() {
    let map = |namespace: &str| object("v1", "ConfigMap", namespace, "aws-auth");
    assert!(refusal(&map("shop"), &[]).is_some());
    let any = [allowed(r#"{"kind": "ConfigMap"}"#)];
    assert_eq!(refusal(&map("shop"), &any), None);
    for system in ["kube-system", "open-cluster-management-hub", "default", "tidegate"] {
        assert!(refusal(&map(system), &any).is_some(), "{system}");
        let named = allowed(&format!(r#"{{"kind": "ConfigMap", "namespaces": ["{system}"]}}"#));
        assert_eq!(refusal(&map(system), &[named]), None, "{system}");
    }
    let secret = object("v1", "Secret", "shop", "aws-auth");
    assert!(refusal(&secret, &any).is_some(), "the entry is for another kind");
}

#[test]
fn a_repository_may_declare_namespaces_but_not_those_of_the_hub() {
    let namespace = |name: &str| object("v1", "Namespace", "", name);
    assert_eq!(refusal(&namespace("fleet-addons"), &[]), None);
    for system in
        ["kube-system", "default", "open-cluster-management", "open-cluster-management-hub", "openshift-config"]
    {
        let why = refusal(&namespace(system), &[]).unwrap_or_else(|| panic!("{system} is accepted"));
        assert!(why.contains(&format!("namespace {system:?} belongs to the hub")), "{why}");
    }
}

#[test]
fn configurations_of_add_ons_are_declared_unless_their_kind_has_another_meaning_for_the_hub() {
    let configured_by = |api_version: &str, kind: &str, resource: &str, namespace: &str| {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        let mut tree = with("more.yaml", &object(api_version, kind, namespace, "settings").to_string());
        let place = if namespace.is_empty() { String::new() } else { format!("\n      namespace: {namespace}") };
        let more = format!(
            "  defaultConfigs:\n    - group: {group:?}\n      resource: {resource}{place}\n      name: settings\n"
        );
        edit(&mut tree, "addon.yaml", "  defaultConfigs:\n", &more);
        load(&tree, "").complaints.iter().find(|complaint| complaint.rule == Rule::Hub).map(ToString::to_string)
    };
    assert_eq!(configured_by("example.com/v1", "Widget", "widgets", ""), None);
    assert_eq!(configured_by("v1", "ConfigMap", "configmaps", "fleet"), None);
    for (api_version, kind, resource, namespace) in [
        ("v1", "ConfigMap", "configmaps", "kube-system"),
        ("v1", "Secret", "secrets", "fleet"),
        (RBAC, "RoleBinding", "rolebindings", "fleet"),
        ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", ""),
        ("operator.open-cluster-management.io/v1", "ClusterManager", "clustermanagers", ""),
    ] {
        assert!(configured_by(api_version, kind, resource, namespace).is_some(), "{kind} in {namespace:?}");
    }
}

/// Loads the good repository with a role, and a template that gives it to its agents.
fn with_role(role: &Value, permission: &Value) -> Tree {
    let mut tree = with("role.yaml", &role.to_string());
    let registration = json!([{ "type": "KubeClient", "kubeClient": { "hubPermissions": [permission] } }]);
    let more = format!("  addonName: hello\n  registration: {registration}\n");
    edit(&mut tree, "template.yaml", "  addonName: hello\n", &more);
    tree
}

fn role_refusal(change: &dyn Fn(&mut Value), permission: &Value) -> Option<String> {
    let mut role = object(RBAC, "ClusterRole", "", "hello-agent");
    role["rules"] = json!([
        { "apiGroups": ["example.com"], "resources": ["widgets", "widgets/status"], "verbs": ["get", "list", "watch", "patch"] },
        { "apiGroups": [""], "resources": ["secrets", "events"], "verbs": ["create", "update"] },
        { "apiGroups": ["addon.open-cluster-management.io"], "resources": ["managedclusteraddons"], "verbs": ["get"] },
    ]);
    change(&mut role);
    let complaints = load(&with_role(&role, permission), "").complaints;
    complaints.iter().find(|complaint| complaint.rule == Rule::Hub).map(ToString::to_string)
}

#[test]
fn a_role_for_agents_in_the_namespace_of_their_own_cluster_is_declared_if_it_leads_no_further() {
    let current = json!({ "type": "CurrentCluster", "currentCluster": { "clusterRoleName": "hello-agent" } });
    assert_eq!(role_refusal(&|_| {}, &current), None);
    let rule = |group: &str, resource: &str, verb: &str| {
        let rule = json!({ "apiGroups": [group], "resources": [resource], "verbs": [verb] });
        role_refusal(&|role| role["rules"] = json!([rule.clone()]), &current)
    };
    let refused = [
        ("*", "widgets", "get"),
        ("example.com", "*", "get"),
        ("example.com", "widgets", "*"),
        ("work.open-cluster-management.io", "manifestworks", "create"),
        ("addon.open-cluster-management.io", "managedclusteraddons", "patch"),
        ("rbac.authorization.k8s.io", "rolebindings", "create"),
        ("rbac.authorization.k8s.io", "clusterroles", "bind"),
        ("certificates.k8s.io", "signers", "approve"),
        ("", "serviceaccounts/token", "create"),
        ("", "users", "impersonate"),
        ("", "pods/exec", "get"),
    ];
    for (group, resource, verb) in refused {
        let why = rule(group, resource, verb).unwrap_or_else(|| panic!("{verb} on {resource}.{group} is accepted"));
        assert!(why.contains("a repository may not declare a role like this one: "), "{why}");
    }
    let label = |role: &mut Value| {
        role["metadata"]["labels"] = json!({ "rbac.authorization.k8s.io/aggregate-to-admin": "true" });
    };
    assert!(role_refusal(&label, &current).unwrap().contains("combined with those of other roles"));
    assert!(role_refusal(&|role| role["aggregationRule"] = json!({}), &current).is_some());
    assert!(
        role_refusal(&|role| role["rules"] = json!([{ "nonResourceURLs": ["/metrics"], "verbs": ["get"] }]), &current)
            .is_some()
    );
}

#[test]
fn a_role_that_the_agents_of_all_clusters_share_needs_the_word_of_the_operator() {
    let role = json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "hello-agent" });
    let shared = json!({ "type": "SingleNamespace", "singleNamespace": { "namespace": "fleet", "roleRef": role } });
    let why = role_refusal(&|_| {}, &shared).unwrap();
    assert!(why.contains("a repository may not put ClusterRole.rbac.authorization.k8s.io on the hub"), "{why}");
}
