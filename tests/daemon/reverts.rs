//! Another controller that writes the same objects, as OCM's add-on manager does: Tidegate does not fight it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::world::{World, eventually, requests, work_path};
use tidegate_daemon::reconciler::Snapshot;

const LIFECYCLE: &str = "addon.open-cluster-management.io/lifecycle";
const ADDON: &str = "/apis/addon.open-cluster-management.io/v1beta1/clustermanagementaddons/hello-template";

/// Puts an object back whenever it is not as this controller wants it, and counts how often.
struct Rival {
    writes: Arc<AtomicU32>,
    task: JoinHandle<()>,
}

impl Rival {
    fn start(client: kube::Client, path: String, wants: fn(&Value) -> bool, patch: Value) -> Self {
        let writes = Arc::new(AtomicU32::new(0));
        let count = writes.clone();
        let task = tokio::spawn(async move {
            loop {
                if !wants(&requests::get(&client, &path).await.unwrap()) {
                    requests::patch(&client, &format!("{path}?fieldManager=addon-manager"), &patch).await;
                    count.fetch_add(1, Ordering::SeqCst);
                }
                sleep(Duration::from_secs(1)).await;
            }
        });
        Self { writes, task }
    }

    fn writes(&self) -> u32 {
        self.writes.load(Ordering::SeqCst)
    }
}

fn contested(snapshot: &Snapshot) -> Vec<&String> {
    snapshot.failures.iter().filter(|line| line.contains("changes it back")).collect()
}

#[tokio::test(start_paused = true)]
async fn writes_that_another_controller_reverts_end_after_a_few_attempts_and_name_it() {
    let world = World::settled(4).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let not_self = |object: &Value| object["metadata"]["annotations"][LIFECYCLE] != "self";
    let annotation = json!({ "metadata": { "annotations": { (LIFECYCLE): "" } } });
    let empty = |object: &Value| object["spec"]["workload"]["manifests"].as_array().is_some_and(Vec::is_empty);
    let no_manifests = json!({ "spec": { "workload": { "manifests": [] } } });
    let rivals = [
        Rival::start(world.client(), ADDON.to_owned(), not_self, annotation),
        Rival::start(world.client(), work_path("aws-001", "hello-template"), empty, no_manifests),
    ];
    let seen = daemon.until("both objects are contested", |s| contested(s).len() == 2).await;
    for line in contested(&seen) {
        assert!(line.contains("\"addon-manager\" changes it back whenever Tidegate writes it"), "{line}");
    }
    assert!(contested(&seen).iter().any(|line| line.starts_with("fleet/addons/hello-template/addon.yaml:")));

    // One more attempt after a minute.
    let before = rivals.each_ref().map(Rival::writes);
    assert!(before.iter().all(|writes| (5..=6).contains(writes)), "{before:?}");
    sleep(Duration::from_secs(80)).await;
    let after = rivals.each_ref().map(Rival::writes);
    for (before, after) in before.into_iter().zip(after) {
        // The first count may have been taken just before the other controller answered.
        assert!((before + 1..=before + 2).contains(&after), "{before} writes, {after} after another minute");
    }

    // Without the other controller, the objects are restored after the next pause.
    rivals.iter().for_each(|rival| rival.task.abort());
    sleep(Duration::from_secs(120)).await;
    daemon.until("no object is contested", |s| contested(s).is_empty() && s.writes == 0).await;
    eventually("the work is restored", async || {
        let work = world.work("aws-001", "hello-template").await.unwrap();
        work["spec"]["workload"]["manifests"].as_array().is_some_and(|manifests| !manifests.is_empty())
    })
    .await;
    daemon.end().await;
}
