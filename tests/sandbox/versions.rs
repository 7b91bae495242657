//! Conversion of objects between versions.

use serde_json::json;

use super::support::*;

fn addons(version: &str) -> String {
    format!("/apis/addon.open-cluster-management.io/{version}/clustermanagementaddons")
}

fn cluster_addons(version: &str) -> String {
    format!("/apis/addon.open-cluster-management.io/{version}/namespaces/default/managedclusteraddons")
}

#[tokio::test]
async fn an_object_can_be_read_in_both_versions() {
    let hub = hub();
    let config = json!({ "group": "example.com", "resource": "things", "name": "t", "namespace": "n" });
    let body = json!({ "metadata": { "name": "a" }, "spec": { "defaultConfigs": [config] } });
    let beta = ask(&hub, "POST", &addons("v1beta1"), body).await;
    assert_eq!(beta.code, 201, "{:?}", beta.body);
    assert_eq!(beta.body["spec"]["defaultConfigs"], json!([config]));
    let alpha = get(&hub, &format!("{}/a", addons("v1alpha1"))).await;
    assert_eq!(alpha.text("/apiVersion"), "addon.open-cluster-management.io/v1alpha1");
    let expected =
        json!([{ "group": "example.com", "resource": "things", "defaultConfig": { "name": "t", "namespace": "n" } }]);
    assert_eq!(alpha.body["spec"]["supportedConfigs"], expected);
    assert_eq!(get(&hub, &format!("{}/a", addons("v1beta1"))).await.body, beta.body);
    let listed = get(&hub, &addons("v1alpha1")).await;
    assert_eq!(listed.body["items"], json!([alpha.body]));
}

#[tokio::test]
async fn a_write_in_one_version_is_visible_in_the_other() {
    let hub = hub();
    let body = json!({ "metadata": { "name": "a" }, "spec": { "installNamespace": "here" } });
    ask(&hub, "POST", &cluster_addons("v1alpha1"), body).await;
    let path = format!("{}/a", cluster_addons("v1beta1"));
    let annotation = "addon.open-cluster-management.io/v1alpha1-install-namespace";
    assert_eq!(get(&hub, &path).await.body["metadata"]["annotations"][annotation], json!("here"));
    let patch = json!({ "metadata": { "annotations": { (annotation): "there" } } });
    let patched = ask(&hub, "PATCH merge", &path, patch).await;
    assert_eq!(patched.code, 200, "{:?}", patched.body);
    let alpha = get(&hub, &format!("{}/a", cluster_addons("v1alpha1"))).await;
    assert_eq!(alpha.text("/spec/installNamespace"), "there");
}

#[tokio::test(start_paused = true)]
async fn a_watch_sends_objects_in_its_own_version() {
    let hub = hub();
    let mut alpha = watch(&hub, &format!("{}?watch=true", addons("v1alpha1"))).await;
    let mut beta = watch(&hub, &format!("{}?watch=true", addons("v1beta1"))).await;
    ask(&hub, "POST", &addons("v1beta1"), json!({ "metadata": { "name": "a" }, "spec": {} })).await;
    for (watch, version) in [(&mut alpha, "v1alpha1"), (&mut beta, "v1beta1")] {
        let event = watch.next().await.unwrap();
        assert_eq!(event["object"]["apiVersion"], json!(format!("addon.open-cluster-management.io/{version}")));
    }
}

#[tokio::test]
async fn the_body_must_have_the_version_of_the_path() {
    let hub = hub();
    let refused = ask(&hub, "POST", &TEMPLATES.replace("v1alpha1", "v1beta1"), template("t", "i")).await;
    assert_eq!(refused.refusal(), (400, "BadRequest"));
    assert!(refused.text("/message").contains("does not match the expected API version"));
}
