//! What is written for an add-on that is being deleted, and where its hooks cannot run.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Write;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan};
use tidegate_repository::{Archive, Repository};
use tidegate_rollout::gate::checks::Observations;

use super::{compat, examples, planned, read};

const GROUP: &str = "addon.open-cluster-management.io";

/// A hub on which the add-on of the only cluster is being deleted and has the finalizer.
fn deleting(repository: &Repository, change: impl Fn(&mut Value)) -> Fleet {
    let mut fleet = compat::hub(repository);
    let addons = fleet.cluster_addons.get_mut("hello-template").unwrap();
    let (name, mut object) = (addons.keys().next().unwrap().clone(), json!(addons.values().next().unwrap().as_ref()));
    object["metadata"]["finalizers"] = json!(["x", "addon.open-cluster-management.io/addon-pre-delete"]);
    object["metadata"]["deletionTimestamp"] = json!("1970-01-01T00:00:00Z");
    change(&mut object);
    addons.insert(name, read(object));
    fleet
}

/// Returns the finalizers that the plan leaves on the add-on, if it changes them.
fn finalizers(plan: &Plan) -> Option<Value> {
    plan.lanes.iter().flat_map(|lane| &lane.writes).find_map(|write| match write {
        Write::Patch { key, patch, .. } if key.kind == "ManagedClusterAddOn" => {
            Some(patch.value()["metadata"]["finalizers"].clone())
        }
        _ => None,
    })
}

fn plan(repository: &Repository, fleet: &Fleet) -> Plan {
    planned(repository, fleet, PlacementMode::Builtin)
}

#[test]
fn a_template_without_hooks_delays_no_deletion() {
    let repository = examples();
    let hash = compat::hash(&repository, "addontemplates");
    let fleet = deleting(&repository, |addon| {
        let desired = &mut addon["status"]["configReferences"][1]["desiredConfig"];
        desired["specHash"] = json!(hash);
    });
    let plan = plan(&repository, &fleet);
    assert_eq!(finalizers(&plan), Some(json!(["x"])));
    assert_eq!(plan.report.notices, [""; 0]);
}

#[test]
fn a_hook_is_skipped_with_a_notice_if_its_template_or_its_cluster_is_gone() {
    let repository = examples();
    let without_template = deleting(&repository, |_| {});
    let mut without_cluster = without_template.clone();
    without_cluster.clusters.clear();
    for (fleet, why) in
        [(&without_template, "its AddOnTemplate no longer exists"), (&without_cluster, "no such ManagedCluster")]
    {
        let plan = plan(&repository, fleet);
        assert_eq!(finalizers(&plan), Some(json!(["x"])));
        assert!(plan.report.notices.iter().any(|notice| notice.contains(why)), "{:?}", plan.report.notices);
    }
    let mut unreadable = without_cluster;
    let key = ObjectKey::new("cluster.open-cluster-management.io", "ManagedCluster", "", "c1");
    unreadable.unreadable.insert(key, "it has no spec".to_owned());
    assert_eq!(finalizers(&plan(&repository, &unreadable)), None);
}

#[test]
fn a_template_on_the_hub_is_used_if_the_repository_no_longer_has_it() {
    let repository = examples();
    let mut fleet = deleting(&repository, |_| {});
    let job = json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": "bye", "namespace": "n", "labels": { "addon.open-cluster-management.io/addon-pre-delete": "" } } });
    let template = json!({ "metadata": { "name": "hello-template-0.4.0" }, "spec": { "agentSpec": { "workload": { "manifests": [job] } } } });
    fleet.declared.insert(ObjectKey::new(GROUP, "AddOnTemplate", "", "hello-template-0.4.0"), Arc::new(template));
    let plan = plan(&repository, &fleet);
    assert_eq!(finalizers(&plan), None);
    let works = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(|write| match write {
        Write::Create { object } => {
            object.key.as_ref().filter(|key| key.kind == "ManifestWork").map(|key| key.name.clone())
        }
        _ => None,
    });
    assert_eq!(works.collect::<Vec<_>>(), ["addon-hello-template-pre-delete"]);
}

