//! Executing lanes of writes.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use tidegate_api::key::{ADDON_GROUP, CLUSTER_GROUP, CLUSTER_NAME, INSTALL_NAMESPACE};
use tidegate_daemon::hub::{Error, Options, Verb};
use tidegate_model::action::{Lane, Precondition, Stage, Write};
use tidegate_model::object::ObjectKey;

use super::server::Fault;
use super::support::{
    Setup, cluster, cluster_addon, config_map, config_maps, eventually, namespace, server, setup, work,
};

fn lane(stage: Stage, writes: impl IntoIterator<Item = Write>) -> Lane {
    Lane { stage, writes: writes.into_iter().collect() }
}

fn create(object: Value) -> Write {
    Write::Create { object: object.into() }
}

fn precondition(object: &Value) -> Precondition {
    let text = |member: &str| object["metadata"][member].as_str().unwrap().to_owned();
    Precondition { uid: text("uid"), resource_version: Some(text("resourceVersion")) }
}

fn addon_key(cluster: &str) -> ObjectKey {
    ObjectKey::new(ADDON_GROUP, "ManagedClusterAddOn", cluster, "hello")
}

async fn with_namespaces() -> Setup {
    let server = server();
    for name in ["east", "west"] {
        server.put("namespaces", namespace(name));
        server.put("managedclusters", cluster(name));
    }
    Setup::with(server, Options { kinds: config_maps(), ..Options::default() }).await
}

#[tokio::test(start_paused = true)]
async fn stages_follow_one_another_and_lanes_keep_their_order() {
    let setup = with_namespaces().await;
    let lanes = vec![
        lane(Stage::Deliver, [create(cluster_addon("east")), create(work("east", "w"))]),
        lane(Stage::Declare, [Write::Apply { object: config_map("a", "1") }]),
    ];
    let outcome = setup.hub.act(lanes).await;
    assert_eq!((outcome.written, outcome.conflicts.len(), outcome.failures.len()), (3, 0, 0));
    let writes: Vec<String> = setup.server.with(|inner| {
        let writes = inner.requests.iter().filter(|request| !request.starts_with("GET"));
        writes.map(|request| request.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
    });
    assert_eq!(writes, ["a", "managedclusteraddons", "manifestworks"]);
    assert_eq!(setup.count("tidegate_hub_writes_total"), 3);
}

#[tokio::test(start_paused = true)]
async fn own_writes_are_observed_at_once() {
    let setup = with_namespaces().await;
    setup.server.with(|inner| inner.silent = true);
    let lanes = vec![
        lane(Stage::Declare, [Write::Apply { object: config_map("a", "1") }]),
        lane(Stage::Deliver, [create(cluster_addon("east")), create(work("east", "w"))]),
    ];
    setup.hub.act(lanes).await;
    let fleet = setup.hub.fleet();
    assert!(fleet.cluster_addons["hello"].contains_key("east"));
    assert!(fleet.works["hello"]["east"].contains_key("w"));
    assert_eq!(fleet.declared.len(), 1);

    let east = precondition(&setup.server.get("manifestworks", "east", "w").unwrap());
    let key = ObjectKey::new("work.open-cluster-management.io", "ManifestWork", "east", "w");
    setup.hub.act(vec![lane(Stage::Prune, [Write::Delete { key, precondition: east }])]).await;
    assert!(setup.hub.fleet().works.is_empty());
}

#[tokio::test(start_paused = true)]
async fn failed_write_ends_its_lane_and_no_other() {
    let setup = with_namespaces().await;
    setup.server.fail(Method::POST, "/namespaces/east/managedclusteraddons", 422, 1);
    let both = |cluster: &str| lane(Stage::Deliver, [create(cluster_addon(cluster)), create(work(cluster, "w"))]);
    let outcome = setup.hub.act(vec![both("east"), both("west")]).await;
    assert_eq!(outcome.written, 2);
    let [failure] = outcome.failures.as_slice() else { panic!("{:?}", outcome.failures) };
    assert_eq!((failure.key.clone(), failure.verb), (Some(addon_key("east")), Verb::Create));
    insta::assert_snapshot!(failure.error);
    assert!(setup.server.get("manifestworks", "east", "w").is_none());
}

#[tokio::test(start_paused = true)]
async fn stale_and_repeated_writes_are_conflicts_and_not_failures() {
    let setup = with_namespaces().await;
    let seen = setup.server.put("manifestworks", work("east", "w"));
    setup.server.put("manifestworks", work("east", "w"));
    let key = ObjectKey::of(&seen).unwrap();
    let stale = precondition(&seen);
    let patch = json!({ "spec": {} });
    let lanes = vec![
        lane(Stage::Deliver, [Write::Patch { key: key.clone(), precondition: stale, patch: patch.into() }]),
        lane(Stage::Deliver, [create(work("east", "w"))]),
    ];
    let outcome = setup.hub.act(lanes).await;
    assert_eq!((outcome.written, outcome.conflicts.len(), outcome.failures.len()), (0, 2, 0));
    assert_eq!(setup.count("tidegate_hub_conflicts_total"), 2);
    assert_eq!(setup.count("tidegate_hub_writes_total"), 0);
}

#[tokio::test(start_paused = true)]
async fn status_right_after_a_create_is_bound_to_the_created_object() {
    let setup = with_namespaces().await;
    let status = json!({ "namespace": "hello-ns" });
    let patch = Write::PatchStatus { key: addon_key("east"), precondition: None, status: status.into() };
    setup.hub.act(vec![lane(Stage::Deliver, [create(cluster_addon("east")), patch.clone()])]).await;
    let made = setup.server.get("managedclusteraddons", "east", "hello").unwrap();
    assert_eq!(made["status"], json!({ "namespace": "hello-ns" }));
    let sent = setup.server.with(|inner| inner.patches.pop().unwrap());
    assert_eq!(sent["metadata"]["uid"], made["metadata"]["uid"]);
    assert!(sent["metadata"]["resourceVersion"].is_string());
    assert_eq!(
        setup.server.requested(
            "PATCH /apis/addon.open-cluster-management.io/v1alpha1/namespaces/east/managedclusteraddons/hello/status"
        ),
        1
    );

    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [patch])]).await;
    assert!(matches!(outcome.failures[0].error, Error::NoPrecondition { .. }), "{:?}", outcome.failures);
}

