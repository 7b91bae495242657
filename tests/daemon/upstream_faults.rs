//! Delivery by OCM's add-on manager while other clients and processes misbehave: what waits keeps what it has, and nothing is uninstalled.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::progress::ClusterState;

use super::upstream::{daemon, works};
use super::world::{Running, World, addon_path, eventually, now, requests};
use crate::upstream::{AddonManager, LEASE_DURATION, Running as RunningManager};

const NAME: &str = "hello-template";
const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const ASSIGNMENT: &str = "tidegate.io/assignment";

/// A hub with ten canaries that do not become healthy with version 0.4.1, and four other clusters that wait with version 0.4.0.
pub(super) struct Held {
    pub(super) world: World,
    pub(super) manager: AddonManager,
    pub(super) running: RunningManager,
    pub(super) daemon: Running,
    /// The works before the rollout.
    pub(super) before: BTreeMap<String, (Value, Value)>,
}

impl Held {
    pub(super) async fn new() -> Self {
        let world = World::settled_upstream(14).await;
        let manager = AddonManager::new(now);
        let running = manager.start(world.client());
        let mut daemon = daemon(&world, DeliveryMode::Auto).await;
        daemon.until_settled("0.4.0").await;
        let before = works(&world, NAME).await;
        world.break_works_with("addon-examples:v0.4.1");
        world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
        daemon.until("ten canaries are under way", |s| s.report.addons[NAME].counts().progressing == 10).await;
        let held = Self { world, manager, running, daemon, before };
        eventually("the canaries have the next version", async || held.changed().await.len() == 10).await;
        held
    }

    /// Returns the clusters whose work differs from the one before the rollout.
    pub(super) async fn changed(&self) -> Vec<String> {
        let works = works(&self.world, NAME).await;
        works.into_iter().filter(|(cluster, work)| self.before.get(cluster) != Some(work)).map(|(c, _)| c).collect()
    }

    /// Returns the clusters that wait.
    pub(super) async fn waiting(&self) -> Vec<String> {
        let changed = self.changed().await;
        self.before.keys().filter(|cluster| !changed.contains(cluster)).cloned().collect()
    }

    /// Asserts for a while that only the canaries have the next version, and that every cluster has its work.
    pub(super) async fn assert_held(&mut self, what: &str) {
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let (changed, works) = (self.changed().await, works(&self.world, NAME).await);
            assert_eq!(changed.len(), 10, "{what}: changed are {changed:?}");
            if self.daemon.has_ended() {
                self.daemon.until(&format!("{what}: a rule was broken"), |_| false).await;
            }
            let is_same =
                |(cluster, (uid, _)): (&String, &(Value, Value))| works.get(cluster).is_some_and(|(now, _)| now == uid);
            assert!(self.before.iter().all(is_same), "{what}: nothing is uninstalled");
        }
    }

    /// Lets the canaries become healthy, and ends everything once the rollout is completed.
    pub(super) async fn complete(mut self) {
        self.world.heal_works();
        self.daemon.until_settled("0.4.1").await;
        let works = works(&self.world, NAME).await;
        let is_upgraded = |(_, work): &(Value, Value)| work.to_string().contains("addon-examples:v0.4.1");
        assert!(works.values().all(is_upgraded));
        self.daemon.end().await;
        self.running.stop().await;
    }
}

async fn annotate(world: &World, cluster: &str, value: &Value) {
    let patch = json!({ "metadata": { "annotations": { ASSIGNMENT: value } } });
    requests::patch(&world.client(), &addon_path(cluster, NAME), &patch).await;
}

