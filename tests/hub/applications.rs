//! Works of applications: which of them are watched, which are in the way, and which get their labels back.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate_api::key::{ASSIGNMENT, INSTANCE_LABEL, UNIT, UNIT_LABEL};
use tidegate_model::action::{Lane, Stage, Write};

use super::server::Server;
use super::support::{Setup, namespace, server};

const UNIT_NAME: &str = "application/shop/web";
const NAME: &str = "app-web-e02c6b389d7ad75f361e-0";
const WAIT: Duration = Duration::from_secs(5);

fn work() -> Value {
    json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {
            "namespace": "east", "name": NAME,
            "labels": { UNIT_LABEL: "e02c6b389d7ad75f361e", INSTANCE_LABEL: "3f2a9c0d1e2f3a4b" },
            "annotations": { UNIT: UNIT_NAME, ASSIGNMENT: "{}" },
        },
        "spec": { "workload": { "manifests": [] } },
    })
}

/// Returns the work after a change of its metadata.
fn changed(change: impl Fn(&mut Value)) -> Value {
    let mut work = work();
    change(&mut work["metadata"]);
    work
}

fn with(work: Option<Value>) -> Server {
    let server = server();
    server.put("namespaces", namespace("east"));
    work.into_iter().for_each(|work| drop(server.put("manifestworks", work)));
    server
}

#[tokio::test(start_paused = true)]
async fn works_of_applications_are_known_once_all_works_are_watched() {
    let setup = Setup::on(with(Some(work()))).await;
    assert!(setup.hub.fleet().works.is_empty());
    setup.hub.watch_all_works();
    let seen = setup.hub.look_at_all(WAIT).await.unwrap();
    assert!(seen.fleet.works[UNIT_NAME]["east"].contains_key(NAME));
    // A watch that starts again selects the same.
    setup.server.put("manifestworks", changed(|metadata| metadata["name"] = json!(NAME.replace("-0", "-1"))));
    setup.hub.watch_all_works();
    let seen = setup.hub.look_at_all(WAIT).await.unwrap();
    super::support::eventually("the second work", || setup.hub.fleet().works[UNIT_NAME]["east"].len() == 2).await;
    assert!(seen.fleet.unreadable.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_work_in_the_way_of_an_application_is_known_and_others_are_not() {
    let bare = changed(|metadata| *metadata = json!({ "namespace": "east", "name": NAME }));
    for (name, is_known) in [(NAME, true), ("app-web", false), ("app-web-e02c-0", false), ("other", false)] {
        let mut work = bare.clone();
        work["metadata"]["name"] = json!(name);
        let setup = Setup::on(with(Some(work))).await;
        setup.hub.watch_all_works();
        let seen = setup.hub.look_at_all(WAIT).await.unwrap();
        assert!(seen.fleet.works.is_empty());
        assert_eq!(seen.fleet.unreadable.keys().any(|key| key.name == name), is_known, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn labels_of_its_own_works_are_restored_and_those_of_others_are_not() {
    let labels = |metadata: &mut Value, labels: Value| metadata["labels"] = labels;
    let marked = json!({ INSTANCE_LABEL: "3f2a9c0d1e2f3a4b" });
    let other = json!({ INSTANCE_LABEL: "fedcba9876543210" });
    let cases = [
        // Whether its labels are restored, and whether it keeps its record.
        (changed(|metadata| labels(metadata, marked.clone())), true, true),
        // Nothing vouches for its record.
        (changed(|metadata| labels(metadata, json!({}))), true, false),
        (changed(|metadata| labels(metadata, other.clone())), false, true),
        (changed(|metadata| *metadata = json!({ "namespace": "east", "name": NAME })), false, false),
        (
            changed(|metadata| {
                labels(metadata, json!({}));
                metadata["annotations"][UNIT] = json!("application/shop/other");
            }),
            false,
            true,
        ),
    ];
    for (found, is_restored, keeps_record) in cases {
        let setup = Setup::on(with(Some(found.clone()))).await;
        let lane = Lane { stage: Stage::Deliver, writes: vec![Write::Create { object: work().into() }] };
        let _ = setup.hub.act(vec![lane]).await;
        let now = setup.server.get("manifestworks", "east", NAME).unwrap();
        assert_eq!(now["metadata"]["labels"][UNIT_LABEL].is_string(), is_restored, "{found}");
        assert_eq!(now["metadata"]["annotations"][ASSIGNMENT].is_string(), keeps_record, "{found}");
    }
}