#[tokio::test(start_paused = true)]
async fn later_write_of_a_lane_succeeds_although_the_earlier_one_changed_the_version() {
    let setup = with_namespaces().await;
    let seen = setup.server.put(
        "managedclusteraddons",
        json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "ManagedClusterAddOn",
        "metadata": { "namespace": "east", "name": "hello" }, "spec": {} }),
    );
    let (key, precondition) = (addon_key("east"), precondition(&seen));
    let labels = Write::Patch {
        key: key.clone(),
        precondition: precondition.clone(),
        patch: json!({ "metadata": { "labels": { "a": "b" } } }).into(),
    };
    let status = |text: &str| Write::PatchStatus {
        key: key.clone(),
        precondition: Some(precondition.clone()),
        status: json!({ "namespace": text }).into(),
    };
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [labels, status("x"), status("y")])]).await;
    assert_eq!((outcome.written, outcome.conflicts.len()), (3, 0));
    assert_eq!(setup.hub.act(vec![lane(Stage::Deliver, [status("z")])]).await.conflicts.len(), 1);
    let held = setup.server.get("managedclusteraddons", "east", "hello").unwrap();
    assert_eq!((&held["metadata"]["labels"]["a"], &held["status"]["namespace"]), (&json!("b"), &json!("y")));
}

