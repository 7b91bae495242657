//! Least privilege: what a daemon used is what the generated role grants, no more and no less.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tidegate::doctor::{PERMISSIONS, Permission, Proof, manifests};
use tidegate_daemon::reconciler::Snapshot;
use tidegate_delivery::upstream::{Delivery, DeliveryMode};
use tidegate_model::object::GroupKind;

use super::registration_agent::{KUBE, RegistrationAgent};
use super::world::{World, eventually, now, requests};
use crate::certificate_request::Asked;
use crate::upstream::AddonManager;

/// A verb on a resource: `list managedclusters.cluster.open-cluster-management.io`.
pub(crate) type Uses = BTreeSet<String>;

fn spelled(verb: &str, group: &str, resource: &str) -> String {
    if group.is_empty() { format!("{verb} {resource}") } else { format!("{verb} {resource}.{group}") }
}

/// Returns what the API server authorizes for a request; nothing for the discovery of kinds, which everyone may read.
pub(crate) fn uses(method: &str, path: &str, query: &str, status: StatusCode) -> Vec<String> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let (group, rest) = match segments.as_slice() {
        ["api", _, rest @ ..] => ("", rest),
        ["apis", group, _, rest @ ..] => (*group, rest),
        _ => return Vec::new(),
    };
    let (resource, name) = match *rest {
        [] => return Vec::new(),
        ["namespaces", _, plural] => (plural.to_owned(), None),
        ["namespaces", _, plural, name] => (plural.to_owned(), Some(name)),
        ["namespaces", _, plural, name, part] => (format!("{plural}/{part}"), Some(name)),
        [plural] => (plural.to_owned(), None),
        [plural, name] => (plural.to_owned(), Some(name)),
        [plural, name, part] => (format!("{plural}/{part}"), Some(name)),
        _ => panic!("{path} is not the path of an object"),
    };
    let verb = match (method, name) {
        ("GET", None) if query.contains("watch=") => "watch",
        ("GET", None) => "list",
        ("GET", Some(_)) => "get",
        ("POST", _) => "create",
        ("PATCH", _) => "patch",
        ("PUT", _) => "update",
        ("DELETE", Some(_)) => "delete",
        ("DELETE", None) => "deletecollection",
        _ => panic!("{method} {path} has no verb"),
    };
    let mut found = vec![spelled(verb, group, &resource)];
    // An apply of an object that does not exist is authorized as a creation, too.
    if method == "PATCH" && status == StatusCode::CREATED {
        found.push(spelled("create", group, &resource));
    }
    found
}

pub(crate) fn granted(delivery: Delivery, is_meant: impl Fn(Proof) -> bool) -> Uses {
    let is_needed = |permission: &&Permission| delivery == Delivery::Native || !permission.is_native;
    let rows = PERMISSIONS.iter().filter(is_needed).filter(|permission| is_meant(permission.proof));
    rows.flat_map(|permission| {
        permission.resources.iter().flat_map(move |resource| {
            permission.verbs.iter().map(move |verb| spelled(verb, permission.group, resource))
        })
    })
    .collect()
}

const BINDING: &str = "open-cluster-management:managed-serviceaccount:clusterrole:agent";
const OBJECTS: &str = "\
apiVersion: v1
kind: Namespace
metadata: {name: extras}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: announced}
spec: {hubAcceptsClient: false}
";

/// Copies an object that the daemon wrote under another name, and waits until the daemon has deleted the copy.
async fn copied(world: &World, collection: &str, name: &str, copy: &str) {
    let client = world.client();
    let mut object = requests::get(&client, &format!("{collection}/{name}")).await.unwrap();
    let metadata = object["metadata"].as_object_mut().unwrap();
    metadata.retain(|field, _| ["namespace", "labels", "annotations", "ownerReferences"].contains(&field.as_str()));
    metadata.insert("name".to_owned(), Value::from(copy));
    requests::create(&client, collection, &object).await;
    let is_gone = async || requests::get(&client, &format!("{collection}/{copy}")).await.is_none();
    eventually("the copy is deleted", is_gone).await;
}

/// Removes the subjects of a binding, and waits until the daemon has restored them.
async fn emptied(world: &World, binding: &str) {
    let client = world.client();
    let read = async || requests::get(&client, binding).await.unwrap();
    let before = read().await;
    requests::patch(&client, binding, &json!({ "subjects": [] })).await;
    let is_restored = async || read().await["subjects"] == before["subjects"];
    eventually("the subjects are restored", is_restored).await;
}

