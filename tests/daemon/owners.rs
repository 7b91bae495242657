//! Several instances on one hub: no instance writes or removes objects of another.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::Value;
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_journal::record::Sync;
use tidegate_model::progress::Phase;
use tidegate_repository::{Adopt, OperatorRules};

use super::world::{World, instance_of};
use crate::redacted::redacted;

const ADDONS: &str = "addon.open-cluster-management.io/v1beta1";

/// A repository that has nothing in common with the examples.
fn unrelated() -> BTreeMap<String, Option<Vec<u8>>> {
    let text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: elsewhere}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: note}\n";
    [("objects.yaml".to_owned(), Some(text.as_bytes().to_vec()))].into()
}

/// Returns the examples with other names, for the same clusters. The cluster set has the same name.
fn second_team() -> BTreeMap<String, Option<Vec<u8>>> {
    let rename = |text: &str| {
        let text = text.replace("fleet-addons", "second-addons").replace("hello-template", "second-template");
        text.replace("managed-serviceaccount", "second-account")
    };
    let files = crate::example_tree::tree()
        .files
        .into_iter()
        .filter(|(path, _)| path.starts_with("fleet/") || path == "tidegate.toml");
    files.map(|(path, bytes)| (path, Some(rename(std::str::from_utf8(&bytes).unwrap()).into_bytes()))).collect()
}

fn settled(snapshot: &Snapshot) -> bool {
    snapshot.tick > 0 && snapshot.writes == 0
}

/// Returns all objects on the hub with the mark of an instance, by kind and name.
async fn marked(world: &World, mirror: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (group, plural) in [
        (ADDONS, "clustermanagementaddons"),
        (ADDONS, "addontemplates"),
        (ADDONS, "managedclusteraddons"),
        ("cluster.open-cluster-management.io/v1beta1", "placements"),
    ] {
        let id = instance_of(mirror).id;
        let is_marked = |object: &&Value| object["metadata"]["labels"]["tidegate.io/instance"] == id.as_str();
        let name =
            |object: &Value| format!("{plural} {}/{}", object["metadata"]["namespace"], object["metadata"]["name"]);
        found.extend(world.list(group, plural).await.iter().filter(is_marked).map(name));
    }
    found
}

#[tokio::test(start_paused = true)]
async fn a_daemon_on_another_repository_removes_nothing_of_the_first() {
    let world = World::new(24);
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    let before = marked(&world, "first.git").await;
    assert!(before.len() > 48, "{before:?}");
    let other = world.beside(unrelated());
    let mut second = other.daemon("second.git").await;
    let applied = |s: &Snapshot| settled(s) && s.facts.failures.is_empty();
    let seen = second.until("the second repository", applied).await;
    assert_eq!((seen.report.addons.len(), seen.report.notices.len()), (0, 0), "{:?}", seen.report);
    // The second one removes an object: only its own objects are deleted.
    let files =
        [("objects.yaml".to_owned(), Some(b"apiVersion: v1\nkind: Namespace\nmetadata: {name: elsewhere}\n".to_vec()))];
    let removal = other.commit("no note", files.into());
    let is_seen =
        |s: &Snapshot| settled(s) && s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == removal);
    second.until("the removal", is_seen).await;
    assert_eq!(marked(&world, "first.git").await, before);
    first.until_settled("0.4.0").await;
    second.end().await;
    first.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_declaration_that_collides_is_a_complaint_that_names_the_other_instance_until_it_is_adopted() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    let before = marked(&world, "first.git").await;
    let files = crate::example_tree::tree().files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect();
    let other = world.beside(files);
    let mut second = other.daemon("second.git").await;
    let told = second.until("the collisions", |s| settled(s) && !s.facts.failures.is_empty()).await;
    let id = instance_of("first.git").id;
    let line = told.facts.failures.iter().find(|line| line.contains("ClusterManagementAddOn hello-template")).unwrap();
    assert!(line.starts_with("fleet/addons/hello-template/addon.yaml:"), "{line}");
    assert!(line.contains(&format!("belongs to instance {id}")) && line.contains("[adopt]"), "{line}");
    assert_eq!(told.report.addons["hello-template"].phase, Phase::Refused);
    assert_eq!(second.metric("tidegate_hub_writes_total"), 0.0);
    assert_eq!(marked(&world, "first.git").await, before);
    first.end().await;

    // A commit cannot take over what belongs to another team.
    let settings = world.read("main", "tidegate.toml");
    let adopt = format!("{settings}[adopt]\ninstances = [\"{id}\"]\n");
    other.commit("take over", [("tidegate.toml".to_owned(), Some(adopt.into_bytes()))].into());
    let is_refused = |s: &Snapshot| s.facts.revision.complaints.iter().any(|line| line.contains("section \"adopt\""));
    second.until("the refusal", is_refused).await;
    assert_eq!(marked(&world, "first.git").await, before);
    other.commit("no take over", [("tidegate.toml".to_owned(), Some(settings.into_bytes()))].into());
    second.until("the collisions", |s| settled(s) && s.facts.revision.complaints.is_empty()).await;
    assert_eq!(marked(&world, "first.git").await, before);
    second.end().await;

    // The operator can, in the file of the daemon.
    let adopt = Adopt { instances: vec![id.clone()], ..Adopt::default() };
    let operator = Arc::new(OperatorRules { adopt, ..OperatorRules::default() });
    let mut second = other.daemon_with(other.client(), Config { operator, ..other.config("second.git") }).await;
    second.until_settled("0.4.0").await;
    assert_eq!(marked(&world, "first.git").await, Vec::<String>::new());
    assert_eq!(marked(&world, "second.git").await.len(), before.len());
    assert_eq!(world.clusters_with("hello-template").await.len(), 20);
    second.end().await;
    let sync: Sync = serde_saphyr::from_str(&other.read("tidegate/journal", "sync.yaml")).unwrap();
    assert_eq!((sync.adopts, sync.instance.map(|i| i.id)), (vec![id], Some(instance_of("second.git").id)));

    // The first one starts again, and leaves the objects alone.
    let mut first = world.daemon("first.git").await;
    let told = first.until("the collisions", |s| settled(s) && !s.facts.failures.is_empty()).await;
    assert_eq!(told.report.addons["hello-template"].phase, Phase::Refused);
    assert_eq!(world.clusters_with("hello-template").await.len(), 20);
    first.end().await;
}