#[test]
fn works_whose_add_on_was_removed_are_deleted_if_the_hub_keeps_them() {
    let repository = examples();
    let mut fleet = compat::hub(&repository);
    let mut removing = plan(&repository, &fleet).report;
    let clusters = &mut removing.addons.get_mut("hello-template").unwrap().clusters;
    clusters.get_mut("c1").unwrap().state = ClusterState::Removing;
    let removing = Past { report: Arc::new(removing), ..Past::default() };
    fleet.cluster_addons.clear();
    let work = |name: &str, owner: &str| {
        let owner = json!({ "apiVersion": "v", "kind": "ManagedClusterAddOn", "name": owner, "uid": "u" });
        read(
            json!({ "metadata": { "name": name, "namespace": "c1", "uid": "w", "ownerReferences": [owner] }, "spec": {} }),
        )
    };
    let works = [("ours", work("ours", "hello-template")), ("other", work("other", "x"))];
    let works = works.map(|(name, work)| (name.to_owned(), work)).into();
    fleet.works.entry("hello-template".parse().unwrap()).or_default().insert("c1".parse().unwrap(), works);
    let deleted = |fleet: &Fleet, past: &Past| {
        let (unobserved, now, archive) = (&BTreeSet::new(), Timestamp::UNIX_EPOCH, &Archive::default());
        let (repository, placement_mode, instance) =
            (&repository, PlacementMode::Builtin, &crate::instance::instance());
        let input = Input {
            repository,
            fleet,
            unobserved,
            placement_mode,
            delivery: Delivery::Native,
            instance,
            revision: None,
            past,
            archive,
            approvals: Approvals::none(),
            observations: Observations::none(),
            now,
        };
        let plan = tidegate_plan::plan(&input, &mut Memo::default());
        let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
        let deleted = writes.filter(|write| matches!(write, Write::Delete { .. })).filter_map(Write::key);
        deleted.map(|key| key.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(deleted(&fleet, &removing), ["ManifestWork c1/ours"]);
    assert_eq!(deleted(&fleet, &Past::default()), [""; 0], "nothing is known about the cluster");
    let key = ObjectKey::new(GROUP, "ManagedClusterAddOn", "c1", "hello-template");
    fleet.unreadable.insert(key, "why".to_owned());
    assert_eq!(deleted(&fleet, &removing), [""; 0]);
}

/// Returns the status that is written to the add-on of the only cluster.
fn status(repository: &Repository, fleet: &Fleet) -> Value {
    let plan = plan(repository, fleet);
    let mut writes = plan.lanes.into_iter().flat_map(|lane| lane.writes);
    let found = writes.find_map(|write| match write {
        Write::PatchStatus { key, status, .. } if key.kind == "ManagedClusterAddOn" => Some(status.value()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn the_generations_of_configurations_are_those_on_the_hub() {
    let repository = examples();
    let mut fleet = compat::hub(&repository);
    let name = repository.addons["hello-template"].configurations.keys().find(|r| r.resource == "addontemplates");
    let key = ObjectKey::new(GROUP, "AddOnTemplate", "", &name.unwrap().name);
    fleet.declared.insert(key, Arc::new(json!({ "metadata": { "generation": 7 } })));
    let status = status(&repository, &fleet);
    let generation = |at: usize| status["configReferences"][at]["lastObservedGeneration"].clone();
    assert_eq!((generation(0), generation(1)), (Value::Null, json!(7)));
}

#[test]
fn an_add_on_that_cannot_be_rendered_is_not_shown_as_healthy() {
    let repository = examples();
    let mut fleet = compat::hub(&repository);
    let cluster = fleet.clusters.values_mut().next().unwrap();
    let annotations = &mut Arc::make_mut(cluster).metadata.annotations;
    annotations
        .get_or_insert_default()
        .insert("open-cluster-management.io/image-registries".to_owned(), "{".to_owned());
    let status = status(&repository, &fleet);
    let conditions = status["conditions"].as_array().unwrap();
    let reason = |type_: &str| conditions.iter().find(|c| c["type"] == type_).map(|c| c["reason"].clone());
    assert_eq!(reason("ManifestApplied"), Some(json!("ManifestWorkApplyFailed")));
    assert_eq!(reason("Available"), Some(json!("WorkNotFound")));
}