/// Settles with the examples and an object of each other kind, upgrades an add-on, repairs a placement twice, changes the groups of a
/// placement and the configuration of a cluster, and removes everything again. Where Tidegate delivers, see also [`agents_and_works`].
async fn live(world: &World, client: kube::Client, delivery: Delivery) {
    let extras =
        |text: Option<&str>| [("fleet/extras.yaml".to_owned(), text.map(|text| text.as_bytes().to_vec()))].into();
    world.commit("more kinds", extras(Some(OBJECTS)));
    let config = super::upstream::config(world, "mirror.git", DeliveryMode::Auto);
    let mut daemon = world.daemon_with(client, config).await;
    daemon.until_settled("0.4.0").await;
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    for _ in 0..2 {
        changed_placement(world).await;
        daemon.until_settled("0.4.1").await;
    }
    if delivery == Delivery::Native {
        agents_and_works(world).await;
    }
    let is_counted = |event: &Value| event["reason"] == "DriftRepaired" && event["count"] == 2;
    super::events::until(world, "the second repair", is_counted).await;
    let changed = |path: &str| {
        let text = world.read("main", path);
        let text = text.replace("groupName: canary", "groupName: pilot").replace("Group: 25%", "Group: 100%");
        (path.to_owned(), Some(text.into_bytes()))
    };
    let changed = [
        changed("fleet/placements/aws.yaml"),
        changed("fleet/addons/managed-serviceaccount/addon.yaml"),
        ("fleet/addons/managed-serviceaccount/cluster-aws-007.yaml".to_owned(), None),
    ];
    let commit = world.commit("other groups, and one configuration less", changed.into());
    let is_seen = |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == commit);
    daemon.until("the new revision", is_seen).await;
    daemon.until_settled("0.4.1").await;
    world.edit("tidegate.toml", "max_percent = 20", "max_percent = 100");
    let files = crate::example_tree::tree().files.into_keys().filter(|path| path.starts_with("fleet/"));
    let mut gone: std::collections::BTreeMap<_, _> = files.map(|path| (path, None)).collect();
    gone.extend(extras(Some("apiVersion: v1\nkind: Namespace\nmetadata: {name: extras}\n")));
    world.commit("nothing is left", gone);
    daemon.until("the removal", |s: &Snapshot| s.report.addons.is_empty() && s.writes == 0).await;
    let is_gone = async || {
        world.object("cluster.open-cluster-management.io/v1", "managedclusters", "", "announced").await.is_none()
    };
    eventually("the declared cluster is removed", is_gone).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    daemon.end().await;
}

/// Changes a declared object as another client does, and waits until it is restored.
async fn changed_placement(world: &World) {
    let path = "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/fleet-addons/placements/fleet";
    let read = async || requests::get(&world.client(), path).await.unwrap()["spec"].clone();
    let before = read().await;
    let patch = json!({ "spec": { "numberOfClusters": 100 } });
    requests::patch(&world.client(), &format!("{path}?fieldManager=kubectl-edit"), &patch).await;
    eventually("the placement is restored", async || read().await == before).await;
}

/// What Tidegate does only where it delivers: repairs a work and a binding, deletes a work and a binding too many, lets an agent use
/// tokens, and approves a certificate.
async fn agents_and_works(world: &World) {
    super::events::delete_work(world, "aws-001").await;
    eventually("the work is back", async || world.work("aws-001", "hello-template").await.is_some()).await;
    let works = "/apis/work.open-cluster-management.io/v1/namespaces/aws-001/manifestworks";
    copied(world, works, "addon-hello-template-deploy-0", "addon-hello-template-deploy-1").await;
    let bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/aws-001/rolebindings";
    copied(world, bindings, BINDING, "another").await;
    emptied(world, &format!("{bindings}/{BINDING}")).await;
    super::tokens::used_for_a_while(world).await;
    let agent = RegistrationAgent { world, cluster: "aws-001", addon: "managed-serviceaccount" };
    let request = agent.ask(KUBE, &Asked::by(agent.cluster, agent.addon)).await;
    agent.until_approved(&request).await;
}

#[tokio::test(start_paused = true)]
async fn a_run_uses_every_permission_that_is_granted_and_no_other() {
    uses_what_is_granted(&World::new(20), Delivery::Native).await;
}

