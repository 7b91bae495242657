//! The rights of work agents: what objects need, what agents have, and the role that adds the rest.

mod forbidden;
mod rules;

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};

use tidegate_delivery::{Access, Applied, allowing, held, missing, needed};

fn access(group: &str, resource: &str, name: &str, verb: &str) -> Access {
    let [group, resource, name, verb] = [group, resource, name, verb].map(str::to_owned);
    Access { group, resource, name, verb, namespace: "default".to_owned() }
}

fn object(api_version: &str, kind: &str, name: &str) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "namespace": "default", "name": name } })
}

/// Returns what an agent with OCM's roles lacks for an object.
fn lacks(object: &Value, resource: &str) -> Vec<Access> {
    missing(needed(Applied { object, resource, is_watched: false }), &held())
}

fn verbs(requests: &[Access]) -> Vec<&str> {
    requests.iter().map(|access| access.verb.as_str()).collect()
}

fn rules(requests: &[Access]) -> Vec<Value> {
    allowing(requests).rules.iter().map(|rule: &PolicyRule| json!(rule)).collect()
}

#[test]
fn what_kubernetes_and_ocm_give_every_agent_is_not_asked_for() {
    for (api_version, kind, resource) in [
        ("v1", "ConfigMap", "configmaps"),
        ("v1", "Secret", "secrets"),
        ("v1", "Namespace", "namespaces"),
        ("apps/v1", "Deployment", "deployments"),
        ("batch/v1", "CronJob", "cronjobs"),
        ("networking.k8s.io/v1", "Ingress", "ingresses"),
        ("rbac.authorization.k8s.io/v1", "Role", "roles"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles"),
        ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings"),
        ("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses"),
        ("monitoring.coreos.com/v1", "ServiceMonitor", "servicemonitors"),
    ] {
        assert_eq!(lacks(&object(api_version, kind, "a"), resource), [], "{kind}");
    }
}

#[test]
fn what_is_given_only_in_part_is_asked_for_in_part() {
    let quota = lacks(&object("v1", "ResourceQuota", "a"), "resourcequotas");
    assert_eq!(verbs(&quota), ["create", "update", "patch", "delete"]);
    let hook = object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "a");
    assert_eq!(verbs(&lacks(&hook, "validatingwebhookconfigurations")), ["delete"]);
    let definition = object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "rollouts.example.com");
    let lacking = lacks(&definition, "customresourcedefinitions");
    assert_eq!(verbs(&lacking), ["patch"]);
    // Its name is fixed, and nothing else is missing.
    assert_eq!(
        rules(&lacking),
        [json!({
            "apiGroups": ["apiextensions.k8s.io"], "resources": ["customresourcedefinitions"],
            "resourceNames": ["rollouts.example.com"], "verbs": ["get", "patch"],
        })]
    );
}

#[test]
fn an_object_that_stays_on_the_cluster_is_never_deleted() {
    let mut kept = object("example.com/v1", "Database", "a");
    kept["metadata"]["annotations"] = json!({ "addon.open-cluster-management.io/deletion-orphan": "" });
    assert_eq!(verbs(&lacks(&kept, "databases")), ["get", "create", "update", "patch"]);
    let watched = needed(Applied { object: &kept, resource: "databases", is_watched: true });
    assert_eq!(verbs(&watched), ["get", "create", "update", "patch", "list", "watch"]);
}

#[test]
fn a_role_and_a_binding_need_a_power_that_is_never_printed() {
    let role = object("rbac.authorization.k8s.io/v1", "ClusterRole", "r");
    let mut binding = object("rbac.authorization.k8s.io/v1", "RoleBinding", "b");
    binding["roleRef"] = json!({ "kind": "ClusterRole", "name": "cluster-admin" });
    let all = |object, resource| needed(Applied { object, resource, is_watched: false });
    let powers: Vec<Access> = [all(&role, "clusterroles"), all(&binding, "rolebindings")].concat();
    // An agent without any right, as if OCM's roles were removed.
    let allowing = allowing(&powers);
    let refused: Vec<String> = allowing.refused.iter().map(ToString::to_string).collect();
    let refusals = [
        "escalate clusterroles.rbac.authorization.k8s.io in namespace default",
        "bind clusterroles.rbac.authorization.k8s.io in namespace default",
    ];
    assert_eq!(refused, refusals);
    let printed = json!(allowing.rules).to_string();
    assert!(!printed.contains("bind\"") && !printed.contains("escalate") && !printed.contains('*'), "{printed}");
}

#[test]
fn a_name_that_would_be_a_wildcard_is_refused() {
    for resource in ["*", "", "a b", "pods,secrets", "\u{202e}pods"] {
        let refused = allowing(&[access("example.com", resource, "a", "get")]);
        assert_eq!((refused.rules.len(), refused.refused.len()), (0, 1), "{resource:?}");
    }
    assert_eq!(allowing(&[access("*", "pods", "a", "get")]).refused.len(), 1);
}

#[test]
fn objects_without_an_identity_need_nothing() {
    for broken in
        [json!(null), json!([]), json!({ "kind": "Pod" }), json!({ "apiVersion": 1, "kind": {}, "metadata": [] })]
    {
        assert_eq!(needed(Applied { object: &broken, resource: "pods", is_watched: true }), []);
    }
}
