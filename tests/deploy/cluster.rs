//! What the cluster makes of the manifests.

use serde_json::{Value, json};
use tidegate_api::schema::builtin;
use tidegate_api::schema::check::misfits;

use super::chart::objects;

/// Values that switch everything on.
fn everything() -> Value {
    json!({
        "image": { "digest": format!("sha256:{}", "0".repeat(64)), "pullSecrets": ["registry"] },
        "config": "[webhook]\nlisten = \"0.0.0.0:8081\"\n",
        "secrets": ["forge"],
        "webhook": { "port": 8081 },
        "rbac": { "extraRules": [{ "apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"] }] },
        "priorityClassName": "system-cluster-critical",
        "nodeSelector": { "role": "infra" },
        "tolerations": [{ "key": "infra", "operator": "Exists" }],
        "affinity": { "nodeAffinity": {} },
        "podAnnotations": { "a": "b" },
        "podLabels": { "team": "platform" },
    })
}

/// Values that switch everything off.
fn nothing() -> Value {
    json!({
        "source": { "tokenSecret": { "name": "" } },
        "networkPolicy": { "enabled": false },
        "disruptionBudget": { "enabled": false },
        "resources": {},
    })
}

fn only(objects: &[Value], kind: &str) -> Value {
    let mut found = objects.iter().filter(|object| object["kind"] == kind);
    let object = found.next().unwrap_or_else(|| panic!("there is no {kind}"));
    assert!(found.next().is_none(), "there are two of {kind}");
    object.clone()
}

#[test]
fn every_object_fits_the_schema_of_its_kind() {
    for changes in [json!({}), everything(), nothing()] {
        for object in objects(&changes) {
            let (version, kind) = (object["apiVersion"].as_str().unwrap(), object["kind"].as_str().unwrap());
            let (group, version) = version.split_once('/').unwrap_or(("", version));
            let schema =
                builtin::of_kind(group, version, kind).unwrap_or_else(|| panic!("{group} {kind} has no schema"));
            let found: Vec<String> =
                misfits(&object, schema).into_iter().map(|(path, why)| format!("{path}: {why:?}")).collect();
            assert!(found.is_empty(), "{kind}: {found:?}");
        }
    }
}

#[test]
fn the_pod_runs_without_privileges_on_a_read_only_root() {
    for changes in [json!({}), everything(), nothing()] {
        let pod = only(&objects(&changes), "Deployment")["spec"]["template"]["spec"].clone();
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        assert_eq!(pod["securityContext"]["runAsUser"], 65532);
        assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
        let container = &pod["containers"][0]["securityContext"];
        assert_eq!(container["readOnlyRootFilesystem"], true);
        assert_eq!(container["allowPrivilegeEscalation"], false);
        assert_eq!(container["capabilities"], json!({ "drop": ["ALL"] }));
        // What is mounted exists, and each volume is mounted.
        let names = |list: &Value| -> Vec<String> {
            let mut names: Vec<String> = list.as_array().unwrap().iter().map(|item| item["name"].to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&pod["volumes"]), names(&pod["containers"][0]["volumeMounts"]));
    }
}

#[test]
fn openshift_may_choose_the_user() {
    let changes = json!({ "podSecurityContext": { "runAsUser": null, "runAsGroup": null, "fsGroup": null } });
    let pod = only(&objects(&changes), "Deployment")["spec"]["template"]["spec"].clone();
    let expected = json!({ "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } });
    assert_eq!(pod["securityContext"], expected);
}

#[test]
fn every_selector_finds_the_pods_and_every_port_exists() {
    let objects = objects(&everything());
    let template = only(&objects, "Deployment")["spec"]["template"].clone();
    let labels = template["metadata"]["labels"].as_object().unwrap().clone();
    let selects =
        |selector: &Value| selector.as_object().unwrap().iter().all(|(name, value)| labels.get(name) == Some(value));
    assert!(selects(&only(&objects, "Deployment")["spec"]["selector"]["matchLabels"]));
    assert!(selects(&only(&objects, "NetworkPolicy")["spec"]["podSelector"]["matchLabels"]));
    assert!(selects(&only(&objects, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"]));
    let ports: Vec<&Value> =
        template["spec"]["containers"][0]["ports"].as_array().unwrap().iter().map(|port| &port["name"]).collect();
    let services: Vec<&Value> = objects.iter().filter(|object| object["kind"] == "Service").collect();
    assert_eq!(services.len(), 2);
    for service in services {
        assert!(selects(&service["spec"]["selector"]));
        assert!(ports.contains(&&service["spec"]["ports"][0]["targetPort"]), "{service}");
    }
    for rule in only(&objects, "NetworkPolicy")["spec"]["ingress"].as_array().unwrap() {
        assert!(ports.contains(&&rule["ports"][0]["port"]), "{rule}");
    }
}

#[test]
fn the_lease_is_the_one_that_the_role_allows() {
    let objects = objects(&json!({}));
    let role = only(&objects, "Role");
    let container = only(&objects, "Deployment")["spec"]["template"]["spec"]["containers"][0].clone();
    let lease =
        container["env"].as_array().unwrap().iter().find(|variable| variable["name"] == "TIDEGATE_LEASE").unwrap();
    let (namespace, name) = lease["value"].as_str().unwrap().split_once('/').unwrap();
    assert_eq!(role["metadata"]["namespace"], namespace);
    assert_eq!(role["rules"][1]["resourceNames"], json!([name]));
}
