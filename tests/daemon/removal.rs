//! Removing an add-on from clusters: in order, limited by the brake, and reported for each cluster.

use std::collections::BTreeSet;

use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::record::{Cause, Outcome, SealedRollout};
use tidegate_model::progress::{ClusterState, Phase};

use super::world::World;
use crate::redacted::redacted;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const PLACEMENT: &str = "fleet/placements/fleet.yaml";
const SETTINGS: &str = "tidegate.toml";
const CLOUD: &str = "  predicates:\n    - requiredClusterSelector:\n        labelSelector:\n          matchLabels:\n            cloud: ";

fn restrict(world: &World, cloud: &str) {
    let text = world.read("main", PLACEMENT);
    let (head, rest) = text.split_once("  tolerations:").unwrap();
    let head = head.split("  predicates:").next().unwrap();
    let text = format!("{head}{CLOUD}{cloud}\n  tolerations:{rest}");
    world.commit(&format!("only {cloud}"), [(PLACEMENT.to_owned(), Some(text.into_bytes()))].into());
}

fn sealed(world: &World, number: u32) -> SealedRollout {
    let text = world.git(&["show", &format!("tidegate/journal:addons/hello-template/rollouts/{number}.yaml")]);
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("rollout {number}: {error}\n{text}"))
}

fn is_done(clusters: usize) -> impl Fn(&Snapshot) -> bool {
    move |s: &Snapshot| {
        let Some(addon) = s.report.addons.get("hello-template") else { return false };
        s.writes == 0
            && addon.phase == Phase::Completed
            && addon.counts().succeeded == clusters
            && addon.clusters.len() == clusters
    }
}

#[tokio::test(start_paused = true)]
async fn a_placement_that_moves_installs_first_and_then_removes_and_the_journal_names_every_cluster() {
    let world = World::new(24);
    world.edit(SETTINGS, "max_percent = 20", "max_percent = 100");
    restrict(&world, "aws");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("the installation", is_done(12)).await;
    restrict(&world, "gcp");
    let waits =
        daemon.until("the old clusters to wait", |s| s.report.addons["hello-template"].counts().leaving == 12).await;
    let clusters = &waits.report.addons["hello-template"].clusters;
    let installing = clusters.values().any(|c| matches!(c.state, ClusterState::Waiting | ClusterState::Progressing));
    let all_stay = clusters.values().filter(|c| c.state.is_unselected()).all(|c| c.state == ClusterState::Leaving);
    assert!(!installing || all_stay, "{clusters:#?}");
    daemon.until("the move", is_done(12)).await;
    daemon.end().await;
    let with = world.clusters_with("hello-template").await;
    assert!(with.len() == 12 && with.iter().all(|cluster| cluster.starts_with("gcp-")), "{with:?}");

    let moved = sealed(&world, 2);
    assert_eq!((moved.rollout.cause, moved.rollout.outcome), (Cause::Membership, Outcome::Completed));
    let of = |state: ClusterState| moved.clusters.iter().filter(move |c| c.state == state);
    let installed = of(ClusterState::Succeeded).map(|c| c.finished.unwrap()).max().unwrap();
    assert_eq!((of(ClusterState::Succeeded).count(), of(ClusterState::Removed).count()), (12, 12));
    assert!(of(ClusterState::Removed).all(|c| c.started.unwrap() >= installed), "{moved:#?}");
    let history =
        crate::cli::tidegate(&["history", "--source", world.repository().to_str().unwrap(), "--cluster", "aws-001"]);
    let history = String::from_utf8(history.stdout).unwrap();
    assert!(history.lines().any(|line| line.contains("hello-template") && line.contains("Removed")), "{history}");
}

#[tokio::test(start_paused = true)]
async fn a_removal_beyond_the_brake_is_held_for_that_addon_until_a_commit_names_the_revision() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    restrict(&world, "gcp");
    let is_held = |s: &Snapshot| {
        s.report.addons.get("hello-template").is_some_and(|addon| addon.phase == Phase::Held) && s.writes == 0
    };
    let held = daemon.until("the brake", is_held).await;
    let addon = &held.report.addons["hello-template"];
    let revision = held.facts.revision.seen.as_ref().unwrap().commit.clone();
    let problem = addon.problem.clone().unwrap();
    let setting = format!("[prune] confirm = [\"{}\"]", revision.short());
    assert!(problem.contains(&setting), "{problem}");
    insta::assert_snapshot!("held_removal", redacted(&problem));
    assert_eq!((addon.counts().total, addon.counts().leaving), (10, 10));
    // Other add-ons continue, and a restart forgets nothing.
    daemon.end().await;
    let status = crate::cli::tidegate(&["status", "--source", world.repository().to_str().unwrap()]);
    let status = String::from_utf8(status.stdout).unwrap();
    assert!(status.contains("Held") && status.contains(&setting), "{status}");
    world.edit(
        "fleet/addons/managed-serviceaccount/addon.yaml",
        "managed-serviceaccount-0.4.0",
        "managed-serviceaccount-0.4.1",
    );
    let mut daemon = world.daemon("again.git").await;
    let is_other_done = |s: &Snapshot| {
        let Some(other) = s.report.addons.get("managed-serviceaccount") else { return false };
        other.version == "0.4.1" && other.phase == Phase::Completed && is_held(s)
    };
    let still = daemon.until("the other add-on", is_other_done).await;
    assert_eq!(still.report.addons["hello-template"].removal.as_ref().unwrap().revision, Some(revision.clone()));
    assert_eq!(world.clusters_with("hello-template").await.len(), 20);
    world.edit(SETTINGS, "max_percent = 20", &format!("max_percent = 20\nconfirm = [\"{}\"]", revision.short()));
    daemon.until("the removal", is_done(10)).await;
    assert_eq!(world.clusters_with("hello-template").await.len(), 10);
    daemon.end().await;
    let removed: BTreeSet<String> = sealed(&world, 2)
        .clusters
        .iter()
        .filter(|c| c.state == ClusterState::Removed)
        .map(|c| c.cluster.to_string())
        .collect();
    assert_eq!(removed, (1..=10).map(|n| format!("aws-{n:03}")).collect());
}

