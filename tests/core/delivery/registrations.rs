//! Tests of the registration of agents, and of their permissions on the hub.

use serde_json::{Value, json};

use tidegate_api::ocm::addon_template::TemplateRegistration;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::{Agent, Permissions, Unpermitted, merged_registrations, permissions};

use super::builders::hello;

const ONE: &str = "system:open-cluster-management:cluster:east:addon:hello";
const ALL: &str = "system:open-cluster-management:addon:hello";

fn entries(registration: Value) -> Vec<TemplateRegistration> {
    serde_json::from_value(registration).unwrap()
}

fn registrations(registration: Value) -> Value {
    let (addon, cluster) = (hello(), "east".parse().unwrap());
    json!(Agent { addon: &addon, cluster: &cluster }.registrations(&entries(registration)))
}

#[test]
fn an_agent_gets_the_subject_that_the_hub_expects() {
    let subject = json!({"user": format!("{ONE}:agent:hello-agent"), "groups": [ONE, ALL]});
    let signer = json!({"signerName": "a.io/b", "signingCA": {"name": "ca"}});
    assert_eq!(
        registrations(json!([{"type": "KubeClient"}, {"type": "CustomSigner", "customSigner": signer}])),
        json!([
            {"type": "kubeClient", "kubeClient": {"subject": subject}},
            {"type": "customSigner", "customSigner": {"signerName": "a.io/b", "subject": subject}},
        ])
    );
}

#[test]
fn a_subject_in_the_template_replaces_the_default_as_a_whole() {
    let signer = json!({"signerName": "a.io/b", "signingCA": {"name": "ca"}, "subject": {"organizationUnit": ["ou"]}});
    assert_eq!(
        registrations(json!([{"type": "CustomSigner", "customSigner": signer}])),
        json!([{"type": "customSigner", "customSigner": {"signerName": "a.io/b", "subject": {"organizationUnits": ["ou"]}}}])
    );
}

#[test]
fn invalid_entries_are_left_out() {
    assert_eq!(registrations(json!([{"type": "CustomSigner"}, {"type": "Token"}])), json!([]));
}

fn addon(registrations: Value) -> ManagedClusterAddOn {
    serde_json::from_value(json!({
        "metadata": {"name": "hello", "namespace": "east", "uid": "u"},
        "spec": {},
        "status": {"registrations": registrations},
    }))
    .unwrap()
}

fn granted(hub_permissions: Value, status: Value) -> Permissions {
    let registration = json!([{"type": "KubeClient", "kubeClient": {"hubPermissions": hub_permissions}}]);
    let addon = addon(status);
    let known = &addon.status.as_ref().unwrap().registrations;
    let (name, cluster) = (hello(), "east".parse().unwrap());
    let identities = Agent { addon: &name, cluster: &cluster }.identities(known);
    permissions(&addon, &cluster, &entries(registration), &identities)
}

/// What Tidegate writes into the status for an agent that uses certificates.
fn known() -> Value {
    registrations(json!([{"type": "KubeClient"}]))
}

/// What an agent that uses tokens writes into the status.
fn with_token(subject: Value) -> Value {
    json!([{"type": "kubeClient", "kubeClient": {"driver": "token", "subject": subject}}])
}

/// Returns the kinds and names of the subjects of each binding.
fn subjects(permissions: &Permissions) -> Vec<Vec<String>> {
    let subjects = permissions.bindings.iter().map(|binding| binding.subjects.iter().flatten());
    subjects.map(|subjects| subjects.map(|subject| format!("{} {}", subject.kind, subject.name)).collect()).collect()
}

fn here(role: &str) -> Value {
    json!({"type": "CurrentCluster", "currentCluster": {"clusterRoleName": role}})
}

fn there(namespace: &str, kind: &str, role: &str) -> Value {
    let role = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role});
    json!({"type": "SingleNamespace", "singleNamespace": {"namespace": namespace, "roleRef": role}})
}

#[test]
fn a_permission_binds_the_agent_in_its_namespace() {
    let permissions = granted(json!([here("r"), there("ns", "Role", "s")]), known());
    let subject = |kind: &str, name: &str| json!({"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name});
    let binding = |name: &str, namespace: &str, owners: Value, role: Value, subjects: Value| {
        let labels = json!({"open-cluster-management.io/addon-name": "hello", "open-cluster-management.io/addon-template-name": ""});
        let mut binding = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": {"name": name, "namespace": namespace, "labels": labels},
            "roleRef": role,
            "subjects": subjects,
        });
        if !owners.is_null() {
            binding["metadata"]["ownerReferences"] = owners;
        }
        binding
    };
    let owners = json!([
        {"apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn", "name": "hello", "uid": "u"},
    ]);
    let own = json!([subject("User", &format!("{ONE}:agent:hello-agent")), subject("Group", ONE)]);
    let shared = json!([subject("Group", ALL)]);
    let expected = json!([
        binding("open-cluster-management:hello:clusterrole:agent", "east", owners, subject("ClusterRole", "r"), own),
        binding("open-cluster-management:hello:role:agent", "ns", Value::Null, subject("Role", "s"), shared),
    ]);
    assert_eq!(json!(permissions.bindings), expected);
    assert_eq!(permissions.problem, None);
}

