//! Delivery by an add-on's own manager, which needs no AddOnTemplate and has a kind of configuration of its own.

use std::time::Duration;

use serde_json::{Value, json};

use super::upstream::{daemon, works};
use super::world::{World, addon_path, eventually, now, requests};
use crate::upstream::{AddonManager, DEPLOYMENT_CONFIG, Kind, OwnManager};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::progress::ClusterState;

const NAME: &str = "own";
const SETTINGS: Kind = Kind { group: "example.com", version: "v1", kind: "Setting", plural: "settings" };
const ADDON: &str = "apiVersion: addon.open-cluster-management.io/v1beta1
kind: ClusterManagementAddOn
metadata:
  name: own
  annotations: {addon.open-cluster-management.io/lifecycle: addon-manager}
spec:
  defaultConfigs:
    - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: fleet-addons, name: own}
    - {group: example.com, resource: settings, namespace: fleet-addons, name: own}
  installStrategy:
    type: Placements
    placements:
      - namespace: fleet-addons
        name: fleet
        rolloutStrategy:
          type: ProgressivePerGroup
          progressivePerGroup: {mandatoryDecisionGroups: [{groupName: canary}]}
---
apiVersion: addon.open-cluster-management.io/v1beta1
kind: AddOnDeploymentConfig
metadata: {name: own, namespace: fleet-addons}
spec: {agentInstallNamespace: own}
---
apiVersion: example.com/v1
kind: Setting
metadata: {name: own, namespace: fleet-addons}
spec: {mode: light}
";

/// A hub that serves the add-on's own kind, and a repository with the add-on.
async fn prepared() -> World {
    let world = World::new(14);
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "settings.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "Setting", "listKind": "SettingList", "plural": "settings", "singular": "setting" },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }],
        },
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    requests::create(&world.client(), definitions, &definition).await;
    world.commit(
        "an add-on with a manager of its own",
        [("fleet/own.yaml".to_owned(), Some(ADDON.as_bytes().to_vec()))].into(),
    );
    world
}

/// Reports the add-on as available where it is not, as the controller of its lease does.
async fn report_available(world: &World) {
    for cluster in world.clusters_with(NAME).await {
        let mut conditions = world.addon(&cluster, NAME).await["status"]["conditions"].clone();
        let Some(list) = conditions.as_array_mut().filter(|list| list.iter().all(|c| c["type"] != "Available")) else {
            continue;
        };
        list.push(json!({
            "type": "Available", "status": "True", "reason": "ManagedClusterAddOnLeaseUpdated", "message": "",
            "lastTransitionTime": now().to_string(),
        }));
        let patch = json!({ "status": { "conditions": conditions } });
        requests::patch(&world.client(), &format!("{}/status", addon_path(&cluster, NAME)), &patch).await;
    }
}

fn configurations(work: &Value) -> &str {
    work["spec"]["workload"]["manifests"][0]["data"]["configurations"].as_str().unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_add_on_with_a_manager_of_its_own_is_rolled_out_in_turn() {
    let world = prepared().await;
    let manager = AddonManager::new(now);
    let own = OwnManager { addon: NAME.to_owned(), configs: vec![DEPLOYMENT_CONFIG, SETTINGS] };
    manager.control(|controls| controls.own_managers.push(own));
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    let seen = daemon.until("a tick with the add-on", |s| s.report.addons.contains_key(NAME)).await;
    assert!(seen.facts.revision.complaints.is_empty(), "{:?}", seen.facts.revision.complaints);
    eventually("the canaries have it", async || works(&world, NAME).await.len() == 10).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(world.clusters_with(NAME).await.len(), 10, "the others wait until the canaries are available");
    eventually("all clusters have it", async || {
        report_available(&world).await;
        works(&world, NAME).await.len() == 14
    })
    .await;
    let is_done =
        |s: &tidegate_daemon::reconciler::Snapshot| s.writes == 0 && s.report.addons[NAME].counts().succeeded == 14;
    report_available(&world).await;
    daemon.until("all are done", is_done).await;
    let before = works(&world, NAME).await;

    manager.control(|controls| controls.unrendered.extend((1..=5).map(|n| format!("aws-{n:03}"))));
    world.edit("fleet/own.yaml", "mode: light", "mode: dark");
    daemon.until("the canaries are under way", |s| s.report.addons[NAME].counts().progressing == 5).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    let after = works(&world, NAME).await;
    let changed: Vec<_> = after.iter().filter(|(cluster, work)| before.get(*cluster) != Some(work)).collect();
    assert_eq!(changed.len(), 5, "{changed:?}");
    let work = world.work(changed[0].0, NAME).await.unwrap();
    assert!(configurations(&work).starts_with("own-") && configurations(&work).contains(" own-"), "{work:#}");
    manager.control(|controls| controls.unrendered.clear());
    daemon.until("all are done", is_done).await;
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn without_the_add_on_manager_the_reason_names_what_is_missing() {
    let world = prepared().await;
    let mut daemon = daemon(&world, DeliveryMode::Native).await;
    let seen = daemon
        .until("the canaries", |s| {
            let addon = s.report.addons.get(NAME);
            s.writes == 0 && addon.is_some_and(|addon| addon.counts().progressing == 10)
        })
        .await;
    let cluster = &seen.report.addons[NAME].clusters["aws-001"];
    assert_eq!(cluster.state, ClusterState::Progressing);
    assert_eq!(cluster.reason, "the add-on has no AddOnTemplate, so only a manager of its own can deliver it");
    assert!(cluster.opens.starts_with("OCM's add-on manager runs, or [delivery] mode"), "{}", cluster.opens);
    daemon.end().await;
}