#[tokio::test(start_paused = true)]
async fn real_hub_m4_owners_are_named_in_the_version_of_the_hub() {
    let setup = with_namespaces().await;
    let beta = json!([{
        "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ManagedClusterAddOn", "name": "hello", "uid": "1",
    }]);
    let mut owned = work("east", "w");
    owned["metadata"]["ownerReferences"] = beta.clone();
    assert_eq!(setup.hub.act(vec![lane(Stage::Deliver, [create(owned)])]).await.written, 1);
    let owner = |work: &Value| work["metadata"]["ownerReferences"][0]["apiVersion"].clone();
    let stored = setup.server.get("manifestworks", "east", "w").unwrap();
    assert_eq!(owner(&stored), "addon.open-cluster-management.io/v1alpha1");
    let key = ObjectKey::of(&stored).unwrap();
    let patch = json!({ "metadata": { "ownerReferences": beta } });
    let patch = Write::Patch { key, precondition: precondition(&stored), patch: patch.into() };
    assert_eq!(setup.hub.act(vec![lane(Stage::Deliver, [patch])]).await.written, 1);
    let stored = setup.server.get("manifestworks", "east", "w").unwrap();
    assert_eq!(owner(&stored), "addon.open-cluster-management.io/v1alpha1");
    let fleet = setup.hub.fleet();
    let seen = &fleet.works["hello"]["east"]["w"].metadata.owner_references;
    assert_eq!(seen.as_ref().unwrap()[0].api_version, "addon.open-cluster-management.io/v1beta1");
}

#[tokio::test(start_paused = true)]
async fn objects_of_the_add_on_group_are_written_in_the_version_of_the_hub() {
    let setup = with_namespaces().await;
    let mut addon = cluster_addon("east");
    addon["metadata"]["annotations"] = json!({ INSTALL_NAMESPACE: "here" });
    let status = json!({ "configReferences": [{ "group": "g", "resource": "r", "desiredConfig": { "name": "n" } }] });
    let patch = Write::PatchStatus { key: addon_key("east"), precondition: None, status: status.into() };
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [create(addon), patch])]).await;
    assert_eq!(outcome.written, 2);
    let stored = setup.server.get("managedclusteraddons", "east", "hello").unwrap();
    assert_eq!(stored["apiVersion"], "addon.open-cluster-management.io/v1alpha1");
    assert_eq!(stored["spec"]["installNamespace"], "here");
    assert_eq!(stored["status"]["configReferences"][0]["name"], "n");
    let fleet = setup.hub.fleet();
    let seen = &fleet.cluster_addons["hello"]["east"];
    assert_eq!(seen.metadata.annotations.as_ref().unwrap()[INSTALL_NAMESPACE], "here");
}

#[tokio::test(start_paused = true)]
async fn throttled_write_waits_for_the_requested_time_and_succeeds() {
    let setup = with_namespaces().await;
    let path = "/manifestworks".to_owned();
    let fault = Fault { method: Method::POST, path, code: 429, retry_after: Some(7), times: 2 };
    setup.server.with(|inner| inner.faults.push(fault));
    let begun = tokio::time::Instant::now();
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [create(work("east", "w"))])]).await;
    assert_eq!((outcome.written, outcome.throttled), (1, true));
    assert!(begun.elapsed() >= Duration::from_secs(14), "{:?}", begun.elapsed());
    assert_eq!(setup.count("tidegate_hub_write_retries_total"), 2);
}

#[tokio::test(start_paused = true)]
async fn write_to_a_broken_hub_is_given_up_after_five_attempts() {
    let setup = with_namespaces().await;
    setup.server.fail(Method::POST, "/manifestworks", 503, usize::MAX);
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [create(work("east", "w"))])]).await;
    assert_eq!((outcome.written, outcome.failures.len()), (0, 1));
    assert!(outcome.failures[0].error.is_transient());
    assert_eq!(setup.server.requested("POST"), 5);
}

#[tokio::test(start_paused = true)]
async fn pause_that_ends_after_the_deadline_is_not_waited_for() {
    let setup = with_namespaces().await;
    let path = "/manifestworks".to_owned();
    let fault = Fault { method: Method::POST, path, code: 429, retry_after: Some(3_600), times: 1 };
    setup.server.with(|inner| inner.faults.push(fault));
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [create(work("east", "w"))])]).await;
    assert_eq!((outcome.failures.len(), outcome.throttled), (1, true));
}

