//! Which rules of a role the role of Tidegate contains.

use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};
use tidegate::doctor::missing;

fn is_missing(rule: &Value) -> bool {
    let rule: PolicyRule = serde_json::from_value(rule.clone()).unwrap();
    !missing(&[rule]).is_empty()
}

/// Returns the rule to approve certificates of these signers.
fn signer(names: &[&str]) -> Value {
    let (groups, resources) = (["certificates.k8s.io"], ["signers"]);
    json!({ "apiGroups": groups, "resources": resources, "resourceNames": names, "verbs": ["approve"] })
}

#[test]
fn a_rule_is_contained_if_every_verb_on_every_resource_is() {
    let contained = [
        json!({ "apiGroups": [""], "resources": ["namespaces", "events"], "verbs": ["create", "patch"] }),
        json!({ "apiGroups": [""], "resources": ["namespaces"], "resourceNames": ["one"], "verbs": ["delete"] }),
        json!({ "apiGroups": [""], "resources": ["namespaces"], "verbs": [] }),
        signer(&["kubernetes.io/kube-apiserver-client"]),
    ];
    for rule in contained {
        assert!(!is_missing(&rule), "{rule}");
    }
    let missing = [
        json!({ "apiGroups": [""], "resources": ["namespaces", "events"], "verbs": ["list"] }),
        json!({ "apiGroups": ["", "apps"], "resources": ["namespaces"], "verbs": ["list"] }),
        json!({ "apiGroups": ["*"], "resources": ["namespaces"], "verbs": ["list"] }),
        json!({ "apiGroups": [""], "resources": ["*"], "verbs": ["list"] }),
        json!({ "apiGroups": [""], "resources": ["namespaces"], "verbs": ["*"] }),
        json!({ "apiGroups": [""], "resources": ["namespaces/status"], "verbs": ["patch"] }),
        signer(&[]),
        signer(&["kubernetes.io/kube-apiserver-client", "example.com/own"]),
        json!({ "nonResourceURLs": ["/metrics"], "verbs": ["get"] }),
        json!({ "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "verbs": ["bind"] }),
    ];
    for rule in missing {
        assert!(is_missing(&rule), "{rule}");
    }
}
