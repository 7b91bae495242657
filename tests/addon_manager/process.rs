//! The process of the stand-in: its lease, and what happens when it ends.

use serde_json::{Value, json};

use super::setup::*;
use crate::upstream::{LEASE_DURATION, LEASE_NAME, LEASE_NAMESPACE, RENEWAL};

async fn lease(setup: &Setup) -> Value {
    let path = format!("/apis/coordination.k8s.io/v1/namespaces/{LEASE_NAMESPACE}/leases/{LEASE_NAME}");
    setup.read(&path).await.unwrap()["spec"].clone()
}

async fn installed() -> Setup {
    let setup = Setup::new();
    setup.sandbox.seed([template("a", "agent:1", &[]), declared("a")]).unwrap();
    setup.install("cluster1", json!([]));
    setup.settle().await;
    setup
}

#[tokio::test(start_paused = true)]
async fn a_running_manager_renews_its_lease() {
    let setup = installed().await;
    let before = lease(&setup).await;
    assert_eq!(before["leaseDurationSeconds"], 137);
    tokio::time::sleep(RENEWAL * 2).await;
    let after = lease(&setup).await;
    assert_eq!(after["holderIdentity"], before["holderIdentity"]);
    assert_ne!(after["renewTime"], before["renewTime"]);
}

#[tokio::test(start_paused = true)]
async fn a_manager_that_is_stopped_releases_its_lease_and_writes_nothing() {
    let Setup { sandbox, manager, running } = installed().await;
    running.stop().await;
    let writes = manager.counts();
    let running = manager.start(sandbox.client());
    let setup = Setup { sandbox, manager, running };
    setup.settle().await;
    assert_eq!(lease(&setup).await["leaseTransitions"], 1, "the next process takes the lease at once");
    let Setup { sandbox, manager, running } = setup;
    running.stop().await;
    sandbox.seed([declared_as("other")]).unwrap();
    tokio::time::sleep(RENEWAL * 10).await;
    let unchanged = |kind: &str| manager.counts().get(kind) == writes.get(kind);
    assert!(unchanged("ManifestWork") && unchanged("ClusterManagementAddOn/status"), "{:?}", manager.counts());
}

fn declared_as(name: &str) -> Value {
    let mut declared = declared("a");
    declared["metadata"]["name"] = json!(name);
    declared
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_manager_that_crashes_expires_before_another_one_acts() {
    let Setup { sandbox, manager, running } = installed().await;
    running.crash().await;
    let running = manager.start(sandbox.client());
    let setup = Setup { sandbox, manager, running };
    let before = lease(&setup).await;
    setup.delete(&work("cluster1")).await;
    tokio::time::sleep(LEASE_DURATION / 2).await;
    assert_eq!(lease(&setup).await["renewTime"], before["renewTime"]);
    assert_eq!(setup.work("cluster1").await, None);
    tokio::time::sleep(LEASE_DURATION).await;
    assert_ne!(lease(&setup).await["holderIdentity"], before["holderIdentity"]);
    assert!(setup.work("cluster1").await.is_some());
}
