//! An add-on with a manager of its own, which needs no template.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};
use tidegate_api::ocm::crds;
use tidegate_sandbox::Sandbox;

use super::setup::*;
use crate::upstream::{AddonManager, DEPLOYMENT_CONFIG, Kind, OwnManager};

const SETTINGS: Kind = Kind { group: "example.com", version: "v1", kind: "Setting", plural: "settings" };

/// Returns the definition of a kind of configuration that only this add-on has.
fn settings_definition() -> CustomResourceDefinition {
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "settings.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "Setting", "listKind": "SettingList", "plural": "settings", "singular": "setting" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    });
    serde_json::from_value(definition).unwrap()
}

async fn installed() -> Setup {
    let manager = AddonManager::new(now);
    let own = OwnManager { addon: ADDON.to_owned(), configs: vec![DEPLOYMENT_CONFIG, SETTINGS] };
    manager.control(|controls| controls.own_managers.push(own));
    let definitions: Vec<_> = crds::all().unwrap().into_iter().chain([settings_definition()]).collect();
    let setup = Setup::on(Sandbox::new(&definitions, now), manager);
    let mut declared = declared("a");
    declared["metadata"]["annotations"] = json!({ "addon.open-cluster-management.io/lifecycle": "addon-manager" });
    declared["spec"]["defaultConfigs"] = json!([of_config("conf-1")]);
    setup.sandbox.seed([config("conf-1", "1"), config("conf-2", "2"), declared]).unwrap();
    setup.install("cluster1", json!([]));
    setup.settle().await;
    setup
}

fn configurations(work: &Value) -> &str {
    work["spec"]["workload"]["manifests"][0]["data"]["configurations"].as_str().unwrap()
}

/// Returns the conditions of cluster1, each as type, status and reason.
async fn conditions(setup: &Setup) -> Vec<String> {
    let status = setup.addon("cluster1").await.unwrap()["status"].clone();
    let conditions = status["conditions"].as_array().unwrap();
    let text = |condition: &Value, field: &str| condition[field].as_str().unwrap().to_owned();
    let short = |c: &Value| format!("{} {} {}", text(c, "type"), text(c, "status"), text(c, "reason"));
    let mut short: Vec<String> = conditions.iter().map(short).collect();
    short.sort();
    short
}

#[tokio::test(start_paused = true)]
async fn its_work_names_the_configurations_and_its_status_is_kept_by_both_managers() {
    let setup = installed().await;
    let work = setup.work("cluster1").await.unwrap();
    assert_eq!(configurations(&work), "conf-1");
    let managers = work["metadata"]["managedFields"].as_array().unwrap();
    assert!(managers.iter().any(|entry| entry["manager"] == "hello-template-manager"), "{managers:?}");
    let expected = [
        "Configured True ConfigurationsConfigured",
        "ManifestApplied True AddonManifestApplied",
        "Progressing False Completed",
        "RegistrationApplied True NilRegistration",
    ];
    assert_eq!(conditions(&setup).await, expected);
}

#[tokio::test(start_paused = true)]
async fn its_clusters_move_when_they_are_pinned_and_when_a_configuration_is_edited() {
    let setup = installed().await;
    setup.pin("cluster1", json!([of_config("conf-2")])).await;
    setup.settle().await;
    let moved = setup.work("cluster1").await.unwrap();
    assert_eq!(configurations(&moved), "conf-2");
    let path = "/apis/addon.open-cluster-management.io/v1beta1/namespaces/fleet-addons/addondeploymentconfigs/conf-2";
    setup.patch(path, json!({ "spec": config("conf-2", "3")["spec"] })).await;
    setup.settle().await;
    let edited = setup.work("cluster1").await.unwrap();
    assert_ne!(edited["metadata"]["annotations"], moved["metadata"]["annotations"], "the hash has changed");
    assert!(conditions(&setup).await.contains(&"Progressing False Completed".to_owned()));
    let writes = setup.manager.writes();
    setup.settle().await;
    assert_eq!(setup.manager.writes(), writes);
}

#[tokio::test(start_paused = true)]
async fn a_configuration_may_be_of_any_kind() {
    let setup = installed().await;
    setup
        .sandbox
        .seed([json!({
            "apiVersion": "example.com/v1", "kind": "Setting",
            "metadata": { "namespace": "fleet-addons", "name": "dark" }, "spec": { "mode": "dark" },
        })])
        .unwrap();
    let dark = json!({ "group": "example.com", "resource": "settings", "namespace": "fleet-addons", "name": "dark" });
    setup.pin("cluster1", json!([dark])).await;
    setup.settle().await;
    assert_eq!(configurations(&setup.work("cluster1").await.unwrap()), "conf-1 dark");
    assert!(conditions(&setup).await.contains(&"Progressing False Completed".to_owned()));
}
