//! The agent of an add-on that registers on the hub: what its status says, and what it may do there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::IntoResponse as _;
use serde_json::{Value, json};
use tidegate_api::condition::Condition;
use tidegate_daemon::reconciler::Snapshot;

use super::world::{World, eventually, requests};

const ADDON: &str = "managed-serviceaccount";
const CLUSTER: &str = "aws-001";
const RBAC: &str = "rbac.authorization.k8s.io/v1";
const BINDING: &str = "open-cluster-management:managed-serviceaccount:clusterrole:agent";

async fn binding(world: &World) -> Option<Value> {
    world.object(RBAC, "rolebindings", CLUSTER, BINDING).await
}

fn applied(addon: &Value) -> Condition {
    let conditions: Vec<Condition> = serde_json::from_value(addon["status"]["conditions"].clone()).unwrap();
    conditions.into_iter().find(|condition| condition.type_ == "RegistrationApplied").unwrap()
}

/// Returns a client to which writes of RoleBindings are refused as long as the flag is set.
fn refusing(world: &World, is_refused: &Arc<AtomicBool>) -> kube::Client {
    let is_refused = is_refused.clone();
    let gate = move |request: Request, next: Next| {
        let is_refused = is_refused.load(Ordering::SeqCst)
            && request.method() != Method::GET
            && request.uri().path().contains("/rolebindings");
        async move { if is_refused { StatusCode::FORBIDDEN.into_response() } else { next.run(request).await } }
    };
    kube::Client::new(world.sandbox.router().layer(middleware::from_fn(gate)), "default")
}

/// Returns how many clusters wait for the permissions of their agents.
fn without_permissions(snapshot: &Snapshot) -> usize {
    let addon = snapshot.report.addons.get(ADDON).cloned().unwrap_or_default();
    addon.clusters.values().filter(|c| c.reason.contains("no permissions on the hub yet")).count()
}