#[test]
fn the_later_of_two_roles_of_one_kind_in_one_namespace_wins() {
    let permissions = granted(json!([here("r"), there("east", "ClusterRole", "s")]), known());
    assert_eq!(permissions.bindings.len(), 1);
    assert_eq!(permissions.bindings[0].role_ref.name, "s");
    assert!(permissions.bindings[0].metadata.owner_references.is_some());
}

#[test]
fn nothing_is_bound_after_an_incomplete_permission() {
    let incomplete = json!([there("ns", "Role", "s"), {"type": "CurrentCluster"}, here("r")]);
    let permissions = granted(incomplete, known());
    assert_eq!(permissions.bindings.len(), 1);
    assert_eq!(permissions.problem, Some(Unpermitted::NoClusterRole));
    let permissions = granted(json!([{"type": "SingleNamespace"}]), known());
    assert_eq!(permissions.problem, Some(Unpermitted::NoNamespace));
}

#[test]
fn an_agent_without_a_subject_gets_no_permissions() {
    let nobody = with_token(Value::Null);
    let second = json!([{"type": "kubeClient"}, {"type": "kubeClient", "kubeClient": {"subject": {"user": "u"}}}]);
    for status in [json!([]), nobody, second] {
        let permissions = granted(json!([here("r")]), status);
        assert_eq!(permissions, Permissions { bindings: vec![], problem: Some(Unpermitted::NoSubject) });
    }
}

#[test]
fn the_agent_of_one_cluster_gets_nothing_in_the_namespace_of_another() {
    let permissions = granted(json!([here("r")]), known());
    assert_eq!(subjects(&permissions), [[format!("User {ONE}:agent:hello-agent"), format!("Group {ONE}")]]);
    assert!(!format!("{:?}", permissions.bindings).contains(ALL), "this group has the agents of all clusters");
}

#[test]
fn an_agent_cannot_give_its_permissions_to_anyone_else_through_its_status() {
    let permissions = json!([here("r"), there("ns", "Role", "s")]);
    let account = "User system:serviceaccount:east:hello-agent";
    let others = [
        json!({"user": "eve", "groups": ["system:unauthenticated"]}),
        json!({"user": "system:serviceaccount:west:hello-agent"}),
        json!({"user": "system:serviceaccount:east:other-agent", "groups": [ALL, "system:masters"]}),
    ];
    for subject in others {
        let bound = granted(permissions.clone(), with_token(subject));
        assert_eq!((subjects(&bound), bound.problem), (vec![vec![account.to_owned()]; 2], None));
    }

    // The same with certificates, whose subject is never read from the status.
    let subject = json!({"user": "eve", "groups": ["system:unauthenticated"]});
    let certificate = json!([{"type": "kubeClient", "kubeClient": {"driver": "csr", "subject": subject}}]);
    let bound = granted(permissions, certificate);
    assert_eq!(subjects(&bound)[1], [format!("Group {ALL}")]);
    assert!(!format!("{:?}", bound.bindings).contains("unauthenticated"));
}

/// Merges a wanted registration with the hub's API server and one with a signer into observed ones.
fn merged(observed: Value) -> Value {
    let (addon, cluster) = (hello(), "east".parse().unwrap());
    let signer = json!({"signerName": "a.io/b", "signingCA": {"name": "ca"}});
    let template = entries(json!([{"type": "CustomSigner", "customSigner": signer}, {"type": "KubeClient"}]));
    let wanted = Agent { addon: &addon, cluster: &cluster }.registrations(&template);
    json!(merged_registrations(wanted, &serde_json::from_value::<Vec<_>>(observed).unwrap()))
}

#[test]
fn what_the_agent_wrote_into_its_registration_stays() {
    let fresh = merged(json!([]));
    assert_eq!(merged(fresh.clone()), fresh);
    let mut csr = fresh.clone();
    csr[1]["kubeClient"]["driver"] = json!("csr");
    assert_eq!(merged(csr.clone()), csr);
    let mut token = csr.clone();
    token[1]["kubeClient"]["driver"] = json!("token");
    token[1]["kubeClient"]["subject"] = json!({"user": "system:serviceaccount:east:hello-agent"});
    assert_eq!(merged(token.clone()), token);
}

#[test]
fn only_the_driver_of_an_agent_with_certificates_stays() {
    let fresh = merged(json!([]));
    let mut csr = fresh.clone();
    csr[1]["kubeClient"]["driver"] = json!("csr");
    let mut changed = csr.clone();
    changed[1]["kubeClient"]["subject"] = json!({"user": "someone"});
    changed[0]["customSigner"]["subject"] = json!({"user": "someone"});
    changed.as_array_mut().unwrap().push(json!({"type": "customSigner", "customSigner": {"signerName": "old.io/b"}}));
    assert_eq!(merged(changed), csr);
}
