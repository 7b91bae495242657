//! Several replicas of a daemon: one leads, and the others take over without a cluster that starts twice.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::{Config, daemon};
use tidegate_model::name::NamespacedName;
use tokio::time::Instant;

use super::histories::Observer;
use super::world::{HubGate, Running, Waiting, World, eventually, requests};

const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/tidegate/leases/tidegate";
const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
/// Longer than a Lease is valid, with the time to read and begin.
const FAIL_OVER: Duration = Duration::from_secs(15);

/// Returns a settled world with the namespace of the Lease.
pub(super) async fn world() -> World {
    let world = World::settled(20).await;
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "tidegate" } });
    requests::create(&world.client(), "/api/v1/namespaces", &namespace).await;
    world
}

/// Returns the configuration of a replica.
pub(super) fn config(world: &World, mirror: &str) -> Config {
    let lease = Some(NamespacedName::new("tidegate", "tidegate"));
    Config { lease, poll: Duration::from_secs(10), ..world.config(mirror) }
}

/// Starts a replica with a way to the hub of its own.
async fn replica(world: &World, mirror: &str) -> (Waiting, HubGate) {
    let (client, gate) = world.gated();
    (world.replica(client, config(world, mirror)).await, gate)
}

/// Starts a leader, and a replica that stands by.
async fn pair(world: &World) -> ((Running, HubGate), (Waiting, HubGate)) {
    let (first, of_first) = replica(world, "mirror.git").await;
    let first = first.until_leading().await;
    let (mut second, of_second) = replica(world, "second.git").await;
    second.until_standing_by().await;
    ((first, of_first), (second, of_second))
}

async fn holder(world: &World) -> String {
    let lease = requests::get(&world.client(), LEASE).await;
    lease.map_or_else(String::new, |lease| lease["spec"]["holderIdentity"].as_str().unwrap_or_default().to_owned())
}

/// Pushes an upgrade, and waits until some clusters have got it, and others have not.
async fn half_upgraded(world: &World, daemon: &mut Running) {
    world.slow_agents(Duration::from_secs(3));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon
        .until("a half-finished upgrade", |snapshot| {
            let Some(addon) = snapshot.report.addons.get("hello-template") else { return false };
            let upgraded = addon.clusters.values().filter(|cluster| cluster.version == "0.4.1").count();
            (1..20).contains(&upgraded)
        })
        .await;
}

/// No cluster got a version twice.
fn each_cluster_was_upgraded_once(observer: &Observer) {
    for (cluster, versions) in observer.versions() {
        assert_eq!(versions, ["0.4.0", "0.4.1"], "{cluster}");
    }
}

fn each_cluster_was_upgraded_at_most_once(observer: &Observer) {
    for (cluster, versions) in observer.versions() {
        assert!(versions == ["0.4.0", "0.4.1"] || versions == ["0.4.0"], "{cluster}: {versions:?}");
    }
}

