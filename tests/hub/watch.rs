//! Lists, watches and snapshots.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use serde_json::json;
use tokio::time::timeout;

use super::support::{Setup, cluster, config_map, config_maps, eventually, namespace, server, setup, work};
use tidegate_api::key::{ADDON_NAME, WORK_GROUP};
use tidegate_daemon::hub::{Error, Health, Hub, Metrics, Options};
use tidegate_model::object::GroupKind;

#[tokio::test(start_paused = true)]
async fn first_lists_are_read_in_pages() {
    let server = server();
    for i in 0..1_001 {
        server.put("managedclusters", cluster(&format!("c{i}")));
    }
    let setup = Setup::on(server).await;
    assert_eq!(setup.hub.fleet().clusters.len(), 1_001);
    assert_eq!(setup.server.requested("GET /apis/cluster.open-cluster-management.io/v1/managedclusters?&limit"), 3);
    assert_eq!(setup.count("tidegate_hub_reads_total"), 13);
    assert_eq!(setup.count("tidegate_hub_objects"), 1_001);
}

#[tokio::test(start_paused = true)]
async fn list_whose_pages_expire_is_read_at_once() {
    let server = server();
    for i in 0..501 {
        server.put("managedclusters", cluster(&format!("c{i}")));
    }
    server.with(|inner| inner.expire_pages = true);
    let setup = Setup::on(server).await;
    assert_eq!(setup.hub.fleet().clusters.len(), 501);
}

#[tokio::test(start_paused = true)]
async fn changes_are_seen_and_announced() {
    let setup = setup().await;
    assert!(setup.hub.fleet().clusters.is_empty());
    assert!(timeout(Duration::from_secs(1), setup.hub.changed()).await.is_err(), "nothing has changed");

    setup.server.put("managedclusters", cluster("east"));
    setup.hub.changed().await;
    setup.hub.changed().await;
    assert!(setup.hub.fleet().clusters.contains_key("east"));

    setup.server.remove("managedclusters", "", "east");
    setup.hub.changed().await;
    assert!(setup.hub.fleet().clusters.is_empty());
}

#[tokio::test(start_paused = true)]
async fn unchanged_hub_gives_the_same_snapshot_and_a_change_shares_the_rest() {
    let server = server();
    server.put("managedclusters", cluster("east"));
    let setup = Setup::on(server).await;
    let before = setup.hub.fleet();
    assert!(Arc::ptr_eq(&before, &setup.hub.fleet()));

    setup.server.put("managedclusters", cluster("west"));
    setup.hub.changed().await;
    let after = setup.hub.fleet();
    assert_eq!((before.clusters.len(), after.clusters.len()), (1, 2));
    assert!(Arc::ptr_eq(&before.clusters["east"], &after.clusters["east"]));
}

#[tokio::test(start_paused = true)]
async fn interrupted_watch_is_resumed_without_a_list() {
    let setup = setup().await;
    let lists = setup.count("tidegate_hub_reads_total");
    setup.server.put("managedclusters", cluster("east"));
    setup.hub.changed().await;
    setup.server.cut_watches(false);
    setup.server.put("managedclusters", cluster("west"));
    eventually("the second cluster is seen", || setup.hub.fleet().clusters.len() == 2).await;
    assert_eq!(setup.count("tidegate_hub_reads_total"), lists);
    assert!(setup.count("tidegate_hub_watch_restarts_total") > 0);
}

#[tokio::test(start_paused = true)]
async fn expired_watch_starts_with_a_new_list() {
    let setup = Setup::on({
        let server = server();
        server.put("managedclusters", cluster("east"));
        server
    })
    .await;
    setup.server.with(|inner| inner.silent = true);
    setup.server.remove("managedclusters", "", "east");
    setup.server.put("managedclusters", cluster("west"));
    setup.server.cut_watches(true);
    setup.server.with(|inner| inner.silent = false);
    eventually("the list is seen", || setup.hub.fleet().clusters.keys().map(ToString::to_string).eq(["west"])).await;
}

