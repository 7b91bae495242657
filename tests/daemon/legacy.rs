//! Hubs and journals that version 0.1.0 wrote: they have no identity, and no mark on the add-ons of clusters.
//!
//! The fixtures were recorded from a daemon and a sandbox of that version: two add-ons on six clusters.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::Arc;

use serde_json::Value;
use tidegate_api::ocm::crds;
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_repository::{Adopt, OperatorRules};
use tidegate_sandbox::Sandbox;

use super::world::{World, instance_of, now};
use crate::git_command::git;
use crate::scratch::tempdir;

const HUB: &[u8] = include_bytes!("fixtures/hub-0.1.0.json.gz");
const REPOSITORY: &[u8] = include_bytes!("fixtures/repository-0.1.0.bundle");

/// Puts the recorded objects on a hub. The hub assigns new uids, so owner references are updated.
async fn hub() -> Sandbox {
    let mut text = String::new();
    flate2::read::GzDecoder::new(HUB).read_to_string(&mut text).unwrap();
    let mut objects: Vec<Value> = serde_json::from_str(&text).unwrap();
    let rank = |object: &Value| {
        object["metadata"]["ownerReferences"].as_array().map_or(0, Vec::len)
            + usize::from(object["kind"] == "ManifestWork")
    };
    objects.sort_by_key(rank);
    let sandbox = Sandbox::new(&crds::all().unwrap(), now);
    let mut uids: BTreeMap<String, String> = BTreeMap::new();
    let probe = World::around(tempdir(), sandbox.clone());
    for mut object in objects {
        for owner in object["metadata"]["ownerReferences"].as_array_mut().into_iter().flatten() {
            if let Some(uid) = owner["uid"].as_str().and_then(|uid| uids.get(uid)) {
                owner["uid"] = uid.clone().into();
            }
        }
        let old = object["metadata"]["uid"].as_str().unwrap().to_owned();
        for member in ["uid", "resourceVersion", "generation", "creationTimestamp"] {
            object["metadata"].as_object_mut().unwrap().remove(member);
        }
        // The hub creates some of them by itself.
        let made = sandbox.seed([object.clone()]);
        if made.is_err() || object["apiVersion"] == "v1" {
            continue;
        }
        let text = |member: &str| object["metadata"][member].as_str().unwrap_or_default().to_owned();
        let plural = format!("{}s", object["kind"].as_str().unwrap().to_lowercase());
        let found =
            probe.object(object["apiVersion"].as_str().unwrap(), &plural, &text("namespace"), &text("name")).await;
        uids.insert(old, found.unwrap()["metadata"]["uid"].as_str().unwrap().to_owned());
    }
    sandbox
}

async fn world() -> World {
    let directory = tempdir();
    let repository = directory.path().join("repo.git");
    tidegate_git::init_bare(&repository, "main").unwrap();
    let bundle = directory.path().join("bundle");
    std::fs::write(&bundle, REPOSITORY).unwrap();
    git(&repository, &["fetch", "--quiet", bundle.to_str().unwrap(), "refs/heads/*:refs/heads/*"]);
    World::around(directory, hub().await)
}

#[tokio::test(start_paused = true)]
async fn a_daemon_continues_with_a_hub_and_a_journal_of_version_0_1_0() {
    let world = world().await;
    assert_eq!(world.clusters_with("hello-template").await.len(), 6);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    // All objects that belong to this instance according to the journal have its mark now.
    let id = instance_of("mirror.git").id;
    for plural in ["managedclusteraddons", "clustermanagementaddons", "addontemplates", "addondeploymentconfigs"] {
        for object in world.list("addon.open-cluster-management.io/v1beta1", plural).await {
            assert_eq!(object["metadata"]["labels"]["tidegate.io/instance"], id.as_str(), "{plural} {object}");
        }
    }
    assert_eq!(
        world.work("aws-001", "hello-template").await.unwrap()["metadata"]["generation"],
        1,
        "no work is written again"
    );
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", "tidegate/journal"]);
    assert!(subjects.contains("hello-template: 0.4.0 -> 0.4.1 completed, 6/6 clusters"), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn objects_of_version_0_1_0_that_no_journal_proves_are_left_alone_until_they_are_adopted() {
    let world = world().await;
    world.git(&["branch", "-D", "tidegate/journal"]);
    let mut daemon = world.daemon("mirror.git").await;
    let told = daemon.until("the collisions", |s| s.tick > 0 && s.writes == 0 && !s.facts.failures.is_empty()).await;
    assert!(told.facts.failures.iter().any(|line| line.contains("unidentified = true")), "{:?}", told.facts.failures);
    let id = instance_of("mirror.git").id;
    for (group, plural) in [
        ("addon.open-cluster-management.io/v1beta1", "managedclusteraddons"),
        ("addon.open-cluster-management.io/v1beta1", "clustermanagementaddons"),
        ("addon.open-cluster-management.io/v1beta1", "addontemplates"),
        ("addon.open-cluster-management.io/v1beta1", "addondeploymentconfigs"),
        ("cluster.open-cluster-management.io/v1beta1", "placements"),
        ("cluster.open-cluster-management.io/v1beta2", "managedclustersets"),
        ("cluster.open-cluster-management.io/v1beta2", "managedclustersetbindings"),
    ] {
        for object in world.list(group, plural).await {
            assert_ne!(object["metadata"]["labels"]["tidegate.io/instance"], id.as_str(), "{plural} {object}");
        }
    }
    daemon.end().await;
    let adopt = Adopt { unidentified: true, ..Adopt::default() };
    let operator = Arc::new(OperatorRules { adopt, ..OperatorRules::default() });
    let mut daemon = world.daemon_with(world.client(), Config { operator, ..world.config("mirror.git") }).await;
    daemon
        .until("the add-ons", |s: &Snapshot| {
            s.writes == 0
                && s.facts.failures.is_empty()
                && s.report.addons.get("hello-template").is_some_and(|addon| addon.counts().succeeded == 6)
        })
        .await;
    assert_eq!(world.clusters_with("hello-template").await.len(), 6);
    daemon.end().await;
}