#[tokio::test(start_paused = true)]
async fn three_daemons_share_a_hub_two_of_them_a_repository() {
    let world = World::new(20);
    // The checker does not support two daemons that write the same statuses.
    let unchecked = |mirror: &str| Config { check: false, ..world.config(mirror) };
    let mut first = world.daemon_with(world.client(), unchecked("first.git")).await;
    first.until_settled("0.4.0").await;
    let other = world.beside(second_team());
    let mut second = other.daemon("second.git").await;
    let is_done = |s: &Snapshot| {
        let addon = s.report.addons.get("second-template");
        addon.is_some_and(|addon| addon.phase == Phase::Completed && addon.counts().succeeded == 20) && settled(s)
    };
    let told = second.until("the add-ons of the second team", is_done).await;
    // Both declare the cluster set: it still belongs to the first one.
    let lines: Vec<_> = told.facts.failures.iter().filter(|line| line.contains("belongs to")).collect();
    assert!(lines.len() == 1 && lines[0].contains("ManagedClusterSet fleet"), "{lines:?}");
    // A third daemon keeps the journal of the first: it started later, and ends.
    let third = world.daemon_with(world.client(), unchecked("third.git")).await;
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    first.until_settled("0.4.1").await;
    let error = third.ended().await.expect_err("the third one ends").to_string();
    assert!(error.contains("started later"), "{error}");
    for addon in ["hello-template", "managed-serviceaccount", "second-template", "second-account"] {
        assert_eq!(world.clusters_with(addon).await.len(), 20, "{addon}");
    }
    second.end().await;
    first.end().await;
}

#[tokio::test(start_paused = true)]
async fn an_instance_without_the_journal_with_its_identity_removes_nothing() {
    let world = World::settled_by("first.git", 20).await;
    let mut first = world.daemon("first.git").await;
    first.until_settled("0.4.0").await;
    first.end().await;
    world.git(&["branch", "-D", "tidegate/journal"]);
    // Objects that left the repository in the meantime stay, too: no one can prove who owns them.
    world.commit("an add-on leaves", [("fleet/addons/managed-serviceaccount/addon.yaml".to_owned(), None)].into());
    let mut again = world.daemon("again.git").await;
    let told = again.until("a tick", |s| settled(s) && !s.facts.failures.is_empty()).await;
    let owner = format!("instance {}", instance_of("first.git").id);
    assert!(told.facts.failures.iter().all(|line| line.contains(&owner)), "{:?}", told.facts.failures);
    insta::assert_snapshot!("unproven_object", told.facts.failures[0]);
    assert_eq!(again.metric("tidegate_hub_writes_total"), 0.0);
    assert_eq!(world.clusters_with("managed-serviceaccount").await.len(), 20);
    again.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_repository_that_is_replaced_by_another_one_at_the_same_address_is_not_followed() {
    let world = World::settled_by("first.git", 20).await;
    let mut daemon = world.daemon("first.git").await;
    daemon.until_settled("0.4.0").await;
    let before = marked(&world, "first.git").await;
    let other = world.beside(unrelated());
    // In one step: the daemon may push to the journal at any moment.
    let exchange = || renameat_with(CWD, world.repository(), CWD, other.repository(), RenameFlags::EXCHANGE).unwrap();
    exchange();
    world.look();
    let told = daemon.until("the refusal", |s| s.facts.revision.refused.is_some()).await;
    insta::assert_snapshot!("replaced_repository", redacted(&told.facts.revision.refused.as_ref().unwrap().reason));
    assert_eq!(marked(&world, "first.git").await, before);
    exchange();
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end_unproven().await;
}