#[tokio::test(start_paused = true)]
async fn real_hub_m3_a_canary_that_lacks_a_permission_of_the_new_version_holds_the_others_back() {
    let world = World::settled(20).await;
    let is_refused = Arc::new(AtomicBool::new(false));
    let mut daemon = world.daemon_on("mirror.git", refusing(&world, &is_refused)).await;
    daemon.until_settled("0.4.0").await;
    let template = "fleet/addons/managed-serviceaccount/template-0.4.1.yaml";
    let role = "open-cluster-management:managed-serviceaccount:hub";
    let entry = |name: &str| {
        format!(
            "          - type: CurrentCluster\n            currentCluster:\n              clusterRoleName: {name}\n"
        )
    };
    let more = format!("{}{}", entry(role), entry("view"));
    world.edit(template, &entry(role), &more);
    is_refused.store(true, Ordering::SeqCst);
    world.edit("fleet/addons/managed-serviceaccount/addon.yaml", "serviceaccount-0.4.0", "serviceaccount-0.4.1");
    let held = daemon.until("the canaries wait for their permissions", |s| without_permissions(s) >= 2).await;
    let upgraded = |s: &Snapshot| s.report.addons[ADDON].clusters.values().filter(|c| c.version == "0.4.1").count();
    assert_eq!(upgraded(&held), without_permissions(&held), "no other cluster has started");
    is_refused.store(false, Ordering::SeqCst);
    daemon.until("the end", |s| upgraded(s) == 20 && s.report.addons[ADDON].counts().succeeded == 20).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn real_hub_m3_a_canary_whose_permissions_are_refused_holds_the_others_back() {
    let world = World::new(20);
    let is_refused = Arc::new(AtomicBool::new(true));
    let mut daemon = world.daemon_on("mirror.git", refusing(&world, &is_refused)).await;
    let addon = |s: &Snapshot| s.report.addons.get(ADDON).cloned().unwrap_or_default();
    let waits =
        |s: &Snapshot| without_permissions(s) >= 2 && s.report.addons["hello-template"].counts().succeeded == 20;
    let held = daemon.until("the canaries wait for their permissions", waits).await;
    assert_eq!(addon(&held).counts().succeeded, 0, "no other cluster has started");
    is_refused.store(false, Ordering::SeqCst);
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_registers_gets_a_subject_and_its_permissions_and_nothing_is_written_twice() {
    let world = World::settled(12).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let addon = world.addon(CLUSTER, ADDON).await;
    let all = format!("system:open-cluster-management:addon:{ADDON}");
    let one = format!("system:open-cluster-management:cluster:{CLUSTER}:addon:{ADDON}");
    let subject = json!({ "user": format!("{one}:agent:{ADDON}-agent"), "groups": [one, all] });
    let registrations = json!([{ "type": "kubeClient", "kubeClient": { "subject": subject } }]);
    assert_eq!(addon["status"]["registrations"], registrations);
    assert_eq!(addon["status"]["namespace"], "open-cluster-management-agent-addon");
    assert_eq!((applied(&addon).status.as_str(), applied(&addon).reason.as_str()), ("True", "SetPermissionApplied"));
    let granted = binding(&world).await.unwrap();
    assert_eq!(granted["metadata"]["ownerReferences"][0]["uid"], addon["metadata"]["uid"]);
    assert_eq!(granted["roleRef"]["name"], "open-cluster-management:managed-serviceaccount:hub");
    let names = |binding: &Value| {
        let subjects = binding["subjects"].as_array().unwrap().iter();
        subjects.map(|subject| subject["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&granted), [format!("{one}:agent:{ADDON}-agent"), one]);

    // An agent that uses tokens is bound as its ServiceAccount, whatever it writes.
    let token = json!([{ "type": "kubeClient", "kubeClient": { "driver": "token", "subject": { "user": "system:serviceaccount:aws-001:a" } } }]);
    world.patch_addon_status(CLUSTER, ADDON, json!({ "registrations": token })).await;
    eventually("the agent has its permissions", async || {
        binding(&world)
            .await
            .is_some_and(|binding| names(&binding) == ["system:serviceaccount:aws-001:managed-serviceaccount-agent"])
    })
    .await;
    daemon.until("the rest", |s| s.writes == 0).await;
    let addon = world.addon(CLUSTER, ADDON).await;
    assert_eq!((&addon["status"]["registrations"], applied(&addon).status.as_str()), (&token, "True"));

    // A binding that someone deletes is created again.
    let path = format!("/apis/{RBAC}/namespaces/{CLUSTER}/rolebindings/{BINDING}");
    requests::delete(&world.client(), &path).await;
    let uid = granted["metadata"]["uid"].clone();
    eventually("the binding is back", async || {
        binding(&world).await.is_some_and(|binding| binding["metadata"]["uid"] != uid)
    })
    .await;
    daemon.until("the rest", |s| s.writes == 0).await;

    // A daemon that starts at rest writes nothing to the hub.
    daemon.end().await;
    let before = (world.addon(CLUSTER, ADDON).await, binding(&world).await);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    assert_eq!(daemon.metric("tidegate_hub_writes_total"), 0.0);
    assert_eq!((world.addon(CLUSTER, ADDON).await, binding(&world).await), before);
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_permission_that_leaves_the_template_leaves_the_hub() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    assert!(binding(&world).await.is_some());
    let path = "fleet/addons/managed-serviceaccount/template-0.4.0.yaml";
    world.edit(path, "CurrentCluster\n            currentCluster:\n              clusterRoleName: open-cluster-management:managed-serviceaccount:hub", "SingleNamespace\n            singleNamespace:\n              namespace: fleet-addons\n              roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shared}");
    eventually("the binding is gone", async || binding(&world).await.is_none()).await;
    let name = "open-cluster-management:managed-serviceaccount:role:agent";
    let shared = async || world.object(RBAC, "rolebindings", "fleet-addons", name).await;
    eventually("the shared binding exists", async || shared().await.is_some()).await;
    daemon.until_settled("0.4.0").await;
    let all = format!("system:open-cluster-management:addon:{ADDON}");
    let subject = json!([{ "apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": all }]);
    assert_eq!(shared().await.unwrap()["subjects"], subject);
    world.edit(path, "hubPermissions:\n          - type: SingleNamespace\n            singleNamespace:\n              namespace: fleet-addons\n              roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shared}", "hubPermissions: []");
    eventually("the shared binding is gone", async || shared().await.is_none()).await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}