#[tokio::test(start_paused = true)]
async fn an_addon_that_leaves_the_repository_is_held_and_then_leaves_its_clusters() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let gone =
        crate::example_tree::tree().files.into_keys().filter(|path| path.starts_with("fleet/addons/hello-template/"));
    let revision = world.commit("no more hello", gone.map(|path| (path, None)).collect());
    let is_held = |s: &Snapshot| {
        s.report.addons.get("hello-template").is_some_and(|addon| addon.phase == Phase::Held) && s.writes == 0
    };
    let held = daemon.until("the brake", is_held).await;
    let addon = &held.report.addons["hello-template"];
    assert_eq!(addon.counts().leaving, 20);
    assert!(addon.problem.as_ref().unwrap().contains(revision.short()), "{:?}", addon.problem);
    assert!(
        world
            .object("addon.open-cluster-management.io/v1beta1", "clustermanagementaddons", "", "hello-template")
            .await
            .is_some()
    );
    world.until_journal("addons/hello-template/status.yaml", "held:").await;
    world.git(&["branch", "confirm", "main"]);
    let confirmed = format!("max_percent = 20\nconfirm = [\"{}\"]", revision.short());
    let settings = world.read("main", SETTINGS).replace("max_percent = 20", &confirmed);
    world.commit_to("confirm", "confirm", [(SETTINGS.to_owned(), Some(settings.into_bytes()))].into());
    let source = world.repository();
    let planned = crate::cli::tidegate(&["plan", "--source", source.to_str().unwrap(), "--head", "confirm"]);
    let text = String::from_utf8(planned.stdout).unwrap();
    let wanted =
        format!("note: this confirms the removal of hello-template that is held at {}: aws-001", revision.short());
    assert!(text.contains(&wanted), "{text}");
    assert_eq!(planned.status.code(), Some(2));
    world.edit(SETTINGS, "max_percent = 20", &confirmed);
    daemon.until("the removal", |s| !s.report.addons.contains_key("hello-template") && s.writes == 0).await;
    assert_eq!(world.clusters_with("hello-template").await, Vec::<String>::new());
    assert!(
        world
            .object("addon.open-cluster-management.io/v1beta1", "clustermanagementaddons", "", "hello-template")
            .await
            .is_none()
    );
    assert!(
        world
            .object("cluster.open-cluster-management.io/v1beta1", "placements", "fleet-addons", "fleet")
            .await
            .is_some()
    );
    daemon.end().await;
    let removal = sealed(&world, 2);
    assert_eq!((removal.rollout.cause, removal.rollout.outcome), (Cause::Withdrawal, Outcome::Completed));
    assert!(removal.clusters.len() == 20 && removal.clusters.iter().all(|c| c.state == ClusterState::Removed));
    // The journal notices an absence when it is written, so these times do not prove the order; the simulation does.
    assert!(removal.clusters.iter().all(|c| c.started.unwrap() <= c.finished.unwrap()));
}

/// Found by history 20261201.
#[tokio::test(start_paused = true)]
async fn a_rollout_that_ends_while_no_selection_is_known_names_what_each_cluster_got() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    // A rollout that is about the same clusters begins, and the selection becomes unknown.
    for cluster in world.clusters_with("hello-template").await {
        world.label(&cluster, "fleet", "other").await;
    }
    let is_unknown = |s: &Snapshot| {
        let addon = s.report.addons.get("hello-template");
        addon.is_some_and(|addon| addon.problem.as_ref().is_some_and(|problem| problem.contains("cannot be scheduled")))
    };
    let seen = daemon.until("an unknown selection", is_unknown).await;
    let clusters = &seen.report.addons["hello-template"].clusters;
    assert!(clusters.values().all(|cluster| cluster.started.is_some()), "{clusters:#?}");
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn real_hub_l3_a_detached_cluster_is_recorded_as_such() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    super::world::requests::delete(
        &world.client(),
        "/apis/cluster.open-cluster-management.io/v1/managedclusters/aws-007",
    )
    .await;
    daemon.until("the removal", is_done(19)).await;
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    assert_eq!(sealed(&world, 2).clusters.len(), 1);
    let clusters = world.read("tidegate/journal", "addons/hello-template/clusters.yaml");
    assert!(clusters.contains("its ManagedCluster was deleted"), "{clusters}");
    let source = world.repository();
    let explained =
        crate::cli::tidegate(&["explain", "hello-template", "aws-007", "--source", source.to_str().unwrap()]);
    let explained = String::from_utf8(explained.stdout).unwrap();
    assert!(explained.contains("\"someone deletes the ManagedCluster\" in docs/removal.md"), "{explained}");
}
