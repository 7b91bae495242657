//! What a push may put on the hub, and what it may take over there.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_repository::{Adopt, AdoptedObject, AllowedKind, OperatorRules};

use super::world::{World, eventually, requests};

const WORKS: &str = "work.open-cluster-management.io/v1";
const RBAC: &str = "rbac.authorization.k8s.io/v1";

const ATTACK: &str = "\
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {name: mallory, namespace: aws-001}
spec:
  workload:
    manifests:
      - apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: mallory}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: mallory, namespace: aws-001}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tidegate}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: mallory}]
";

#[tokio::test(start_paused = true)]
async fn a_push_puts_neither_a_work_nor_rights_on_the_hub() {
    let world = World::settled(11).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.commit("notes", [("fleet/notes.yaml".to_owned(), Some(ATTACK.as_bytes().to_vec()))].into());
    let told = daemon.until("the complaints", |s| s.facts.revision.complaints.len() == 2).await;
    let [work, binding] = told.facts.revision.complaints.as_slice() else { panic!("{:?}", told.facts.revision) };
    assert!(work.starts_with("fleet/notes.yaml:2:7: ManifestWork.work.open-cluster-management.io cannot"), "{work}");
    assert!(binding.starts_with("fleet/notes.yaml:") && binding.contains("[hub] kinds"), "{binding}");
    // The add-ons continue, and the daemon comes to rest without these objects.
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    assert_eq!(world.object(WORKS, "manifestworks", "aws-001", "mallory").await, None);
    assert_eq!(world.object(RBAC, "rolebindings", "aws-001", "mallory").await, None);
    daemon.end().await;
}

fn map(tools: &str) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "auth", "namespace": "shop" }, "data": { "tools": tools } })
}

#[tokio::test(start_paused = true)]
async fn an_object_that_someone_else_put_on_the_hub_is_not_overwritten_by_declaring_it() {
    let world = World::settled(11).await;
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": "shop" } });
    world.sandbox.seed([namespace, map("theirs")]).unwrap();
    let kinds = vec![AllowedKind { kind: "ConfigMap".to_owned(), ..AllowedKind::default() }];
    let config = |adopt: Adopt| {
        let operator = Arc::new(OperatorRules { kinds: kinds.clone(), adopt, ..OperatorRules::default() });
        Config { operator, ..world.config("mirror.git") }
    };
    let mut daemon = world.daemon_with(world.client(), config(Adopt::default())).await;
    world.commit("auth", [("fleet/auth.yaml".to_owned(), Some(map("ours").to_string().into_bytes()))].into());
    let told = daemon.until("the refusal", |s| !s.facts.failures.is_empty()).await;
    let line = &told.facts.failures[0];
    assert!(
        line.starts_with("fleet/auth.yaml:1:1: ConfigMap shop/auth is not on the hub as it should be: another"),
        "{line}"
    );
    let start = line.find("{ kind").unwrap();
    let entry = &line[start..=line.find(" }").unwrap() + 1];
    assert_eq!(entry, r#"{ kind = "ConfigMap", namespace = "shop", name = "auth" }"#);
    let client = world.client();
    let found = async || requests::get(&client, "/api/v1/namespaces/shop/configmaps/auth").await.unwrap();
    assert_eq!(
        (found().await["data"]["tools"].clone(), &found().await["metadata"]["labels"]),
        (json!("theirs"), &Value::Null)
    );
    daemon.end().await;

    // The operator lists it: now it belongs to this instance.
    let read: BTreeMap<String, AdoptedObject> = toml::from_str(&format!("x = {entry}")).unwrap();
    let objects = read.into_values().collect();
    let mut daemon = world.daemon_with(world.client(), config(Adopt { objects, ..Adopt::default() })).await;
    let is_ours = |s: &Snapshot| s.tick > 0 && s.writes == 0 && s.facts.failures.is_empty();
    daemon.until("the takeover", is_ours).await;
    assert_eq!(found().await["data"]["tools"], "ours");
    daemon.end().await;
    // Afterwards it needs no setting: it has a mark.
    let mut daemon = world.daemon_with(world.client(), config(Adopt::default())).await;
    world.commit("more", [("fleet/auth.yaml".to_owned(), Some(map("more").to_string().into_bytes()))].into());
    daemon.until("the change", is_ours).await;
    eventually("the new content", async || found().await["data"]["tools"] == "more").await;
    daemon.end().await;
}

/// The hub has no CRD of a kind, and the file is removed again.
#[tokio::test(start_paused = true)]
async fn first_use_a7_a_kind_that_the_hub_does_not_serve_is_reported_as_long_as_it_is_declared() {
    let world = World::settled(11).await;
    let kind = AllowedKind { group: "example.com".to_owned(), kind: "Widget".to_owned(), ..AllowedKind::default() };
    let operator = Arc::new(OperatorRules { kinds: vec![kind], ..OperatorRules::default() });
    let mut daemon = world.daemon_with(world.client(), Config { operator, ..world.config("mirror.git") }).await;
    let widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\n";
    let file = |text: Option<&str>| [("fleet/widget.yaml".to_owned(), text.map(|t| t.as_bytes().to_vec()))].into();
    world.commit("a widget", file(Some(widget)));
    let is_told = |s: &Snapshot| s.facts.failures.iter().any(|line| line.contains("does not serve Widget.example.com"));
    daemon.until("the failure", is_told).await;
    let removed = world.commit("no widget", file(None));
    let seen = daemon.until("nothing fails", |s| s.facts.revision.applied == Some(removed.clone())).await;
    assert!(seen.facts.failures.is_empty() && seen.failures.is_empty(), "{:?}", seen.facts.failures);
    daemon.end().await;
}
