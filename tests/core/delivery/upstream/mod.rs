//! Tests of `upstream`: copies, assignments, and what counts as proof that a cluster runs what it was assigned.

mod manager;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::status::Desired;
use tidegate_delivery::status::Progress;
use tidegate_delivery::upstream::{self, Assignment, Views, copy};

const HASH: &str = "4e47ff9cf36bd3639c63043a29f8898e392db7ac2d967537310dce4832521eee";

fn reference(name: &str, hash: &str, applied: Option<(&str, &str)>) -> Value {
    let config = |(name, hash): (&str, &str)| json!({ "name": name, "specHash": hash });
    let mut reference = json!({
        "group": key::ADDON_GROUP, "resource": "addontemplates", "desiredConfig": config((name, hash)),
    });
    if let Some(applied) = applied {
        reference["lastAppliedConfig"] = config(applied);
    }
    reference
}

fn assignment() -> Assignment {
    let configured = json!({
        "type": "Configured", "status": "True", "reason": "ConfigurationsConfigured", "message": "Configurations configured",
        "lastTransitionTime": "2027-01-01T12:00:00Z",
    });
    let assignment = json!({
        "addon": "hello", "cluster": "cluster1", "configReferences": [reference("hello", HASH, None)], "conditions": [configured],
        "copies": [reference("hello-b", HASH, None)],
    });
    serde_json::from_value(assignment).unwrap()
}

/// An add-on on a cluster that names a copy, with these references and this reason of `Progressing`.
fn reported(pinned: &str, references: Value, reason: &str) -> ManagedClusterAddOn {
    let condition = |type_: &str, status: &str, reason: &str| {
        json!({
            "type": type_, "status": status, "reason": reason, "message": "", "lastTransitionTime": "2027-01-01T12:00:00Z",
        })
    };
    serde_json::from_value(json!({
        "apiVersion": key::ADDON_V1BETA1, "kind": "ManagedClusterAddOn",
        "metadata": {
            "name": "hello", "namespace": "cluster1", "resourceVersion": "7",
            "annotations": { key::ASSIGNMENT: assignment().annotation() },
        },
        "spec": { "configs": [{ "group": key::ADDON_GROUP, "resource": "addontemplates", "name": pinned }] },
        "status": {
            "configReferences": references,
            "conditions": [condition("Progressing", "False", reason), condition("Available", "True", "ProbeAvailable")],
        },
    }))
    .unwrap()
}

fn progress(reported: &ManagedClusterAddOn) -> Progress {
    upstream::progress(reported, &assignment(), [], true)
}

#[test]
fn a_status_that_lies_after_a_change_is_not_believed() {
    let old = (("hello-a", "8c6f"), "Completed");
    let before = reported("hello-b", json!([reference(old.0.0, old.0.1, Some(old.0))]), old.1);
    assert_eq!(progress(&before), Progress::Unacknowledged);
    let nameless = reported("hello-b", json!([reference("hello-b", "", None)]), "Completed");
    assert_eq!(progress(&nameless), Progress::Unacknowledged);
    let unapplied = reported("hello-b", json!([reference("hello-b", HASH, None)]), "Completed");
    assert_eq!(progress(&unapplied), Progress::NotReady);
    let applied_before =
        reported("hello-b", json!([reference("hello-b", HASH, Some(("hello-b", "8c6f")))]), "Completed");
    assert_eq!(progress(&applied_before), Progress::NotReady);
    let done = json!([reference("hello-b", HASH, Some(("hello-b", HASH)))]);
    assert_eq!(progress(&reported("hello-b", done.clone(), "Progressing")), Progress::NotReady);
    assert_eq!(progress(&reported("hello-b", done, "Completed")), Progress::Completed);
}

#[test]
fn an_edited_copy_and_changed_configs_are_not_believed() {
    let edited = reported("hello-b", json!([reference("hello-b", "9999", Some(("hello-b", "9999")))]), "Completed");
    assert_eq!(progress(&edited), Progress::Unacknowledged);
    let done = json!([reference("hello-b", HASH, Some(("hello-b", HASH)))]);
    assert_eq!(progress(&reported("hello-c", done.clone(), "Completed")), Progress::Unacknowledged);
    let twice = json!([done[0], reference("other", HASH, Some(("other", HASH)))]);
    assert_eq!(progress(&reported("hello-b", twice, "Completed")), Progress::Unacknowledged);
}

