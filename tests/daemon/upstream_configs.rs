//! Delivery by OCM's add-on manager: copies that others change, and configurations of single clusters.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tidegate_delivery::upstream::DeliveryMode;

use super::upstream::{daemon, works};
use super::upstream_faults::{Held, assignment};
use super::world::{World, addon_path, eventually, now, requests};
use crate::upstream::AddonManager;

const NAME: &str = "hello-template";
const ACCOUNT: &str = "managed-serviceaccount";
const V1BETA1: &str = "addon.open-cluster-management.io/v1beta1";
const OVERRIDE: &str = "fleet/addons/managed-serviceaccount/cluster-aws-007.yaml";

/// Returns the name of the only copy of a template.
async fn copy_of(world: &World, template: &str) -> String {
    let templates = world.list("addon.open-cluster-management.io/v1alpha1", "addontemplates").await;
    let names = templates.iter().filter_map(|template| template["metadata"]["name"].as_str());
    let copies: Vec<&str> = names.filter(|name| name.starts_with(&format!("{template}-"))).collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    copies[0].to_owned()
}

fn template_path(name: &str) -> String {
    format!("/apis/addon.open-cluster-management.io/v1alpha1/addontemplates/{name}")
}

fn pins(addon: &Value) -> String {
    addon["spec"]["configs"].to_string()
}

#[tokio::test(start_paused = true)]
async fn a_copy_that_someone_edits_or_deletes_is_restored() {
    let mut held = Held::new().await;
    let path = template_path(&copy_of(&held.world, "hello-template-0.4.0").await);
    let client = held.world.client();
    let copy = requests::get(&client, &path).await.unwrap();
    let edited: Value =
        serde_json::from_str(&copy["spec"].to_string().replace("addon-examples:v0.4.0", "addon-examples:evil"))
            .unwrap();
    assert_ne!(edited, copy["spec"]);
    requests::patch(&client, &path, &json!({ "spec": edited })).await;
    eventually("the copy is as it was", async || {
        requests::get(&client, &path).await.is_some_and(|found| found["spec"] == copy["spec"])
    })
    .await;
    eventually("only the canaries differ", async || held.changed().await.len() == 10).await;
    held.assert_held("an edited copy").await;

    requests::delete(&client, &path).await;
    eventually("the copy is back", async || {
        requests::get(&client, &path).await.is_some_and(|found| found["spec"] == copy["spec"])
    })
    .await;
    held.assert_held("a deleted copy").await;

    // Its original leaves the repository, and the copy is deleted again.
    held.world.commit("no old template", [("fleet/addons/hello-template/template-0.4.0.yaml".to_owned(), None)].into());
    held.assert_held("a template that left the repository").await;
    requests::delete(&client, &path).await;
    eventually("the copy is back", async || requests::get(&client, &path).await.is_some()).await;
    held.assert_held("a copy without an original").await;
    // A process without the earlier revisions finds the content in the copy.
    let waiting = held.waiting().await;
    held.daemon.kill().await;
    std::fs::remove_dir_all(held.world.path("mirror.git")).unwrap();
    held.daemon = daemon(&held.world, DeliveryMode::Auto).await;
    let patch = json!({ "metadata": { "annotations": { "tidegate.io/assignment": null } } });
    requests::patch(&client, &addon_path(&waiting[0], NAME), &patch).await;
    held.assert_held("a lost assignment of a template that left the repository").await;
    assert!(assignment(&held.world, &waiting[0]).await.to_string().contains("hello-template-0.4.0"));
    held.complete().await;
}

