//! The hub with kube's typed client.

use std::time::Duration;

use futures::StreamExt as _;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use serde_json::json;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::placement::Placement;
use tokio::sync::mpsc;

use super::support::*;
use crate::watcher::{self, Change, Initial};

#[tokio::test]
async fn typed_objects_can_be_created_and_read() {
    let client = hub().client();
    let clusters: Api<ManagedCluster> = Api::all(client.clone());
    let cluster: ManagedCluster = serde_json::from_value(json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
        "metadata": { "name": "a" }, "spec": { "hubAcceptsClient": true },
    }))
    .unwrap();
    let created = clusters.create(&PostParams::default(), &cluster).await.unwrap();
    assert_eq!(created.spec.lease_duration_seconds, Some(60));
    assert_eq!(clusters.get("a").await.unwrap(), created);
    assert_eq!(clusters.get_opt("b").await.unwrap(), None);
    let names: Vec<String> =
        clusters.list(&ListParams::default()).await.unwrap().into_iter().filter_map(|c| c.metadata.name).collect();
    assert_eq!(names, ["a"]);
    assert!(clusters.delete("a", &DeleteParams::default()).await.unwrap().is_right());
}

#[tokio::test]
async fn refusals_arrive_as_statuses() {
    let client = hub().client();
    let placements: Api<Placement> = Api::namespaced(client.clone(), "nosuch");
    let placement = Placement::new("p", Default::default());
    let refused = placements.create(&PostParams::default(), &placement).await.unwrap_err();
    let kube::Error::Api(status) = refused else { panic!("{refused}") };
    assert_eq!((status.code, status.reason.as_str()), (404, "NotFound"));
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    let map = ConfigMap::default();
    let kube::Error::Api(status) = maps.create(&PostParams::default(), &map).await.unwrap_err() else { panic!() };
    assert_eq!((status.code, status.reason.as_str()), (422, "Invalid"));
}

#[tokio::test]
async fn apply_and_status_work_with_types() {
    let client = hub().client();
    let clusters: Api<ManagedCluster> = Api::all(client);
    let apply = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
        "metadata": { "name": "a" }, "spec": { "hubAcceptsClient": true },
    });
    let parameters = PatchParams::apply("test").force();
    clusters.patch("a", &parameters, &Patch::Apply(&apply)).await.unwrap();
    let status = json!({ "status": { "version": { "kubernetes": "v1.33.1" } } });
    let cluster = clusters.patch_status("a", &PatchParams::default(), &Patch::Merge(&status)).await.unwrap();
    assert_eq!(cluster.status.unwrap().version.unwrap().kubernetes.as_deref(), Some("v1.33.1"));
    let applied = clusters.patch("a", &parameters, &Patch::Apply(&apply)).await.unwrap();
    assert!(applied.status.is_some());
}

#[tokio::test]
async fn a_lease_can_be_renewed_only_at_its_current_revision() {
    let leases: Api<Lease> = Api::default_namespaced(hub().client());
    let lease = |holder: &str| -> Lease {
        serde_json::from_value(json!({ "metadata": { "name": "l" }, "spec": { "holderIdentity": holder } })).unwrap()
    };
    let created = leases.create(&PostParams::default(), &lease("me")).await.unwrap();
    let mut renewed = lease("me");
    renewed.metadata.resource_version = created.metadata.resource_version.clone();
    renewed.spec.as_mut().unwrap().lease_transitions = Some(1);
    leases.replace("l", &PostParams::default(), &renewed).await.unwrap();
    let mut late = lease("you");
    late.metadata.resource_version = created.metadata.resource_version;
    let refused = leases.replace("l", &PostParams::default(), &late).await.unwrap_err();
    assert!(matches!(&refused, kube::Error::Api(status) if status.code == 409), "{refused}");
}

/// Returns what a client sees of config maps. It creates `b` and deletes `a` once it has the list.
async fn followed(initial: Initial) -> Vec<String> {
    let hub = hub();
    let maps: Api<ConfigMap> = Api::default_namespaced(hub.client());
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let (changes, mut changed) = mpsc::unbounded_channel();
    tokio::spawn(watcher::watch(maps, initial, changes));
    let mut seen = Vec::new();
    while seen.last() != Some(&"deleted a".to_owned()) {
        let change = tokio::time::timeout(Duration::from_secs(5), changed.recv()).await;
        assert!(change.is_ok(), "no change after {seen:?}");
        let name = |map: &ConfigMap| map.metadata.name.clone().unwrap();
        seen.push(match change.unwrap().unwrap() {
            Change::Listed(maps) => {
                ask(&hub, "POST", CONFIG_MAPS, config_map("b", json!({}))).await;
                ask(&hub, "DELETE", &format!("{CONFIG_MAPS}/a"), json!(null)).await;
                format!("listed {}", maps.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            Change::Applied(map) => format!("applied {}", name(&map)),
            Change::Deleted(map) => format!("deleted {}", name(&map)),
        });
    }
    seen
}

#[tokio::test(start_paused = true)]
async fn a_watcher_that_lists_first_follows_the_hub() {
    assert_eq!(followed(Initial::Listed).await, ["listed a", "applied b", "deleted a"]);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_that_streams_its_list_follows_the_hub() {
    assert_eq!(followed(Initial::Streamed).await, ["listed a", "applied b", "deleted a"]);
}

#[tokio::test]
async fn concurrent_writers_lose_no_write() {
    let hub = hub();
    let maps: Api<ConfigMap> = Api::default_namespaced(hub.client());
    ask(&hub, "POST", CONFIG_MAPS, config_map("a", json!({}))).await;
    let writes = (0..100).map(|number| {
        let maps = maps.clone();
        async move {
            let patch = json!({ "data": { (format!("k{number}")): "1" } });
            maps.patch("a", &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap();
        }
    });
    futures::stream::iter(writes).buffer_unordered(16).collect::<Vec<()>>().await;
    assert_eq!(maps.get("a").await.unwrap().data.unwrap().len(), 100);
}

#[tokio::test]
async fn every_hub_has_the_initial_namespaces() {
    let namespaces: Api<Namespace> = Api::all(hub().client());
    let names: Vec<String> =
        namespaces.list(&ListParams::default()).await.unwrap().into_iter().filter_map(|n| n.metadata.name).collect();
    assert_eq!(names, ["default", "kube-node-lease", "kube-public", "kube-system"]);
}