#[tokio::test(start_paused = true)]
async fn watches_that_expire_or_break_off_do_not_make_the_hub_unreachable() {
    let options = Options { kinds: config_maps(), ..Options::default() };
    let setup = Setup::with(server(), options).await;
    for compact in [true, false] {
        let restarts = setup.count("tidegate_hub_watch_restarts_total");
        setup.server.cut_watches(compact);
        eventually("all watches are started again", || {
            assert_eq!(setup.hub.health(), Health::Connected);
            assert!(setup.hub.unserved().is_empty());
            setup.count("tidegate_hub_watch_restarts_total") >= restarts + 11
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn unreachable_hub_is_reported_until_it_answers_again() {
    let setup = setup().await;
    assert_eq!(setup.hub.health(), Health::Connected);
    setup.server.fail(Method::GET, "/", 503, usize::MAX);
    setup.server.cut_watches(false);
    eventually("the hub is unreachable", || matches!(setup.hub.health(), Health::Away { .. })).await;
    let Health::Away { last_error, .. } = setup.hub.health() else { panic!("it is unreachable") };
    assert!(last_error.contains("503"), "{last_error}");

    setup.server.with(|inner| inner.faults.clear());
    setup.server.put("managedclusters", cluster("east"));
    eventually("the hub is reachable again", || setup.hub.health() == Health::Connected).await;
    eventually("the change in the meantime is seen", || setup.hub.fleet().clusters.len() == 1).await;
}

#[tokio::test(start_paused = true)]
async fn kinds_that_are_not_listed_in_time_are_named() {
    let server = server();
    server.fail(Method::GET, "/v1/managedclusters", 500, usize::MAX);
    let hub = Hub::connect(server.client(), Options::default(), Metrics::default()).await.unwrap();
    let error = hub.synced(Duration::from_secs(10)).await.unwrap_err();
    insta::assert_snapshot!(error);
    assert!(matches!(error, Error::NotSynced { missing } if missing.len() == 1));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_nested_too_deeply_is_not_left_out_of_a_list() {
    let server = server();
    let mut deep = work("east", "deep");
    deep["spec"] = (0..200).fold(json!({}), |inner, _| json!({ "n": inner }));
    server.put("manifestworks", deep);
    server.put("manifestworks", work("east", "other"));
    let hub = Hub::connect(server.client(), Options::default(), Metrics::default()).await.unwrap();
    let Err(Error::NotSynced { missing }) = hub.synced(Duration::from_secs(10)).await else {
        panic!("it is not listed")
    };
    assert_eq!(missing, [GroupKind::new(WORK_GROUP, "ManifestWork")].into());
}

#[tokio::test(start_paused = true)]
async fn only_works_of_add_ons_are_stored() {
    let server = server();
    let mut other = work("east", "other");
    other["metadata"]["labels"] = json!({});
    server.put("manifestworks", other);
    server.put("manifestworks", work("east", "addon-hello-deploy-0"));
    let setup = Setup::on(server).await;
    let fleet = setup.hub.fleet();
    assert_eq!(fleet.works["hello"]["east"].keys().collect::<Vec<_>>(), ["addon-hello-deploy-0"]);
    assert_eq!(setup.count("tidegate_hub_objects"), 1);
    let asked = "labelSelector=open-cluster-management.io%2Faddon-name";
    let requests = setup.server.with(|inner| inner.requests.clone());
    assert!(
        requests.iter().filter(|request| request.contains("/manifestworks")).all(|request| request.contains(asked))
    );
}

#[tokio::test(start_paused = true)]
async fn work_that_moves_to_another_add_on_leaves_the_first() {
    let setup = setup().await;
    setup.server.put("manifestworks", work("east", "w"));
    setup.hub.changed().await;
    setup.hub.fleet();
    let mut moved = work("east", "w");
    moved["metadata"]["labels"][ADDON_NAME] = json!("world");
    setup.server.put("manifestworks", moved);
    setup.hub.changed().await;
    assert_eq!(setup.hub.fleet().works.keys().map(ToString::to_string).collect::<Vec<_>>(), ["world"]);
}

#[tokio::test(start_paused = true)]
async fn bad_object_is_reported_and_hides_no_other() {
    let server = server();
    let mut bad = cluster("bad");
    bad["spec"]["taints"] = json!("all of them");
    server.put("managedclusters", bad);
    server.put("managedclusters", cluster("good"));
    let setup = Setup::on(server).await;
    let fleet = setup.hub.fleet();
    assert_eq!(fleet.clusters.keys().map(ToString::to_string).collect::<Vec<_>>(), ["good"]);
    let (key, reason) = fleet.unreadable.first_key_value().unwrap();
    assert_eq!(key.to_string(), "ManagedCluster bad");
    insta::assert_snapshot!(reason);

    setup.server.put("managedclusters", cluster("bad"));
    setup.hub.changed().await;
    assert!(setup.hub.fleet().unreadable.is_empty());
}

#[tokio::test(start_paused = true)]
async fn objects_without_spec_and_with_nulls_for_lists_are_read() {
    let server = server();
    server.put(
        "placementdecisions",
        json!({ "apiVersion": "cluster.open-cluster-management.io/v1beta1", "kind": "PlacementDecision",
            "metadata": { "namespace": "default", "name": "p-decision-1" }, "status": { "decisions": [] } }),
    );
    let mut nulls = cluster("east");
    nulls["spec"]["taints"] = json!(null);
    server.put("managedclusters", nulls);
    let setup = Setup::on(server).await;
    let fleet = setup.hub.fleet();
    assert_eq!((fleet.decisions.len(), fleet.clusters.len(), fleet.unreadable.len()), (1, 1, 0));
}

#[tokio::test(start_paused = true)]
async fn declared_objects_are_stored_unchanged_if_they_are_owned() {
    let server = server();
    server.put("namespaces", namespace("east"));
    server.put("configmaps", config_map("ours", "a"));
    let mut foreign = config_map("theirs", "b");
    foreign["metadata"]["labels"] = json!({});
    server.put("configmaps", foreign);
    let options = Options { kinds: config_maps(), ..Options::default() };
    let setup = Setup::with(server, options).await;
    let fleet = setup.hub.fleet();
    let held: Vec<_> = fleet.declared.iter().map(|(key, object)| (key.to_string(), object["data"].clone())).collect();
    assert_eq!(held, [("ConfigMap east/ours".to_owned(), json!({ "key": "a" }))]);
    // Only who else wrote them last is kept of `managedFields`, which is the largest part of a small object.
    let writers =
        |object: &serde_json::Value| object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let writers: Vec<_> = fleet.declared.values().flat_map(|object| writers(object)).collect();
    assert!(
        writers.iter().all(|entry| entry.get("fieldsV1").is_none() && entry["manager"] != "tidegate"),
        "{writers:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn dropped_hub_leaves_no_watch_behind() {
    let setup = setup().await;
    eventually("all kinds are watched", || setup.server.open_watches() == 11).await;
    let Setup { server, hub, .. } = setup;
    drop(hub);
    eventually("no watch is open", || server.open_watches() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_fails_while_everything_is_listed_again_is_asked_after_growing_pauses() {
    let setup = setup().await;
    let list = "GET /apis/cluster.open-cluster-management.io/v1/managedclusters?";
    setup.server.fail(Method::GET, "/", 503, 10_000);
    setup.server.cut_watches(false);
    setup.hub.list_again();
    eventually("the second failure", || setup.server.requested(list) > 2).await;
    // It is pausing now.
    setup.hub.list_again();
    let before = setup.server.requested(list);
    tokio::time::sleep(Duration::from_secs(120)).await;
    let more = setup.server.requested(list) - before;
    assert!((2..30).contains(&more), "{more} lists in 2 minutes");
}
