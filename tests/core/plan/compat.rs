//! A cluster that is under way with one configuration while another one changes. Upstream assigns the change at once, unless the
//! cluster timed out; strict starts the cluster again.

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Write;
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Past, Plan, plan};
use tidegate_repository::{Archive, Repository, Source, hold, load};

use super::{examples, hub_with_addon, read, touches};

const TEMPLATES: &str = "addontemplates";
const CONFIGS: &str = "addondeploymentconfigs";

pub(super) fn hash(repository: &Repository, resource: &str) -> String {
    let configurations = &repository.addons["hello-template"].configurations;
    let (_, known) = configurations.iter().find(|(reference, _)| reference.resource == resource).unwrap();
    known.spec_hash.clone()
}

/// One canary that was assigned its configuration at second 0 and is under way, and whose template changes.
pub(super) fn hub(repository: &Repository) -> Fleet {
    let mut fleet = hub_with_addon(
        json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } }),
    );
    fleet.cluster_sets = repository.cluster_sets.clone();
    fleet.cluster_set_bindings = repository.cluster_set_bindings.clone();
    let metadata = json!({ "name": "c1", "labels": { "fleet": "demo", "tier": "canary" } });
    let cluster = json!({ "metadata": metadata, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("c1".parse().unwrap(), read(cluster));
    let config =
        |namespace: &str, name: &str, hash: &str| json!({ "namespace": namespace, "name": name, "specHash": hash });
    let reference = |resource: &str, desired: &Value, applied: &Value| json!({ "group": "addon.open-cluster-management.io", "resource": resource, "desiredConfig": desired, "lastAppliedConfig": applied });
    let told = config("fleet-addons", "hello-template", &hash(repository, CONFIGS));
    let old = config("", "hello-template-0.4.0", "old");
    let condition = |type_: &str| json!({ "type": type_, "status": "True", "reason": "Progressing", "message": "", "lastTransitionTime": Timestamp::UNIX_EPOCH });
    let addon = json!({
        "metadata": { "name": "hello-template", "namespace": "c1", "uid": "u", "resourceVersion": "1" }, "spec": {},
        "status": {
            "configReferences": [reference(CONFIGS, &told, &Value::Null), reference(TEMPLATES, &old, &old)],
            "conditions": [condition("Configured"), condition("Progressing"), condition("ManifestApplied")],
        },
    });
    fleet
        .cluster_addons
        .entry("hello-template".parse().unwrap())
        .or_default()
        .insert("c1".parse().unwrap(), read(addon));
    fleet
}

fn planned(semantics: Semantics, second: i64) -> Plan {
    let mut repository = examples();
    repository.settings.semantics = semantics;
    let (fleet, instance) = (hub(&repository), crate::instance::instance());
    let now = Timestamp::from_second(second).unwrap();
    let input = Input { now, ..Input::offline(&repository, &fleet, &instance) };
    plan(&input, &mut Memo::default())
}

/// Returns the status that the plan writes to an object of this kind.
fn status(plan: &Plan, kind: &str) -> Value {
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
    let mut found = writes.filter_map(|write| match write {
        Write::PatchStatus { key, status, .. } if key.kind == kind && key.name == "hello-template" => {
            Some(status.value())
        }
        _ => None,
    });
    found.next().unwrap_or_default()
}

/// Returns the hash of the template that the cluster is assigned, and since when it is under way.
fn told(plan: &Plan) -> (Value, Value) {
    let status = status(plan, "ManagedClusterAddOn");
    let progressing = status["conditions"].as_array().unwrap().iter().find(|c| c["type"] == "Progressing").unwrap();
    (status["configReferences"][1]["desiredConfig"]["specHash"].clone(), progressing["lastTransitionTime"].clone())
}

fn message(plan: &Plan) -> String {
    let status = status(plan, "ClusterManagementAddOn");
    status["installProgressions"][0]["conditions"][0]["message"].as_str().unwrap().to_owned()
}

#[test]
fn upstream_assigns_a_change_to_a_cluster_under_way_without_restarting_its_deadline() {
    let template = json!(hash(&examples(), TEMPLATES));
    let compat = planned(Semantics::Compat, 60);
    assert_eq!(told(&compat), (template.clone(), json!("1970-01-01T00:00:00Z")));
    assert!(touches(&compat, "ManifestWork", "addon-hello-template-deploy-0"));
    assert_eq!(message(&compat), "selected clusters 1. configured addons 1/1 progressing..., 0 failed 0 timeout.");
    assert_eq!(told(&planned(Semantics::Strict, 60)), (template, json!("1970-01-01T00:01:00Z")));
}

#[test]
fn upstream_ignores_a_timed_out_cluster_that_strict_starts_again() {
    let template = json!(hash(&examples(), TEMPLATES));
    let compat = planned(Semantics::Compat, 3600);
    assert_eq!(status(&compat, "ManagedClusterAddOn").get("configReferences"), None);
    assert!(!touches(&compat, "ManifestWork", "addon-hello-template-deploy-0"));
    assert_eq!(message(&compat), "selected clusters 1. configured addons 0/1 progressing..., 0 failed 1 timeout.");
    let strict = planned(Semantics::Strict, 3600);
    assert_eq!(told(&strict), (template, json!("1970-01-01T01:00:00Z")));
    assert!(touches(&strict, "ManifestWork", "addon-hello-template-deploy-0"));
}

#[test]
fn only_strict_repairs_the_works_of_a_waiting_cluster() {
    let old = examples();
    let mut tree = crate::example_tree::tree();
    let template = tree.files.get_mut("fleet/addons/hello-template/template-0.4.0.yaml").unwrap();
    *template = String::from_utf8(template.clone()).unwrap().replace("v0.4.0", "v0.4.9").into_bytes();
    let mut repository = hold(load(&tree, ""), &Default::default(), None);
    let mut archive = Archive::default();
    archive.add(&old);

    // c1 is the canary. c2 is done with the old template, waits for the new one, and someone emptied its work.
    let mut fleet = hub(&repository);
    let metadata = json!({ "name": "c2", "labels": { "fleet": "demo" } });
    let cluster = json!({ "metadata": metadata, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("c2".parse().unwrap(), read(cluster));
    let config = |namespace: &str, name: &str, resource: &str| json!({ "namespace": namespace, "name": name, "specHash": hash(&old, resource) });
    let reference = |resource: &str, config: Value| json!({ "group": "addon.open-cluster-management.io", "resource": resource, "desiredConfig": config, "lastAppliedConfig": config });
    let condition = |type_: &str, status: &str, reason: &str| json!({ "type": type_, "status": status, "reason": reason, "message": "", "lastTransitionTime": Timestamp::UNIX_EPOCH });
    let addon = json!({
        "metadata": { "name": "hello-template", "namespace": "c2", "uid": "u2", "resourceVersion": "1" }, "spec": {},
        "status": {
            "configReferences": [
                reference(CONFIGS, config("fleet-addons", "hello-template", CONFIGS)),
                reference(TEMPLATES, config("", "hello-template-0.4.0", TEMPLATES)),
            ],
            "conditions": [condition("Configured", "True", ""), condition("Progressing", "False", "Completed")],
        },
    });
    let addons = fleet.cluster_addons.get_mut("hello-template").unwrap();
    addons.insert("c2".parse().unwrap(), read(addon));
    let labels = json!({ "open-cluster-management.io/addon-name": "hello-template" });
    let work = json!({
        "metadata": { "name": "addon-hello-template-deploy-0", "namespace": "c2", "uid": "w", "resourceVersion": "1", "labels": labels },
        "spec": { "workload": { "manifests": [] } },
    });
    let works = fleet.works.entry("hello-template".parse().unwrap()).or_default();
    works.entry("c2".parse().unwrap()).or_default().insert("addon-hello-template-deploy-0".to_owned(), read(work));

    let mut repairs = |semantics| {
        repository.settings.semantics = semantics;
        let instance = crate::instance::instance();
        let input = Input {
            archive: &archive,
            now: Timestamp::from_second(60).unwrap(),
            ..Input::offline(&repository, &fleet, &instance)
        };
        let plan = plan(&input, &mut Memo::default());
        assert_eq!(plan.report.addons["hello-template"].clusters["c2"].state, ClusterState::Waiting, "{semantics:?}");
        let keys = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key);
        keys.into_iter().any(|key| key.kind == "ManifestWork" && key.namespace == "c2")
    };
    assert!(repairs(Semantics::Strict));
    assert!(!repairs(Semantics::Compat));
}

/// Returns the condition `Configured` that a plan writes to the add-on of a cluster.
fn configured(plan: &Plan) -> Option<Value> {
    let status = status(plan, "ManagedClusterAddOn");
    status["conditions"].as_array()?.iter().find(|condition| condition["type"] == "Configured").cloned()
}

/// Plans for a fleet, with the report of an earlier plan.
pub(super) fn planned_for(repository: &Repository, fleet: &Fleet, second: i64, past: &Past) -> Plan {
    let (instance, now) = (crate::instance::instance(), Timestamp::from_second(second).unwrap());
    let input = Input { past, now, ..Input::offline(repository, fleet, &instance) };
    plan(&input, &mut Memo::default())
}

#[test]
fn a_cluster_that_starts_again_gets_a_new_configured_time_only_in_strict() {
    for (semantics, since) in [(Semantics::Strict, "1970-01-01T00:01:00Z"), (Semantics::Compat, "1970-01-01T00:00:00Z")]
    {
        let mut repository = examples();
        repository.settings.semantics = semantics;
        let mut fleet = hub(&repository);
        let first = planned_for(&repository, &fleet, 60, &Past::default());
        assert_eq!(configured(&first).unwrap()["lastTransitionTime"], since, "{semantics:?}");

        // The report knows the start in either semantics, also in the next plan.
        let addon = fleet.cluster_addons.get_mut("hello-template").unwrap().get_mut("c1").unwrap();
        let mut object = serde_json::to_value(&**addon).unwrap();
        for (field, value) in status(&first, "ManagedClusterAddOn").as_object().unwrap() {
            object["status"][field] = value.clone();
        }
        *addon = read(object);
        let past = Past { report: first.report.into(), ..Past::default() };
        let second = planned_for(&repository, &fleet, 120, &past);
        let started = second.report.addons["hello-template"].clusters["c1"].started;
        assert_eq!(started, Some(Timestamp::from_second(60).unwrap()), "{semantics:?}");
    }
}

#[test]
fn only_strict_restores_the_configured_condition_of_a_failed_cluster() {
    for (semantics, restored) in [(Semantics::Strict, true), (Semantics::Compat, false)] {
        let mut repository = examples();
        repository.settings.semantics = semantics;
        let mut fleet = hub(&repository);
        let addon = fleet.cluster_addons.get_mut("hello-template").unwrap().get_mut("c1").unwrap();
        let mut object = serde_json::to_value(&**addon).unwrap();
        object["status"]["configReferences"][1]["desiredConfig"]["specHash"] = json!(hash(&repository, TEMPLATES));
        let conditions = object["status"]["conditions"].as_array_mut().unwrap();
        conditions.retain(|condition| condition["type"] != "Configured");
        conditions[0]["reason"] = json!("Failed");
        *addon = read(object);
        let plan = planned_for(&repository, &fleet, 3600, &Past::default());
        assert_eq!(plan.report.addons["hello-template"].clusters["c1"].state, ClusterState::TimedOut, "{semantics:?}");
        assert_eq!(configured(&plan).is_some(), restored, "{semantics:?}");
    }
}

#[test]
fn upstream_counts_a_cluster_without_the_addon_in_every_placement_that_selects_it() {
    let first_of_two = |semantics| {
        let mut repository = examples();
        repository.settings.semantics = semantics;
        let mut fleet = hub(&repository);
        fleet.cluster_addons.clear();
        let addon = repository.addons.get_mut("hello-template").unwrap();
        let Source::AddOn { declaration, .. } = &mut addon.source else { panic!("an add-on") };
        let declaration = std::sync::Arc::make_mut(declaration);
        let placements = &mut declaration.spec.install_strategy.as_mut().unwrap().placements;
        placements.push(placements[0].clone());
        message(&planned_for(&repository, &fleet, 60, &Past::default()))
    };
    let counted = |configured| {
        format!("selected clusters 1. configured addons 0/{configured} progressing..., 0 failed 0 timeout.")
    };
    assert_eq!(first_of_two(Semantics::Compat), counted(1));
    assert_eq!(first_of_two(Semantics::Strict), counted(0));
}
