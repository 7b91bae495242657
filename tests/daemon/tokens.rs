//! Agents that use tokens instead of certificates.

use axum::http::Request;
use serde_json::{Value, json};

use super::world::{World, eventually};

const ADDON: &str = "managed-serviceaccount";
const CLUSTER: &str = "aws-001";
const RBAC: &str = "rbac.authorization.k8s.io/v1";
const ACCOUNT: &str = "/api/v1/namespaces/aws-001/serviceaccounts/managed-serviceaccount-agent";

async fn account(world: &World) -> Option<Value> {
    world.client().request(Request::get(ACCOUNT).body(Vec::new()).unwrap()).await.ok()
}

/// Returns the role and its binding.
async fn role(world: &World) -> [Option<Value>; 2] {
    let name = "managed-serviceaccount-token-role";
    [world.object(RBAC, "roles", CLUSTER, name).await, world.object(RBAC, "rolebindings", CLUSTER, name).await]
}

/// Sets the driver of the agent, as the agent does.
async fn choose(world: &World, driver: &str) {
    let mut registrations = world.addon(CLUSTER, ADDON).await["status"]["registrations"].clone();
    registrations[0]["kubeClient"]["driver"] = json!(driver);
    world.patch_addon_status(CLUSTER, ADDON, json!({ "registrations": registrations })).await;
}

/// Lets an agent use tokens and then certificates again; in between, someone removes a permission from its role.
pub(super) async fn used_for_a_while(world: &World) {
    choose(world, "token").await;
    until_ready(world).await;
    let path = format!("/apis/{RBAC}/namespaces/{CLUSTER}/roles/{ADDON}-token-role");
    let patch = Request::patch(path).header("content-type", "application/merge-patch+json");
    let patch = patch.body(br#"{"rules": []}"#.to_vec()).unwrap();
    world.client().request::<Value>(patch).await.unwrap();
    let is_restored = async || role(world).await[0].as_ref().is_some_and(|role| role["rules"][0].is_object());
    eventually("the role is restored", is_restored).await;
    choose(world, "csr").await;
    eventually("the role is deleted", async || role(world).await == [None, None]).await;
}

/// Returns the message of the condition from which the agent reads the uid.
async fn ready(world: &World) -> Option<String> {
    let addon = world.addon(CLUSTER, ADDON).await;
    let conditions = addon["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let found = conditions.into_iter().find(|condition| condition["type"] == "TokenInfrastructureReady")?;
    assert_eq!((&found["status"], &found["reason"]), (&json!("True"), &json!("TokenInfrastructureReady")));
    Some(found["message"].as_str().unwrap().to_owned())
}

async fn until_ready(world: &World) -> String {
    eventually("the agent can request tokens", async || {
        let Some(account) = account(world).await else { return false };
        let uid = account["metadata"]["uid"].as_str().unwrap().to_owned();
        let message = format!("ServiceAccount aws-001/managed-serviceaccount-agent (UID: {uid}) is ready");
        ready(world).await == Some(message)
    })
    .await;
    ready(world).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_uses_tokens_gets_a_service_account_and_loses_it_with_its_driver() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    assert_eq!((account(&world).await, ready(&world).await), (None, None), "the agent has not chosen tokens");
    choose(&world, "token").await;
    let before = until_ready(&world).await;
    let [Some(role), Some(binding)] = role(&world).await else { panic!("no role") };
    let create = json!({
        "apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": ["create"],
        "resourceNames": ["managed-serviceaccount-agent"],
    });
    let subscribe = json!({ "apiGroups": [""], "resources": ["serviceaccounts/token"], "verbs": ["subscribe"] });
    assert_eq!(role["rules"], json!([create, subscribe]));
    let group = |name: &str| json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": name });
    let groups = ["system:open-cluster-management:aws-001", "open-cluster-management:aws-001"].map(group);
    assert_eq!((&binding["subjects"], &binding["roleRef"]["name"]), (&json!(groups), &role["metadata"]["name"]));
    let labels = &binding["metadata"]["labels"];
    assert_eq!(labels["addon.open-cluster-management.io/name"], ADDON);
    assert_eq!(labels["addon.open-cluster-management.io/token-infrastructure"], "true");
    daemon.until("the rest", |s| s.writes == 0 && s.failures.is_empty() && s.facts.notices.is_empty()).await;

    // A ServiceAccount that someone deletes is created again, and the agent is given its uid.
    let delete = Request::delete(ACCOUNT).body(Vec::new()).unwrap();
    world.client().request::<Value>(delete).await.unwrap();
    eventually("the new uid", async || ready(&world).await.is_some_and(|message| message != before)).await;
    until_ready(&world).await;
    daemon.until("the rest", |s| s.writes == 0 && s.failures.is_empty() && s.facts.notices.is_empty()).await;

    choose(&world, "csr").await;
    eventually("the objects are deleted", async || {
        account(&world).await.is_none() && self::role(&world).await == [None, None] && ready(&world).await.is_none()
    })
    .await;
    daemon.until("the rest", |s| s.writes == 0 && s.failures.is_empty() && s.facts.notices.is_empty()).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn the_objects_of_an_agent_stay_until_its_pre_delete_hook_has_completed() {
    let world = World::new(11);
    world.break_works_with("say-goodbye");
    let path = "fleet/addons/managed-serviceaccount/template-0.4.0.yaml";
    world.edit(path, "manifests:\n", super::hooks::JOB);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    choose(&world, "token").await;
    until_ready(&world).await;
    daemon.until("the rest", |s| s.writes == 0).await;
    let addon =
        "/apis/addon.open-cluster-management.io/v1beta1/namespaces/aws-001/managedclusteraddons/managed-serviceaccount";
    let delete = Request::delete(addon).body(Vec::new()).unwrap();
    world.client().request::<Value>(delete).await.unwrap();
    let before = account(&world).await;
    daemon
        .until("the hook", |s| {
            s.writes == 0 && s.report.addons[ADDON].clusters[CLUSTER].reason == "its pre-delete hook has not completed"
        })
        .await;
    assert_eq!(account(&world).await, before);
    world.heal_works();
    eventually("the objects are deleted", async || {
        account(&world).await.is_none() && role(&world).await == [None, None]
    })
    .await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_cluster_that_names_other_subjects_in_its_status_gets_no_binding_for_them() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let name = "open-cluster-management:managed-serviceaccount:clusterrole:agent";
    let binding = async || world.object(RBAC, "rolebindings", CLUSTER, name).await.unwrap();
    let before = binding().await["subjects"].clone();
    let one = format!("system:open-cluster-management:cluster:{CLUSTER}:addon:{ADDON}");
    let subject =
        |kind: &str, name: &str| json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name });
    assert_eq!(before, json!([subject("User", &format!("{one}:agent:{ADDON}-agent")), subject("Group", &one)]));
    let eve = json!({ "user": "eve", "groups": ["system:unauthenticated"] });
    let status = json!([{ "type": "kubeClient", "kubeClient": { "driver": "token", "subject": eve } }]);
    world.patch_addon_status(CLUSTER, ADDON, json!({ "registrations": status })).await;
    let account = json!([subject("User", &format!("system:serviceaccount:{CLUSTER}:{ADDON}-agent"))]);
    eventually("the ServiceAccount of the agent is bound", async || binding().await["subjects"] == account).await;
    daemon.until("the rest", |s| s.writes == 0).await;
    assert_eq!(binding().await["subjects"], account);
    daemon.end().await;
}