#[tokio::test(start_paused = true)]
async fn a_copy_of_another_instance_is_neither_used_nor_changed() {
    let mut held = Held::new().await;
    let path = template_path(&copy_of(&held.world, "hello-template-0.4.0").await);
    let client = held.world.client();
    let claim = json!({ "metadata": { "labels": { "tidegate.io/instance": "fedcba9876543210" } } });
    requests::patch(&client, &path, &claim).await;
    held.assert_held("a claimed copy").await;
    let waiting = held.waiting().await;
    let patch = json!({ "metadata": { "annotations": { "tidegate.io/assignment": null } } });
    requests::patch(&client, &addon_path(&waiting[0], NAME), &patch).await;
    held.assert_held("a claimed copy and a lost assignment").await;
    let found = requests::get(&client, &path).await.unwrap();
    assert_eq!(found["metadata"]["labels"]["tidegate.io/instance"], "fedcba9876543210");
    let seen = held.daemon.until("a tick", |_| true).await;
    assert!(seen.report.notices.iter().any(|notice| notice.contains("fedcba9876543210")), "{:?}", seen.report.notices);
    held.complete().await;
}

#[tokio::test(start_paused = true)]
async fn a_configuration_of_a_single_cluster_changes_and_leaves_with_its_declaration() {
    let world = World::settled_upstream(14).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut daemon = daemon(&world, DeliveryMode::Auto).await;
    daemon.until_settled("0.4.0").await;
    let before = works(&world, ACCOUNT).await;
    assert!(pins(&world.addon("aws-007", ACCOUNT).await).contains("managed-serviceaccount-aws-007-"));
    let changed = async |before: &BTreeMap<String, (Value, Value)>| {
        let works = works(&world, ACCOUNT).await;
        works.into_iter().filter(|(c, work)| before.get(c) != Some(work)).map(|(c, _)| c).collect::<Vec<_>>()
    };
    world.edit(OVERRIDE, "value: \"8\"", "value: \"6\"");
    eventually("aws-007 has the change", async || !changed(&before).await.is_empty()).await;
    daemon.until_settled("0.4.0").await;
    assert_eq!(changed(&before).await, ["aws-007"]);

    let before = works(&world, ACCOUNT).await;
    world.commit("the investigation is over", [(OVERRIDE.to_owned(), None)].into());
    eventually("aws-007 has the configuration of its placement", async || {
        pins(&world.addon("aws-007", ACCOUNT).await).contains("managed-serviceaccount-aws-")
            && !pins(&world.addon("aws-007", ACCOUNT).await).contains("aws-007")
    })
    .await;
    daemon.until_settled("0.4.0").await;
    assert_eq!(changed(&before).await, ["aws-007"]);
    let addon = world.addon("aws-007", ACCOUNT).await;
    assert_eq!(addon["metadata"]["labels"].get("tidegate.io/owned"), None, "{addon:#}");
    daemon.end().await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn configurations_that_were_set_by_hand_stay_when_tidegate_takes_over() {
    let world = World::new(12);
    let client = world.client();
    let mut native = daemon(&world, DeliveryMode::Native).await;
    native.until_settled("0.4.0").await;
    native.kill().await;
    let own = json!({
        "apiVersion": V1BETA1, "kind": "AddOnDeploymentConfig",
        "metadata": { "name": "by-hand", "namespace": "fleet-addons" },
        "spec": { "customizedVariables": [{ "name": "LOG_LEVEL", "value": "9" }] },
    });
    requests::create(&client, &format!("/apis/{V1BETA1}/namespaces/fleet-addons/addondeploymentconfigs"), &own).await;
    let configs = json!([{
        "group": "addon.open-cluster-management.io", "resource": "addondeploymentconfigs",
        "namespace": "fleet-addons", "name": "by-hand",
    }]);
    requests::patch(&client, &addon_path("gcp-003", NAME), &json!({ "spec": { "configs": configs } })).await;
    let before = works(&world, NAME).await;
    let manager = AddonManager::new(now);
    let running = manager.start(world.client());
    let mut upstream = daemon(&world, DeliveryMode::Upstream).await;
    tokio::time::sleep(std::time::Duration::from_secs(30)).await;
    let seen = upstream.until("a tick", |s| s.tick > 3).await;
    let cluster = &seen.report.addons[NAME].clusters["gcp-003"];
    assert_eq!(cluster.reason, "waits for a configuration that is not in the repository: fleet-addons/by-hand");
    assert_eq!(works(&world, NAME).await, before);
    upstream.end().await;
    running.stop().await;
}