#[test]
fn works_with_other_configurations_contradict_the_status() {
    let done = reported("hello-b", json!([reference("hello-b", HASH, Some(("hello-b", HASH)))]), "Completed");
    let mut work = ManifestWork::default();
    work.metadata.name = Some("addon-hello-deploy-0".to_owned());
    assert_eq!(upstream::progress(&done, &assignment(), [&work], true), Progress::OtherConfigs);
}

#[test]
fn a_cluster_is_done_only_while_its_add_on_is_available() {
    let mut done = reported("hello-b", json!([reference("hello-b", HASH, Some(("hello-b", HASH)))]), "Completed");
    done.status.as_mut().unwrap().conditions.retain(|condition| condition.type_ != "Available");
    assert!(matches!(progress(&done), Progress::Unwell { .. }));
    assert_eq!(upstream::progress(&done, &assignment(), [], false), Progress::Completed);
}

#[test]
fn a_view_has_the_assignment_in_its_status() {
    let addon = reported("hello-b", json!([reference("hello-b", HASH, None)]), "Completed");
    let mut fleet = Fleet::default();
    let (name, cluster) = ("hello".parse().unwrap(), "cluster1".parse().unwrap());
    fleet.cluster_addons.entry(name).or_default().insert(cluster, addon.into());
    let view = Views::default().fleet(&fleet).unwrap();
    let seen = view.cluster_addons.values().next().unwrap().values().next().unwrap();
    let status = seen.status.as_ref().unwrap();
    assert_eq!(status.config_references, assignment().config_references);
    let types: Vec<&str> = status.conditions.iter().map(|condition| condition.type_.as_str()).collect();
    assert_eq!(types, ["Available", "Configured"], "the manager's Progressing is not the recorded one");
    assert!(seen.spec.configs.is_empty(), "what Tidegate pinned is not the cluster's own");
    assert!(Views::default().fleet(&Fleet::default()).is_none());
}

#[test]
fn a_copy_has_the_content_under_a_name_with_its_hash() {
    let original: Desired = serde_json::from_value(json!({
        "group": key::ADDON_GROUP, "resource": "addondeploymentconfigs", "namespace": "fleet", "name": "settings", "specHash": HASH,
    }))
    .unwrap();
    let content = json!({
        "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "AddOnDeploymentConfig",
        "metadata": { "name": "settings", "namespace": "fleet", "labels": { "team": "a" } },
        "spec": { "agentInstallNamespace": "agents" }, "status": {},
    });
    let copied = copy::object(&content, &original);
    assert_eq!(copied["metadata"]["name"], "settings-4e47ff9c");
    assert_eq!(copied["metadata"]["namespace"], "fleet");
    assert_eq!((&copied["spec"], copied.get("status")), (&content["spec"], None));
    assert_eq!(copy::original(&copied), Some(original.clone()));
    assert_eq!(copy::original(&content), None);
    let reference =
        tidegate_api::ocm::config_reference::ConfigReference { name: "x".repeat(253), ..original.reference.clone() };
    assert_eq!(copy::name(&Desired { reference, ..original }).len(), 253);
}

#[test]
fn an_annotation_that_is_not_the_assignment_of_its_cluster_counts_as_lost() {
    let good = assignment();
    let text = good.annotation();
    let without_copies = Assignment { copies: Vec::new(), ..good.clone() };
    let garbage = [
        String::new(),
        "null".to_owned(),
        "{}".to_owned(),
        "[1]".to_owned(),
        text[..text.len() / 2].to_owned(),
        Assignment { cluster: "cluster2".to_owned(), ..good.clone() }.annotation(),
        Assignment { addon: "other".to_owned(), ..good.clone() }.annotation(),
        without_copies.annotation(),
    ];
    for garbage in garbage {
        let mut addon = reported("hello-b", json!([reference("hello-b", HASH, None)]), "Completed");
        addon.metadata.annotations = Some([(key::ASSIGNMENT.to_owned(), garbage.clone())].into());
        assert_eq!(Assignment::of(&addon.metadata), None, "{garbage}");
        let mut fleet = Fleet::default();
        let (name, cluster) = ("hello".parse().unwrap(), "cluster1".parse().unwrap());
        fleet.cluster_addons.entry(name).or_default().insert(cluster, addon.clone().into());
        let view = Views::default().fleet(&fleet).unwrap();
        let seen = view.cluster_addons.values().next().unwrap().values().next().unwrap();
        assert!(!upstream::is_assigned(seen), "{garbage}");
        assert_eq!((&seen.spec, &seen.status), (&addon.spec, &addon.status), "{garbage}");
    }
}