/// Returns the assignment of a cluster; `Null` if it has none.
pub(super) async fn assignment(world: &World, cluster: &str) -> Value {
    let text = world.addon(cluster, NAME).await["metadata"]["annotations"][ASSIGNMENT].clone();
    text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_kind_of_configuration_that_is_new_reaches_no_cluster_before_its_turn() {
    let mut held = Held::new().await;
    let upgraded = held.world.read("main", ADDON);
    let default = "    - group: addon.open-cluster-management.io\n      resource: addondeploymentconfigs\n      \
                   namespace: fleet-addons\n      name: hello-template\n";
    assert!(upgraded.contains(default), "{upgraded}");
    let before = upgraded.replace(default, "").replace("hello-template-0.4.1", "hello-template-0.4.0");
    held.world.commit("only a template", [(ADDON.to_owned(), Some(before.into_bytes()))].into());
    held.daemon.until_settled("0.4.0").await;
    held.before = works(&held.world, NAME).await;
    held.world.commit("a configuration, too", [(ADDON.to_owned(), Some(upgraded.into_bytes()))].into());
    held.daemon.until("ten canaries are under way", |s| s.report.addons[NAME].counts().progressing == 10).await;
    eventually("the canaries have the next version", async || held.changed().await.len() >= 10).await;
    held.assert_held("a new kind of configuration").await;
    for cluster in held.waiting().await {
        let addon = held.world.addon(&cluster, NAME).await;
        let references = addon["status"]["configReferences"].as_array().unwrap().len();
        assert_eq!(references, 1, "{cluster} has only the template");
    }
    held.complete().await;
}

#[tokio::test(start_paused = true)]
async fn an_assignment_that_is_lost_or_garbage_is_made_again_from_what_the_cluster_names() {
    let mut held = Held::new().await;
    let waiting = held.waiting().await;
    let of_canary = held.world.addon("aws-001", NAME).await["metadata"]["annotations"][ASSIGNMENT].clone();
    assert!(!waiting.contains(&"aws-001".to_owned()));
    let good = held.world.addon(&waiting[0], NAME).await["metadata"]["annotations"][ASSIGNMENT].clone();
    let truncated = &good.as_str().unwrap()[..good.as_str().unwrap().len() / 2];
    let versions = [Value::Null, json!("garbage"), json!(truncated), json!("{}"), json!("[]"), of_canary];
    for garbage in versions {
        let cluster = &waiting[1];
        let before = assignment(&held.world, cluster).await;
        annotate(&held.world, cluster, &garbage).await;
        annotate(&held.world, "aws-002", &garbage).await;
        held.assert_held(&format!("{cluster} with assignment {garbage}")).await;
        let after = assignment(&held.world, cluster).await;
        for field in ["configReferences", "copies"] {
            let names = |assignment: &Value| {
                let list = assignment[field].as_array().cloned().unwrap_or_default();
                list.iter().map(|entry| entry["desiredConfig"].clone()).collect::<Vec<_>>()
            };
            assert_eq!(names(&after), names(&before), "{garbage}: {after}");
        }
    }
    held.complete().await;
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_crashes_in_the_middle_comes_back_to_the_same_rollout() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, NAME).await;
    // Half of the canaries are not rendered when it crashes.
    manager.control(|controls| controls.unrendered.extend((1..=5).map(|n| format!("aws-{n:03}"))));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons[NAME].counts().progressing >= 5).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    running.crash().await;
    let changed = async || {
        let works = works(&world, NAME).await;
        works.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).count()
    };
    let at_crash = changed().await;
    assert!((1..=10).contains(&at_crash), "{at_crash}");
    let writes = daemon.metric("tidegate_hub_writes_total");
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(changed().await, at_crash, "nothing else starts while the manager is down");
    }
    let written = daemon.metric("tidegate_hub_writes_total") - writes;
    assert!(written < 20.0, "there is no hand-over: {written} writes");
    manager.control(|controls| controls.unrendered.clear());
    let running = manager.start(world.client());
    // It waits until the lease of the process that crashed has expired.
    tokio::time::sleep(LEASE_DURATION).await;
    daemon.until_settled("0.4.1").await;
    let after = works(&world, NAME).await;
    assert!(after.iter().all(|(cluster, (uid, _))| before[cluster].0 == *uid), "no work was created again");
    daemon.end().await;
    running.stop().await;
}

