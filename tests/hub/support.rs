//! Helpers for the tests of the hub: the kinds of an OCM hub, objects, and waiting.

use std::collections::BTreeSet;
use std::time::Duration;

use prometheus_client::registry::Registry;
use serde_json::{Value, json};
use tidegate_api::key::{ADDON_GROUP, ADDON_NAME, CLUSTER_GROUP, OWNED_LABEL, WORK_GROUP};
use tidegate_daemon::hub::{Hub, Metrics, Options};
use tidegate_model::object::GroupKind;

use super::server::{Kind, Server};

pub(super) fn ocm_kinds(stored: &'static str) -> Vec<Kind> {
    let kind = |group, versions: &[&'static str], kind, plural, namespaced| Kind {
        group,
        versions: versions.to_vec(),
        stored: if group == ADDON_GROUP { stored } else { versions[0] },
        kind,
        plural,
        namespaced,
    };
    let addon = &["v1beta1", "v1alpha1"];
    vec![
        kind(ADDON_GROUP, addon, "ClusterManagementAddOn", "clustermanagementaddons", false),
        kind(ADDON_GROUP, addon, "ManagedClusterAddOn", "managedclusteraddons", true),
        kind(ADDON_GROUP, addon, "AddOnTemplate", "addontemplates", false),
        kind(ADDON_GROUP, addon, "AddOnDeploymentConfig", "addondeploymentconfigs", true),
        kind(CLUSTER_GROUP, &["v1"], "ManagedCluster", "managedclusters", false),
        kind(CLUSTER_GROUP, &["v1beta2"], "ManagedClusterSet", "managedclustersets", false),
        kind(CLUSTER_GROUP, &["v1beta2"], "ManagedClusterSetBinding", "managedclustersetbindings", true),
        kind(CLUSTER_GROUP, &["v1beta1"], "Placement", "placements", true),
        kind(CLUSTER_GROUP, &["v1beta1"], "PlacementDecision", "placementdecisions", true),
        kind(CLUSTER_GROUP, &["v1alpha1"], "AddOnPlacementScore", "addonplacementscores", true),
        kind(WORK_GROUP, &["v1"], "ManifestWork", "manifestworks", true),
        kind("", &["v1"], "Namespace", "namespaces", false),
        kind("", &["v1"], "ConfigMap", "configmaps", true),
    ]
}

/// A hub and its server.
pub(super) struct Setup {
    pub(super) server: Server,
    pub(super) hub: Hub,
    pub(super) registry: Registry,
}

impl Setup {
    pub(super) async fn on(server: Server) -> Self {
        Self::with(server, Options::default()).await
    }

    pub(super) async fn with(server: Server, options: Options) -> Self {
        let mut registry = Registry::default();
        let metrics = Metrics::register(&mut registry);
        let hub = Hub::connect(server.client(), options, metrics).await.unwrap();
        hub.synced(Duration::from_secs(5)).await.unwrap();
        Self { server, hub, registry }
    }

    /// Returns the sum of a counter over its labels.
    pub(super) fn count(&self, counter: &str) -> u64 {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry).unwrap();
        let lines = text.lines().filter(|line| line.starts_with(counter) && !line.starts_with('#'));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    }
}

pub(super) fn server() -> Server {
    Server::new(ocm_kinds("v1alpha1"))
}

pub(super) async fn setup() -> Setup {
    Setup::on(server()).await
}

/// Waits for something to become true, in virtual time.
pub(super) async fn eventually(what: &str, mut is_true: impl FnMut() -> bool) {
    for _ in 0..2_000 {
        if is_true() {
            return;
        }
        tokio::time::advance(Duration::from_millis(50)).await;
        tokio::task::yield_now().await;
    }
    panic!("timed out waiting until {what}");
}

pub(super) fn config_maps() -> BTreeSet<GroupKind> {
    BTreeSet::from([GroupKind::new("", "ConfigMap")])
}

pub(super) fn cluster(name: &str) -> Value {
    json!({ "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster", "metadata": { "name": name },
        "spec": { "hubAcceptsClient": true } })
}

pub(super) fn namespace(name: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } })
}

pub(super) fn config_map(name: &str, data: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "namespace": "east", "name": name, "labels": { OWNED_LABEL: "true" } }, "data": { "key": data } })
}

pub(super) fn cluster_addon(cluster: &str) -> Value {
    json!({ "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn",
        "metadata": { "namespace": cluster, "name": "hello" }, "spec": {} })
}

pub(super) fn work(cluster: &str, name: &str) -> Value {
    json!({ "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": { "namespace": cluster, "name": name, "labels": { ADDON_NAME: "hello" } },
        "spec": { "workload": { "manifests": [{ "metadata": { "creationTimestamp": null } }] } } })
}
