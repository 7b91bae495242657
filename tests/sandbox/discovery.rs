//! Discovery documents and tables.

use axum::http::Request;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn every_group_and_version_has_discovery_documents() {
    let hub = hub();
    assert_eq!(get(&hub, "/api").await.body["versions"], json!(["v1"]));
    assert_eq!(get(&hub, "/version").await.text("/major"), "1");
    let groups = get(&hub, "/apis").await.body;
    for group in groups["groups"].as_array().unwrap() {
        for version in group["versions"].as_array().unwrap() {
            let path = format!("/apis/{}", version["groupVersion"].as_str().unwrap());
            let resources = get(&hub, &path).await;
            assert!(!resources.body["resources"].as_array().unwrap().is_empty(), "{path}");
        }
    }
    assert_eq!(get(&hub, "/apis/nosuch.io").await.code, 404);
    assert_eq!(get(&hub, "/apis/work.open-cluster-management.io/v9").await.code, 404);
}

#[tokio::test]
async fn the_newest_stable_version_is_preferred() {
    let hub = hub();
    let group = get(&hub, "/apis/addon.open-cluster-management.io").await;
    assert_eq!(group.text("/preferredVersion/version"), "v1beta1");
}

#[tokio::test]
async fn a_resource_lists_its_short_names_and_subresources() {
    let hub = hub();
    let resources = get(&hub, "/apis/addon.open-cluster-management.io/v1alpha1").await.body;
    let resources = resources["resources"].as_array().unwrap().clone();
    let find = |name: &str| resources.iter().find(|resource| resource["name"] == json!(name)).cloned().unwrap();
    let addon = find("clustermanagementaddons");
    assert_eq!((&addon["shortNames"], &addon["namespaced"]), (&json!(["cma", "cmas"]), &json!(false)));
    assert_eq!(find("managedclusteraddons/status")["verbs"], json!(["get", "patch", "update"]));
}

async fn table(hub: &tidegate_sandbox::Sandbox, path: &str) -> Value {
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
    let request = Request::get(path).header("accept", accept).body(Vec::new()).unwrap();
    send(hub, request).await.body
}

#[tokio::test]
async fn a_table_has_the_printer_columns_of_the_crd() {
    let hub = hub();
    ask(&hub, "POST", CLUSTERS, cluster("a")).await;
    let joined = json!({
        "type": "ManagedClusterJoined", "status": "True", "reason": "R", "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    });
    ask(&hub, "PATCH merge", &format!("{CLUSTERS}/a/status"), json!({ "status": { "conditions": [joined] } })).await;
    let table = table(&hub, CLUSTERS).await;
    let columns: Vec<&str> =
        table["columnDefinitions"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(columns, ["Name", "Hub Accepted", "Managed Cluster URLs", "Joined", "Available", "Age"]);
    assert_eq!(table["rows"][0]["cells"], json!(["a", true, null, "True", null, "0s"]));
    assert_eq!(table["rows"][0]["object"]["kind"], json!("PartialObjectMetadata"));
}

#[tokio::test]
async fn an_unsupported_format_falls_back_to_the_next_accepted_one() {
    let hub = hub();
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let read = |accept: &'static str| {
        let hub = hub.clone();
        async move {
            let request = Request::get(CONFIG_MAPS).header("accept", accept).body(Vec::new()).unwrap();
            send(&hub, request).await.text("/kind").to_owned()
        }
    };
    assert_eq!(read("application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json").await, "ConfigMapList");
    let partial = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    assert_eq!(read(partial).await, "PartialObjectMetadataList");
}

#[tokio::test]
async fn aggregated_discovery_is_served() {
    let hub = hub();
    let form = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let request = |path: &str| Request::builder().uri(path).header("accept", format!("{form},application/json"));
    let groups = send(&hub, request("/apis").body(Vec::new()).unwrap()).await.body;
    assert_eq!(groups["kind"], json!("APIGroupDiscoveryList"));
    let group = groups["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|g| g["metadata"]["name"] == "cluster.open-cluster-management.io");
    let versions = group.unwrap()["versions"].as_array().unwrap();
    let names: Vec<&Value> = versions.iter().map(|version| &version["version"]).collect();
    assert_eq!(names, ["v1", "v1beta2", "v1beta1", "v1alpha1"]);
    let response = json!({ "group": "cluster.open-cluster-management.io", "version": "v1", "kind": "ManagedCluster" });
    let verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
    let expected = json!([{
        "resource": "managedclusters", "responseKind": response, "scope": "Cluster", "singularResource": "managedcluster",
        "verbs": verbs, "shortNames": ["mcl", "mcls"],
        "subresources": [{ "subresource": "status", "responseKind": response, "verbs": ["get", "patch", "update"] }],
    }]);
    assert_eq!(versions[0]["resources"], expected);
    let core = send(&hub, request("/api").body(Vec::new()).unwrap()).await.body;
    assert_eq!(core["items"][0]["versions"][0]["version"], json!("v1"));
    assert_eq!(get(&hub, "/apis").await.body["kind"], json!("APIGroupList"));
}

#[tokio::test]
async fn every_version_is_described_in_openapi() {
    let hub = hub();
    let index = get(&hub, "/openapi/v3").await.body;
    let paths = index["paths"].as_object().unwrap();
    assert!(paths.contains_key("api/v1") && paths.contains_key("apis/work.open-cluster-management.io/v1alpha1"));
    for (path, entry) in paths {
        let document = get(&hub, entry["serverRelativeURL"].as_str().unwrap()).await.body;
        assert_eq!(document["openapi"], json!("3.0.0"), "{path}");
        let schemas = document["components"]["schemas"].as_object().unwrap();
        // Every reference can be resolved.
        let text = document.to_string();
        for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{path}: {name}");
        }
        let marked = schemas.values().filter(|schema| schema.get("x-kubernetes-group-version-kind").is_some()).count();
        assert!(marked > 0, "{path}");
    }
    assert_eq!(get(&hub, "/openapi/v3/apis/nosuch/v1").await.code, 404);
}