#[tokio::test(start_paused = true)]
async fn a_halted_hub_sends_nothing_more() {
    let setup = with_namespaces().await;
    let path = "/manifestworks".to_owned();
    let fault = Fault { method: Method::POST, path, code: 429, retry_after: Some(5), times: 1 };
    setup.server.with(|inner| inner.faults.push(fault));
    let lanes = vec![lane(Stage::Deliver, [create(work("east", "v")), create(work("east", "w"))])];
    let (outcome, ()) = tokio::join!(setup.hub.act(lanes), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        setup.hub.halt();
    });
    // Not even the retry of a write that was under way.
    assert_eq!((outcome.written, outcome.failures.len(), outcome.unsent.len()), (0, 0, 2));
    let later = setup.hub.act(vec![lane(Stage::Deliver, [create(work("east", "v")), create(work("east", "w"))])]).await;
    assert_eq!((later.written, later.failures.len(), later.unsent.len()), (0, 0, 2));
    assert!(["v", "w"].iter().all(|name| setup.server.get("manifestworks", "east", name).is_none()));
}

#[tokio::test(start_paused = true)]
async fn deletion_affects_only_the_given_object_and_succeeds_if_it_is_already_gone() {
    let setup = with_namespaces().await;
    let seen = setup.server.put("manifestworks", work("east", "w"));
    let key = ObjectKey::of(&seen).unwrap();
    let delete = |uid: &str| Write::Delete {
        key: key.clone(),
        precondition: Precondition { uid: uid.to_owned(), resource_version: None },
    };
    let namesake = setup.hub.act(vec![lane(Stage::Prune, [delete("another")])]).await;
    assert_eq!((namesake.written, namesake.conflicts.len()), (0, 1));
    for _ in 0..2 {
        let outcome = setup.hub.act(vec![lane(Stage::Prune, [delete(&precondition(&seen).uid)])]).await;
        assert_eq!((outcome.written, outcome.failures.len()), (1, 0));
        assert!(setup.server.get("manifestworks", "east", "w").is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn object_with_finalizers_stays_in_the_fleet_until_it_is_gone() {
    let setup = with_namespaces().await;
    let mut held = work("east", "w");
    held["metadata"]["finalizers"] = json!(["example.com/hold"]);
    let seen = setup.server.put("manifestworks", held);
    setup.hub.changed().await;
    let write = Write::Delete { key: ObjectKey::of(&seen).unwrap(), precondition: precondition(&seen) };
    setup.hub.act(vec![lane(Stage::Prune, [write])]).await;
    let fleet = setup.hub.fleet();
    assert!(fleet.works["hello"]["east"]["w"].metadata.deletion_timestamp.is_some());
    setup.server.remove("manifestworks", "east", "w");
    setup.hub.changed().await;
    assert!(setup.hub.fleet().works.is_empty());
}

#[tokio::test(start_paused = true)]
async fn namespace_of_a_cluster_is_created_as_registration_would() {
    let server = server();
    server.put("managedclusters", cluster("north"));
    let setup = Setup::on(server).await;
    let outcome = setup
        .hub
        .act(vec![
            lane(Stage::Deliver, [create(cluster_addon("north"))]),
            lane(Stage::Deliver, [create(cluster_addon("nowhere"))]),
        ])
        .await;
    assert_eq!((outcome.written, outcome.failures.len()), (1, 1));
    let made = setup.server.get("namespaces", "", "north").unwrap();
    assert_eq!(made["metadata"]["labels"][CLUSTER_NAME], "north");
    assert!(setup.server.get("namespaces", "", "nowhere").is_none(), "no cluster has that name");
}

#[tokio::test(start_paused = true)]
async fn names_that_are_not_path_segments_are_refused_without_a_request() {
    let setup = with_namespaces().await;
    let before = setup.server.with(|inner| inner.requests.len());
    let mut lanes = Vec::new();
    for name in ["../secrets/x", "..", "a?b=c", "a%2fb", "a#b", "", "a b", "ä"] {
        let mut object = config_map(name, "x");
        lanes.push(lane(Stage::Declare, [Write::Apply { object: object.clone() }]));
        object["metadata"]["name"] = json!("fine");
        object["metadata"]["namespace"] = json!(name);
        lanes.push(lane(Stage::Declare, [create(object)]));
    }
    let count = lanes.len();
    let outcome = setup.hub.act(lanes).await;
    assert_eq!((outcome.failures.len(), outcome.written), (count, 0));
    assert!(outcome.failures.iter().all(|failure| matches!(failure.error, Error::BadName { .. })));
    assert_eq!(setup.server.with(|inner| inner.requests.len()), before);
}

#[tokio::test(start_paused = true)]
async fn objects_without_identity_or_of_unserved_kinds_are_failures() {
    let setup = setup().await;
    let widget = json!({ "apiVersion": "example.com/v1", "kind": "Widget", "metadata": { "name": "w" } });
    let lanes = vec![
        lane(Stage::Declare, [Write::Apply { object: json!(null) }]),
        lane(Stage::Declare, [Write::Apply { object: widget }]),
    ];
    let outcome = setup.hub.act(lanes).await;
    let mut errors: Vec<String> = outcome.failures.iter().map(|failure| failure.error.to_string()).collect();
    errors.sort();
    assert_eq!(
        errors,
        [
            "an object to write has no apiVersion, kind or metadata.name",
            "the hub does not serve Widget.example.com: its CRD is not installed"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn no_more_writes_are_under_way_than_allowed() {
    let server = server();
    server.put("namespaces", namespace("east"));
    let setup = Setup::with(server, Options { concurrency: 5, ..Options::default() }).await;
    let lanes = (0..100).map(|i| lane(Stage::Deliver, [create(work("east", &format!("w{i}")))])).collect();
    let outcome = setup.hub.act(lanes).await;
    assert_eq!(outcome.written, 100);
    assert_eq!(setup.server.with(|inner| inner.most_writing), 5);
}

#[tokio::test(start_paused = true)]
async fn applied_object_keeps_its_own_version_outside_the_add_on_group() {
    let setup = setup().await;
    let mut placement = json!({ "apiVersion": "cluster.open-cluster-management.io/v1alpha1", "kind": "Placement",
        "metadata": { "namespace": "east", "name": "p" }, "spec": {} });
    let apply = |object: &Value| vec![lane(Stage::Declare, [Write::Apply { object: object.clone() }])];
    let refused = setup.hub.act(apply(&placement)).await;
    assert!(matches!(refused.failures[0].error, Error::Refused { code: 404, .. }), "the hub does not serve v1alpha1");
    placement["apiVersion"] = json!(format!("{CLUSTER_GROUP}/v1beta1"));
    setup.server.put("namespaces", namespace("east"));
    assert_eq!(setup.hub.act(apply(&placement)).await.written, 1);
    let path = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/east/placements/p";
    assert_eq!(setup.server.requested(&format!("PATCH {path}?&force=true&fieldManager=tidegate")), 1);
}

#[tokio::test(start_paused = true)]
async fn an_object_without_a_mark_is_not_overwritten_by_declaring_it() {
    let setup = with_namespaces().await;
    let declare = |object: &Value| vec![lane(Stage::Declare, [Write::Declare { object: object.clone() }])];
    let marked = |data: &str, hash: &str| {
        let mut object = config_map("a", data);
        object["metadata"]["labels"]["tidegate.io/instance"] = json!("3f2a9c0d1e2f3a4b");
        object["metadata"]["annotations"] = json!({ "tidegate.io/applied-hash": hash });
        object
    };
    let mut theirs = config_map("a", "theirs");
    theirs["metadata"].as_object_mut().unwrap().remove("labels");
    setup.server.put("configmaps", theirs);
    let outcome = setup.hub.act(declare(&marked("1", "h1"))).await;
    assert_eq!((outcome.written, outcome.failures.len()), (0, 1));
    let error = &outcome.failures[0].error;
    assert!(matches!(error, Error::Unmarked { .. }) && !error.is_transient(), "{error}");
    assert!(error.to_string().contains("{ kind = \"ConfigMap\", namespace = \"east\", name = \"a\" }"), "{error}");
    assert_eq!(setup.server.get("configmaps", "east", "a").unwrap()["data"]["key"], "theirs");

    // One that this instance wrote, and that lost its labels, is restored; one that does not exist is created.
    let mut stripped = marked("1", "h1");
    stripped["metadata"].as_object_mut().unwrap().remove("labels");
    setup.server.put("configmaps", stripped);
    let mut other = marked("2", "h2");
    other["metadata"]["name"] = json!("b");
    for object in [marked("1", "h1"), other] {
        let outcome = setup.hub.act(declare(&object)).await;
        assert_eq!(outcome.written, 1, "{outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_whose_write_was_not_answered_is_read_at_once() {
    let setup = with_namespaces().await;
    let created = setup.server.put("managedclusteraddons", cluster_addon("west"));
    eventually("the add-on", || setup.hub.fleet().cluster_addons.contains_key("hello")).await;
    setup.server.with(|inner| {
        inner.silent = true;
        inner.unanswered = vec![(Method::POST, "/managedclusteraddons"), (Method::PATCH, "/managedclusteraddons")];
    });
    let (key, precondition) = (addon_key("west"), precondition(&created));
    let status = json!({ "healthCheck": { "mode": "Lease" } });
    let lanes = vec![
        lane(Stage::Deliver, [create(cluster_addon("east"))]),
        lane(Stage::Deliver, [Write::PatchStatus { key, precondition: Some(precondition), status: status.into() }]),
    ];
    let outcome = setup.hub.act(lanes).await;
    assert_eq!((outcome.written, outcome.conflicts.len() + outcome.failures.len()), (0, 2));
    let fleet = setup.hub.fleet();
    assert!(fleet.cluster_addons["hello"].contains_key("east"), "it was created");
    let west = fleet.cluster_addons["hello"]["west"].metadata.resource_version.clone();
    assert_eq!(
        west.as_deref(),
        setup.server.get("managedclusteraddons", "west", "hello").unwrap()["metadata"]["resourceVersion"].as_str()
    );
}

#[tokio::test(start_paused = true)]
async fn an_object_that_others_have_changed_or_deleted_is_read_at_once() {
    let setup = with_namespaces().await;
    let [east, west] = ["east", "west"].map(|name| setup.server.put("managedclusteraddons", cluster_addon(name)));
    eventually("the add-ons", || setup.hub.fleet().cluster_addons.get("hello").is_some_and(|addons| addons.len() == 2))
        .await;
    setup.server.with(|inner| inner.silent = true);
    setup.server.put("managedclusteraddons", cluster_addon("east"));
    setup.server.remove("managedclusteraddons", "west", "hello");
    let patch = |key: ObjectKey, seen: &Value| {
        lane(Stage::Deliver, [Write::Patch { key, precondition: precondition(seen), patch: json!({}).into() }])
    };
    let lanes = vec![patch(addon_key("east"), &east), patch(addon_key("west"), &west)];
    let outcome = setup.hub.act(lanes).await;
    assert_eq!(outcome.written, 0, "{outcome:?}");
    let fleet = setup.hub.fleet();
    assert_ne!(
        fleet.cluster_addons["hello"]["east"].metadata.resource_version.as_deref(),
        east["metadata"]["resourceVersion"].as_str()
    );
    assert!(!fleet.cluster_addons["hello"].contains_key("west"));
}

#[tokio::test(start_paused = true)]
async fn everything_is_listed_again_if_an_object_in_doubt_cannot_be_read() {
    let setup = with_namespaces().await;
    setup.server.with(|inner| {
        inner.silent = true;
        inner.unanswered = vec![(Method::POST, "/managedclusteraddons")];
    });
    setup.server.fail(Method::GET, "/namespaces/east/managedclusteraddons", 500, usize::MAX);
    setup.hub.act(vec![lane(Stage::Deliver, [create(cluster_addon("east"))])]).await;
    let seen = setup.hub.look_at_all(Duration::from_secs(60)).await.unwrap();
    assert!(seen.fleet.cluster_addons["hello"].contains_key("east"));
}

#[tokio::test(start_paused = true)]
async fn a_refused_write_leaves_no_doubt() {
    let setup = with_namespaces().await;
    setup.server.fail(Method::POST, "/managedclusteraddons", 403, 1);
    let outcome = setup.hub.act(vec![lane(Stage::Deliver, [create(cluster_addon("east"))])]).await;
    assert_eq!(
        (
            outcome.failures.len(),
            setup.server.requested("GET /apis/addon.open-cluster-management.io/v1beta1/namespaces/east")
        ),
        (1, 0)
    );
}