/// Returns everything on the hub that a daemon writes, apart from the statuses of agents.
async fn written(world: &World) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for path in [
        "/apis/work.open-cluster-management.io/v1/manifestworks",
        "/apis/addon.open-cluster-management.io/v1beta1/managedclusteraddons",
    ] {
        let list = requests::get(&world.client(), path).await.unwrap();
        for item in list["items"].as_array().unwrap() {
            let name = |field: &str| item["metadata"][field].as_str().unwrap_or_default().to_owned();
            all.insert(format!("{path}/{}/{}", name("namespace"), name("name")), item.clone());
        }
    }
    all
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_stands_by_takes_over_within_15_s_after_the_leader_was_killed() {
    let world = world().await;
    let observer = Observer::start(world.client());
    let ((mut first, _), (second, of_second)) = pair(&world).await;
    assert_eq!(first.metric("tidegate_leader"), 1.0);
    assert_eq!(
        second.registry.text().lines().find(|line| line.starts_with("tidegate_leader ")),
        Some("tidegate_leader 0")
    );
    half_upgraded(&world, &mut first).await;
    assert_eq!(of_second.written(), 0, "a replica that stands by writes nothing");
    first.kill().await;
    let killed = Instant::now();
    let mut second = second.until_leading().await;
    second.until("a tick", |snapshot| snapshot.tick > 0).await;
    assert!(killed.elapsed() < FAIL_OVER, "{:?}", killed.elapsed());
    second.until_settled("0.4.1").await;
    each_cluster_was_upgraded_once(&observer);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_replica_whose_watches_are_stalled_lists_the_hub_before_it_decides() {
    let world = world().await;
    let observer = Observer::start(world.client());
    let ((mut first, _), (second, of_second)) = pair(&world).await;
    of_second.stall();
    half_upgraded(&world, &mut first).await;
    first.kill().await;
    let mut second = second.until_leading().await;
    second.until("a tick", |snapshot| snapshot.tick > 0).await;
    assert_eq!(second.metric("tidegate_hub_conflicts_total"), 0.0, "it knows what the first one wrote");
    each_cluster_was_upgraded_at_most_once(&observer);
    second.kill().await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_is_stopped_hands_over_at_once_and_so_does_each_replica_of_a_rolling_update() {
    let world = world().await;
    let observer = Observer::start(world.client());
    let ((mut leader, _), (mut next, _)) = pair(&world).await;
    half_upgraded(&world, &mut leader).await;
    for mirror in ["third.git", "fourth.git"] {
        let stopped = Instant::now();
        leader.stopped().await.unwrap();
        leader = next.until_leading().await;
        assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
        next = replica(&world, mirror).await.0;
        next.until_standing_by().await;
    }
    leader.until_settled("0.4.1").await;
    each_cluster_was_upgraded_once(&observer);
    assert!(!next.has_led());
    next.stopped().await;
    leader.end().await;
    assert!(world.read("tidegate/journal", "sync.yaml").contains("\nterm: 3\n"));
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_its_lease_stops_writing_before_another_one_leads() {
    let world = world().await;
    let observer = Observer::start(world.client());
    let ((mut first, of_first), (second, _)) = pair(&world).await;
    half_upgraded(&world, &mut first).await;
    // Its watches continue, so that it sees everything and could decide.
    of_first.refuse();
    eventually("the leader knows that it may not write", async || first.metric("tidegate_leader") == 0.0).await;
    assert!(!second.has_led(), "the old leader stops first");
    let before = of_first.written();
    let mut second = second.until_leading().await;
    of_first.open();
    let error = first.ended().await.unwrap_err();
    let is_expected = matches!(&error, daemon::Error::Succeeded { leader, .. } if leader == "second.git");
    assert!(is_expected || matches!(error, daemon::Error::Rival(_)), "{error:?}");
    assert_eq!(of_first.written(), before, "nothing was written after that");
    second.until_settled("0.4.1").await;
    each_cluster_was_upgraded_once(&observer);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_leader_that_loses_the_hub_alone_continues_when_it_is_back_and_no_other_replica_runs() {
    let world = world().await;
    let (first, of_first) = replica(&world, "mirror.git").await;
    let mut first = first.until_leading().await;
    half_upgraded(&world, &mut first).await;
    of_first.close();
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!(first.metric("tidegate_leader"), 0.0);
    of_first.open();
    first.until_settled("0.4.1").await;
    assert_eq!(first.metric("tidegate_leader"), 1.0);
    assert!(world.read("tidegate/journal", "sync.yaml").contains("\nterm: 1\n"), "its term went on");
    first.end().await;
    assert_eq!(holder(&world).await, "", "the Lease was given up");
}

#[tokio::test(start_paused = true)]
async fn writes_of_a_leader_that_arrive_an_hour_late_change_nothing() {
    let world = world().await;
    let observer = Observer::start(world.client());
    let ((mut first, of_first), (second, _)) = pair(&world).await;
    half_upgraded(&world, &mut first).await;
    // The writes of its next tick are on their way for an hour: the leader was suspended after it had looked at its clock.
    of_first.hold();
    let mut second = second.until_leading().await;
    second.until_settled("0.4.1").await;
    assert!(of_first.held() > 1, "more than the renewal of the Lease");
    let reads = first.metric("tidegate_hub_reads_total");
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    let more = first.metric("tidegate_hub_reads_total") - reads;
    assert!(more < 500.0, "a leader that may not write lists the hub no more often than others: {more}");
    let before = written(&world).await;
    let seen = of_first.written();
    of_first.release();
    first.ended().await.unwrap_err();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(of_first.written(), seen, "the hub refused what came late");
    assert_eq!(written(&world).await, before);
    each_cluster_was_upgraded_once(&observer);
    second.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_cannot_use_the_lease_leads_once_it_can() {
    let world = World::settled(20).await;
    let (mut first, of_first) = replica(&world, "mirror.git").await;
    first.until_standing_by().await;
    let away = "tidegate_away_since_timestamp_seconds{part=\"Lease\"} 0";
    eventually("the absence is known", async || !first.registry.text().contains(away)).await;
    assert!(!first.has_led() && of_first.written() == 0, "the namespace of the Lease does not exist");
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "tidegate" } });
    requests::create(&world.client(), "/api/v1/namespaces", &namespace).await;
    let first = first.until_leading().await;
    assert!(first.registry.text().contains(away));
    first.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_a_person_deletes_is_created_again_by_the_leader() {
    let world = world().await;
    let ((first, _), (second, _)) = pair(&world).await;
    for _ in 0..3 {
        requests::delete(&world.client(), LEASE).await;
        eventually("the Lease is back", async || holder(&world).await == "mirror.git").await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert!(!second.has_led() && !first.has_ended());
    }
    second.stopped().await;
    first.end().await;
}