/// Runs an upgrade during which the add-on manager stops, and returns the last tick before it was away for longer than the deadline.
async fn upgrade_without_manager(mode: DeliveryMode, is_crash: bool) -> (World, AddonManager, Running) {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, mode).await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 2m");
    daemon.until_settled("0.4.0").await;
    manager.control(|controls| controls.unrendered.extend((1..=14).map(|n| format!("aws-{n:03}"))));
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("ten canaries are under way", |s| s.report.addons[NAME].counts().progressing == 10).await;
    if is_crash {
        running.crash().await;
    } else {
        running.stop().await;
    }
    let notice = |s: &Snapshot| {
        s.facts.notices.iter().any(|notice| notice.contains("add-on manager, which delivers, has been away"))
    };
    daemon.until("a notice", notice).await;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let seen = daemon.until("a tick", |_| true).await;
        let addon = &seen.report.addons[NAME];
        assert_eq!((addon.counts().failed, &addon.problem), (0, &None), "waiting for the manager does not count");
    }
    world.until_journal("sync.yaml", "add-on manager, which delivers, has been away").await;
    manager.control(|controls| controls.unrendered.clear());
    (world, manager, daemon)
}

#[tokio::test(start_paused = true)]
async fn fault_f7_an_add_on_manager_that_is_away_is_reported() {
    let (world, manager, mut daemon) = upgrade_without_manager(DeliveryMode::Upstream, true).await;
    let running = manager.start(world.client());
    daemon.until_settled("0.4.1").await;
    daemon.until("no notice", |s| s.facts.notices.is_empty()).await;
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn fault_f8_waiting_for_the_add_on_manager_does_not_count_against_clusters() {
    let (_world, _manager, mut daemon) = upgrade_without_manager(DeliveryMode::Auto, false).await;
    // Tidegate delivers five minutes after the release of the lease.
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_add_on_that_someone_deletes_comes_back_in_its_turn() {
    let mut held = Held::new().await;
    let waiting = held.waiting().await;
    let (cluster, path) = (&waiting[0], addon_path(&waiting[0], NAME));
    requests::delete(&held.world.client(), &path).await;
    // A canary that is deleted is one of the clusters that may start.
    requests::delete(&held.world.client(), &addon_path("aws-003", NAME)).await;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(requests::get(&held.world.client(), &path).await, None, "it waits for its turn");
    }
    held.daemon
        .until("the canary is back", |s| s.report.addons[NAME].clusters["aws-003"].state == ClusterState::Progressing)
        .await;
    let canary = assignment(&held.world, "aws-003").await;
    assert_eq!(canary["configReferences"][0]["desiredConfig"]["name"].as_str().unwrap_or_default(), "hello-template");
    let canary = held.world.addon("aws-003", NAME).await["spec"]["configs"].clone();
    assert!(canary.to_string().contains("hello-template-0.4.1-"), "{canary}");
    let cluster = cluster.clone();
    held.world.heal_works();
    held.daemon.until_settled("0.4.1").await;
    let pins = held.world.addon(&cluster, NAME).await["spec"]["configs"].clone();
    assert!(pins.to_string().contains("hello-template-0.4.1-"), "{pins}");
    held.complete().await;
}

#[tokio::test(start_paused = true)]
async fn clusters_that_leave_and_join_in_the_middle_disturb_no_other() {
    let mut held = Held::new().await;
    let waiting = held.waiting().await;
    let path = |cluster: &str| format!("/apis/cluster.open-cluster-management.io/v1/managedclusters/{cluster}");
    let template = requests::get(&held.world.client(), &path(&waiting[0])).await.unwrap();
    // One is deleted, and one leaves the placement.
    requests::delete(&held.world.client(), &path(&waiting[0])).await;
    held.world.label(&waiting[1], "tidegate-test", "leaves").await;
    let joins = json!({
        "apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
        "metadata": { "name": "joins", "labels": template["metadata"]["labels"] }, "spec": template["spec"],
    });
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "joins" } });
    requests::create(&held.world.client(), "/api/v1/namespaces", &namespace).await;
    requests::create(&held.world.client(), "/apis/cluster.open-cluster-management.io/v1/managedclusters", &joins).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(held.changed().await.len(), 10);
    assert!(!held.world.clusters_with(NAME).await.contains(&"joins".to_owned()), "it waits for its turn");
    held.world.heal_works();
    held.daemon.until_settled("0.4.1").await;
    let clusters = held.world.clusters_with(NAME).await;
    assert!(clusters.contains(&"joins".to_owned()) && !clusters.contains(&waiting[0]), "{clusters:?}");
    held.daemon.end().await;
    held.running.stop().await;
    assert!(held.manager.writes() > 0);
}
