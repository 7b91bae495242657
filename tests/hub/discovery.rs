//! Discovery of kinds and versions.

use serde_json::json;
use tidegate_daemon::hub::{Error, Hub, Metrics, Options};
use tidegate_model::object::GroupKind;

use super::server::{Kind, Server};
use super::support::{Setup, cluster, eventually, ocm_kinds, server};

#[tokio::test(start_paused = true)]
async fn missing_kind_is_reported_with_the_way_to_install_it() {
    let server = Server::new(ocm_kinds("v1alpha1").into_iter().filter(|kind| kind.kind != "Placement").collect());
    let error = Hub::connect(server.client(), Options::default(), Metrics::default()).await.err().unwrap();
    assert!(matches!(&error, Error::MissingKind { kind, .. } if kind.kind == "Placement"));
    insta::assert_snapshot!(error);
}

fn add_on_in_v1alpha1() -> serde_json::Value {
    json!({ "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "ClusterManagementAddOn",
        "metadata": { "name": "hello" },
        "spec": { "supportedConfigs": [{ "group": "g", "resource": "r", "defaultConfig": { "name": "c" } }] } })
}

async fn default_config(server: Server) -> String {
    let setup = Setup::on(server).await;
    let fleet = setup.hub.fleet();
    fleet.addons.get("hello").map(|addon| addon.spec.default_configs[0].name.clone()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn add_ons_stored_as_v1alpha1_are_read_without_conversion_webhook_and_seen_as_v1beta1() {
    let server = server();
    server.put("clustermanagementaddons", add_on_in_v1alpha1());
    assert_eq!(default_config(server).await, "c");
}

#[tokio::test(start_paused = true)]
async fn without_permission_to_read_crds_the_older_version_is_used() {
    let server = server();
    server.with(|inner| inner.hide_crds = true);
    server.put("clustermanagementaddons", add_on_in_v1alpha1());
    assert_eq!(default_config(server).await, "c");
}

#[tokio::test(start_paused = true)]
async fn storage_version_is_used_even_if_it_is_the_newer_one() {
    let server = Server::new(ocm_kinds("v1beta1"));
    server.put(
        "clustermanagementaddons",
        json!({ "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn",
            "metadata": { "name": "hello" }, "spec": { "defaultConfigs": [{ "group": "g", "resource": "r", "name": "c" }] } }),
    );
    assert_eq!(default_config(server).await, "c");
}

#[tokio::test(start_paused = true)]
async fn unserved_kind_is_reported_and_watched_once_it_is_served() {
    let widget = GroupKind::new("example.com", "Widget");
    let setup = Setup::on(server()).await;
    setup.hub.watch_kinds(&[widget.clone()].into()).await;
    insta::assert_snapshot!(setup.hub.unserved()[&widget]);
    assert!(setup.hub.fleet().declared.is_empty());

    setup.server.with(|inner| {
        inner.kinds.push(Kind {
            group: "example.com",
            versions: vec!["v1"],
            stored: "v1",
            kind: "Widget",
            plural: "widgets",
            namespaced: false,
        });
    });
    setup.server.put(
        "widgets",
        json!({ "apiVersion": "example.com/v1", "kind": "Widget",
            "metadata": { "name": "w", "labels": { "tidegate.io/owned": "true" } } }),
    );
    eventually("the widget is stored", || setup.hub.fleet().declared.len() == 1).await;
    assert!(setup.hub.unserved().is_empty());
}

#[tokio::test(start_paused = true)]
async fn kind_that_may_not_be_listed_is_reported_and_affects_no_other() {
    let server = server();
    server.put("managedclusters", cluster("east"));
    server.fail(axum::http::Method::GET, "/configmaps", 403, usize::MAX);
    let options = Options { kinds: super::support::config_maps(), ..Options::default() };
    let setup = Setup::with(server, options).await;
    assert_eq!(setup.hub.fleet().clusters.len(), 1);
    insta::assert_snapshot!(setup.hub.unserved()[&GroupKind::new("", "ConfigMap")]);
    assert_eq!(setup.hub.health(), tidegate_daemon::hub::Health::Connected);
}