#[tokio::test(start_paused = true)]
async fn a_run_above_the_add_on_manager_uses_every_permission_of_its_role_and_no_other() {
    let world = World::new(20);
    let running = AddonManager::new(now).start(world.client());
    uses_what_is_granted(&world, Delivery::Upstream).await;
    running.stop().await;
}

async fn uses_what_is_granted(world: &World, delivery: Delivery) {
    let recorded: Arc<Mutex<Uses>> = Arc::default();
    let recorder = {
        let recorded = Arc::clone(&recorded);
        move |request: Request, next: Next| {
            let recorded = Arc::clone(&recorded);
            async move {
                let (method, uri) = (request.method().clone(), request.uri().clone());
                let response = next.run(request).await;
                let found = uses(method.as_str(), uri.path(), uri.query().unwrap_or_default(), response.status());
                recorded.lock().extend(found);
                response
            }
        }
    };
    let router = world.sandbox.router().layer(middleware::from_fn(recorder));
    live(world, kube::Client::new(router, "default"), delivery).await;
    let used = recorded.lock().clone();
    let missing: Vec<String> = used.difference(&granted(delivery, |_| true)).cloned().collect();
    assert!(missing.is_empty(), "used, but not granted; add it to src/doctor/permission.rs: {missing:#?}");
    let idle: Vec<String> = granted(delivery, |proof| proof == Proof::Request).difference(&used).cloned().collect();
    assert!(idle.is_empty(), "granted, but never used; remove it, or use it in this test: {idle:#?}");
}

#[test]
fn the_permissions_that_only_admission_checks_are_few() {
    let unproven: Vec<String> =
        granted(Delivery::Native, |proof| matches!(proof, Proof::Admission(_))).into_iter().collect();
    insta::assert_snapshot!(unproven.join("\n"));
}

#[test]
fn deploy_rbac_matches_the_table() {
    let held = std::fs::read_to_string("deploy/rbac.yaml").unwrap();
    let is_current = manifests(DeliveryMode::Auto, &BTreeSet::new()) == held;
    assert!(is_current, "deploy/rbac.yaml is stale: run `cargo run -- rbac > deploy/rbac.yaml`");
    let held = std::fs::read_to_string("deploy/rbac-upstream.yaml").unwrap();
    let is_current = manifests(DeliveryMode::Upstream, &BTreeSet::new()) == held;
    assert!(
        is_current,
        "deploy/rbac-upstream.yaml is stale: run `cargo run -- rbac --delivery upstream > deploy/rbac-upstream.yaml`"
    );
}

#[tokio::test(start_paused = true)]
async fn replicas_use_their_lease_as_the_generated_role_allows() {
    let world = super::replicas::world().await;
    let recorded = Arc::new(Mutex::new(Uses::new()));
    let recorder = {
        let recorded = recorded.clone();
        move |request: Request, next: Next| {
            let recorded = recorded.clone();
            async move {
                let (method, path) = (request.method().clone(), request.uri().path().to_owned());
                let response = next.run(request).await;
                if path.starts_with("/apis/coordination.k8s.io/v1/namespaces/tidegate/") {
                    recorded.lock().extend(uses(method.as_str(), &path, "", response.status()));
                }
                response
            }
        }
    };
    let router = world.sandbox.router().layer(middleware::from_fn(recorder));
    let config = super::replicas::config(&world, "mirror.git");
    let leader = world.replica(kube::Client::new(router, "default"), config).await.until_leading().await;
    leader.end().await;
    let used: Vec<String> = recorded.lock().iter().cloned().collect();
    assert_eq!(used, ["create", "get", "update"].map(|verb| format!("{verb} leases.coordination.k8s.io")));
    let text = manifests(DeliveryMode::Auto, &BTreeSet::new());
    let role = text.split("---").find(|text| text.contains("kind: Role\n")).unwrap();
    assert!(role.contains("verbs: [create]") && role.contains("resourceNames: [tidegate]\n    verbs: [get, update]"));
}

#[test]
fn the_role_has_a_rule_for_each_kind_that_the_operator_allows() {
    let kinds = BTreeSet::from([GroupKind::new("networking.k8s.io", "NetworkPolicy")]);
    let rule = "    resources: [networkpolicies]\n    verbs: [get, list, watch, create, patch, delete]\n";
    assert!(manifests(DeliveryMode::Auto, &kinds).contains(rule));
    assert!(!manifests(DeliveryMode::Auto, &BTreeSet::new()).contains(rule));
}
