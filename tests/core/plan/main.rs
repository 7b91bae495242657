//! Tests of `plan` through its public interface: what it refuses to do.

#![expect(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod application_world;
mod autoscaler;
mod compat;
mod drift;
mod hooks;
mod jobs;
mod kept;
mod per_cluster;
mod present;
mod preview;
mod removal;
mod requests;
mod rollout_story;
mod spoke;
mod tokens;
mod variables;

#[path = "../../support/certificate_request.rs"]
mod certificate_request;
#[path = "../../support/example_tree.rs"]
mod example_tree;
#[path = "../../support/instance.rs"]
mod instance;
#[path = "../../support/root.rs"]
mod root;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::{Stage, Write};
use tidegate_model::name::ClusterName;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan, plan};
use tidegate_repository::{OperatorRules, Repository, hold, load, load_with};

fn examples() -> Repository {
    hold(load(&crate::example_tree::tree(), ""), &Default::default(), None)
}

fn planned(repository: &Repository, fleet: &Fleet, placement_mode: PlacementMode) -> Plan {
    let instance = crate::instance::instance();
    let input = Input { placement_mode, ..Input::offline(repository, fleet, &instance) };
    plan(&input, &mut Memo::default())
}

fn read<T: serde::de::DeserializeOwned>(object: Value) -> Arc<T> {
    Arc::new(serde_json::from_value(object).unwrap())
}

/// A hub that already has the add-on, with this metadata.
fn hub_with_addon(metadata: Value) -> Fleet {
    let mut fleet = Fleet::default();
    let mut object = json!({ "apiVersion": "addon.open-cluster-management.io/v1beta1", "kind": "ClusterManagementAddOn", "metadata": { "name": "hello-template", "uid": "u", "resourceVersion": "1" }, "spec": {} });
    object["metadata"].as_object_mut().unwrap().extend(metadata.as_object().unwrap().clone());
    fleet.addons.insert("hello-template".parse().unwrap(), read(object));
    fleet
}

fn touches(plan: &Plan, kind: &str, name: &str) -> bool {
    let keys = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key);
    keys.into_iter().any(|key| key.kind == kind && key.name == name)
}

#[test]
fn an_addon_that_upstream_drives_is_refused_with_what_to_do() {
    let repository = examples();
    for metadata in
        [json!({}), json!({ "annotations": { "addon.open-cluster-management.io/lifecycle": "addon-manager" } })]
    {
        let plan = planned(&repository, &hub_with_addon(metadata), PlacementMode::Builtin);
        let report = &plan.report.addons["hello-template"];
        assert_eq!(report.phase, Phase::Refused);
        assert!(report.problem.as_ref().unwrap().contains("kubectl annotate clustermanagementaddon hello-template"));
        assert!(!touches(&plan, "ClusterManagementAddOn", "hello-template"));
        assert!(touches(&plan, "ClusterManagementAddOn", "managed-serviceaccount"), "the other add-on continues");
    }
}

#[test]
fn an_addon_that_was_handed_over_is_driven() {
    for metadata in [
        json!({ "annotations": { "addon.open-cluster-management.io/lifecycle": "self" } }),
        json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } }),
    ] {
        let plan = planned(&examples(), &hub_with_addon(metadata), PlacementMode::Builtin);
        assert_ne!(plan.report.addons["hello-template"].phase, Phase::Refused);
        assert!(touches(&plan, "ClusterManagementAddOn", "hello-template"));
    }
}

/// A hub on which one cluster has the add-on, although nothing selects the cluster any more.
fn hub_with_installed_cluster() -> Fleet {
    let mut fleet = hub_with_addon(
        json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } }),
    );
    let cluster = json!({ "apiVersion": "v", "kind": "ManagedCluster", "metadata": { "name": "c1" }, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("c1".parse().unwrap(), read(cluster));
    let addon = json!({ "apiVersion": "v", "kind": "ManagedClusterAddOn", "metadata": { "name": "hello-template", "namespace": "c1", "uid": "u", "labels": { "tidegate.io/instance": "0123456789abcdef" } }, "spec": {} });
    fleet
        .cluster_addons
        .entry("hello-template".parse().unwrap())
        .or_default()
        .insert("c1".parse().unwrap(), read(addon));
    fleet
}

#[test]
fn nothing_is_uninstalled_while_the_hub_has_no_decision() {
    let plan = planned(&examples(), &hub_with_installed_cluster(), PlacementMode::Hub);
    assert!(!touches(&plan, "ManagedClusterAddOn", "hello-template"));
    let problem = plan.report.addons["hello-template"].problem.clone().unwrap();
    assert!(problem.contains("the hub has no Placement fleet-addons/fleet"), "{problem}");
}

#[test]
fn a_cluster_that_no_placement_selects_loses_the_addon() {
    let mut repository = examples();
    repository.settings.prune.settle_seconds = 0;
    repository.settings.prune.wait_for_installs = false;
    let removed = |fleet: &Fleet| {
        let plan = planned(&repository, fleet, PlacementMode::Builtin);
        plan.lanes.iter().flat_map(|lane| &lane.writes).filter(|write| matches!(write, Write::Delete { .. })).count()
    };
    let mut fleet = hub_with_installed_cluster();
    assert_eq!(removed(&fleet), 0, "no set is bound to the namespace");
    fleet.cluster_sets = repository.cluster_sets.clone();
    fleet.cluster_set_bindings = repository.cluster_set_bindings.clone();
    assert_eq!(removed(&fleet), 0, "the set has no cluster");
    let member =
        json!({ "metadata": { "name": "c2", "labels": { "fleet": "demo" } }, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("c2".parse().unwrap(), read(member));
    assert_eq!(removed(&fleet), 1);
}

#[test]
fn more_than_the_allowed_share_is_never_pruned() {
    let repository = examples();
    let mut fleet = Fleet::default();
    let stray = |n: usize| {
        let metadata = json!({ "name": format!("stray-{n}"), "namespace": "x", "uid": "u", "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } });
        let key = ObjectKey::new("", "ConfigMap", "x", &format!("stray-{n}"));
        (key, Arc::new(json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata })))
    };
    for (key, declared) in &repository.objects {
        let mut object = (*declared.object).clone();
        object["metadata"]["labels"]["tidegate.io/owned"] = json!("true");
        object["metadata"]["labels"]["tidegate.io/instance"] = json!("0123456789abcdef");
        object["metadata"]["uid"] = json!("u");
        fleet.declared.insert(key.clone(), Arc::new(object));
    }
    let pruned = |fleet: &Fleet| {
        let plan = planned(&repository, fleet, PlacementMode::Builtin);
        (plan.lanes.iter().filter(|lane| lane.stage == Stage::Prune).count(), plan.report.notices.len())
    };
    fleet.declared.extend([stray(1)]);
    assert_eq!(pruned(&fleet), (1, 0));
    fleet.declared.extend((2..=10).map(stray));
    assert_eq!(pruned(&fleet), (0, 1), "ten of twenty-seven are more than a fifth");
    let mut doubtful = repository.clone();
    doubtful.may_prune = false;
    let plan = planned(&doubtful, &fleet, PlacementMode::Builtin);
    assert!(plan.lanes.iter().all(|lane| lane.stage != Stage::Prune));
}

#[test]
fn what_another_controller_of_applications_was_given_stays_on_the_hub_once_tidegate_reads_them() {
    let mut repository = examples();
    let mark = json!({ "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" });
    let mut fleet = Fleet::default();
    for kind in ["Application", "ComponentDefinition", "TraitDefinition"] {
        let metadata = json!({ "name": "web", "namespace": "x", "uid": "u", "labels": mark });
        let object = json!({ "apiVersion": "core.oam.dev/v1beta1", "kind": kind, "metadata": metadata });
        fleet.declared.insert(ObjectKey::new("core.oam.dev", kind, "x", "web"), Arc::new(object));
    }
    repository.settings.prune.max_percent = 100;
    let mut pruned = |enabled: bool| {
        repository.settings.applications.enabled = enabled;
        let plan = planned(&repository, &fleet, PlacementMode::Builtin);
        ["Application", "ComponentDefinition", "TraitDefinition"].map(|kind| touches(&plan, kind, "web"))
    };
    assert_eq!((pruned(false), pruned(true)), ([true; 3], [false; 3]));
}

#[test]
fn the_same_inputs_give_the_same_plan() {
    let (repository, fleet) = (examples(), hub_with_installed_cluster());
    let (a, b) =
        (planned(&repository, &fleet, PlacementMode::Builtin), planned(&repository, &fleet, PlacementMode::Builtin));
    assert_eq!((a.lanes, a.report, a.look_at), (b.lanes, b.report, b.look_at));
}

#[test]
fn an_addon_that_was_never_good_is_shown_with_its_complaint() {
    let mut tree = crate::example_tree::tree();
    let path = "fleet/addons/hello-template/addon.yaml";
    let text = String::from_utf8(tree.files[path].clone()).unwrap().replace("name: fleet\n", "name: flete\n");
    tree.files.insert(path.to_owned(), text.into_bytes());
    let repository = hold(load(&tree, ""), &Default::default(), None);
    let plan = planned(&repository, &Fleet::default(), PlacementMode::Builtin);
    let report = &plan.report.addons["hello-template"];
    assert_eq!(report.phase, Phase::Refused);
    assert!(report.problem.as_ref().unwrap().starts_with(path), "{:?}", report.problem);
}

#[test]
fn labels_that_are_not_a_map_are_refused_where_they_are_declared() {
    let mut tree = crate::example_tree::tree();
    for (n, labels) in ["text", "7", "[a]", "~"].iter().enumerate() {
        let text = format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{n}, namespace: fleet-addons, labels: {labels}}}\n"
        );
        tree.files.insert(format!("fleet/c{n}.yaml"), text.into_bytes());
    }
    let operator = OperatorRules {
        kinds: vec![serde_json::from_value(json!({ "kind": "ConfigMap" })).unwrap()],
        ..OperatorRules::default()
    };
    let loaded = load_with(&tree, "", &Arc::new(operator));
    let complaints: Vec<String> = loaded.complaints.iter().map(|found| found.diagnostic.to_string()).collect();
    let wanted = ["string", "number", "list"].iter().enumerate();
    let wanted = wanted.map(|(n, what)| format!("fleet/c{n}.yaml:3:55: metadata.labels is a {what}; write a mapping"));
    assert_eq!(complaints, wanted.collect::<Vec<_>>());
    let plan = planned(&hold(loaded, &Default::default(), None), &Fleet::default(), PlacementMode::Builtin);
    let written = plan.lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key);
    assert_eq!(written.filter(|key| key.kind == "ConfigMap").map(|key| key.name).collect::<Vec<_>>(), ["c3"]);
}

/// The canary of the examples, which was assigned its configurations at second `told` and completed them at second
/// `done`.
fn hub_with_done_cluster(repository: &Repository, done: i64, told: i64, change: impl Fn(&mut Value)) -> Fleet {
    let mut fleet = compat::hub(repository);
    let addons = fleet.cluster_addons.get_mut("hello-template").unwrap();
    let (name, addon) = addons.iter().next().unwrap();
    let (name, mut object) = (name.clone(), serde_json::to_value(addon.as_ref()).unwrap());
    let configurations = &repository.addons["hello-template"].configurations;
    let (template, _) = configurations.iter().find(|(r, _)| r.resource == "addontemplates").unwrap();
    let desired = &mut object["status"]["configReferences"][1]["desiredConfig"];
    desired["name"] = json!(template.name);
    desired["specHash"] = json!(compat::hash(repository, "addontemplates"));
    for reference in object["status"]["configReferences"].as_array_mut().unwrap() {
        reference["lastAppliedConfig"] = reference["desiredConfig"].clone();
    }
    let at = |second| json!(Timestamp::from_second(second).unwrap());
    for condition in object["status"]["conditions"].as_array_mut().unwrap() {
        match condition["type"].as_str().unwrap() {
            "Configured" => condition["lastTransitionTime"] = at(told),
            "Progressing" => {
                (condition["status"], condition["reason"]) = (json!("False"), json!("Completed"));
                condition["lastTransitionTime"] = at(done);
            }
            _ => {}
        }
    }
    change(&mut object);
    addons.insert(name, read(object));
    fleet
}

/// Makes an add-on one that has its configurations, and whose success is not in its status yet.
fn make_underway(object: &mut Value) {
    for reference in object["status"]["configReferences"].as_array_mut().unwrap() {
        reference["lastAppliedConfig"] = Value::Null;
    }
    let conditions = object["status"]["conditions"].as_array_mut().unwrap();
    let progressing = conditions.iter_mut().find(|condition| condition["type"] == "Progressing").unwrap();
    (progressing["status"], progressing["reason"]) = (json!("True"), json!("Progressing"));
}

/// Returns the report of that canary.
fn told_of_done(done: i64, told: i64) -> tidegate_plan::report::ClusterReport {
    let repository = examples();
    let fleet = hub_with_done_cluster(&repository, done, told, |_| {});
    let plan = planned(&repository, &fleet, PlacementMode::Builtin);
    plan.report.addons["hello-template"].clusters["c1"].clone()
}

#[test]
fn a_cluster_that_was_done_before_it_was_configured_again_has_not_started() {
    let at = |second| Some(Timestamp::from_second(second).unwrap());
    let [upgraded, untouched] = [(-10, -20), (-20, -10)].map(|(done, told)| told_of_done(done, told));
    assert_eq!((upgraded.started, upgraded.since), (at(-20), at(-10)), "{upgraded:?}");
    assert_eq!((untouched.started, untouched.since), (None, at(-20)), "{untouched:?}");
}

#[test]
fn a_deadline_counts_only_while_the_cluster_is_watched_for_this_configuration() {
    let repository = examples();
    // It got the configuration two hours ago.
    let fleet = hub_with_done_cluster(&repository, -7_200, -7_200, make_underway);
    let first = planned(&repository, &fleet, PlacementMode::Builtin).report;
    assert_eq!(first.addons["hello-template"].clusters["c1"].state, ClusterState::TimedOut);
    let after = |state: ClusterState| {
        let mut report = first.clone();
        report.addons.get_mut("hello-template").unwrap().clusters.get_mut("c1").unwrap().state = state;
        let past = Past { report: Arc::new(report), ..Past::default() };
        compat::planned_for(&repository, &fleet, 0, &past).report.addons["hello-template"].clusters["c1"].state
    };
    for unwatched in [ClusterState::Leaving, ClusterState::Waiting] {
        assert_ne!(after(unwatched), ClusterState::TimedOut, "{unwatched}");
    }
    assert_eq!(after(ClusterState::Progressing), ClusterState::TimedOut);
}

#[test]
fn a_start_that_the_hub_refused_is_not_reported() {
    let repository = examples();
    let fleet = compat::hub(&repository);
    let report = Arc::new(planned(&repository, &fleet, PlacementMode::Builtin).report);
    let starts = |report: &Report| -> BTreeSet<ClusterName> {
        let clusters = report.addons["hello-template"].clusters.iter();
        clusters.filter(|(_, cluster)| cluster.started.is_some()).map(|(name, _)| name.clone()).collect()
    };
    let all = starts(&report);
    let refused = all.first().unwrap();
    let key =
        ObjectKey::new("addon.open-cluster-management.io", "ManagedClusterAddOn", refused.as_str(), "hello-template");
    let before = Report::default();
    let told = report.without_starts(&before, &[key].into());
    let cluster = &told.addons["hello-template"].clusters[refused];
    assert_eq!((cluster.state, cluster.started, cluster.hash.as_str()), (ClusterState::Waiting, None, ""));
    assert_eq!(starts(&told).len() + 1, all.len());
    let work = ObjectKey::new(
        "work.open-cluster-management.io",
        "ManifestWork",
        refused.as_str(),
        "addon-hello-template-deploy-0",
    );
    assert_eq!(
        *report.without_starts(&before, &[work].into()),
        *report,
        "a cluster whose work was refused has started"
    );
}

#[test]
fn a_cluster_is_timed_out_since_the_end_of_its_deadline_and_not_since_its_start() {
    let repository = examples();
    let at = |second: i64| Timestamp::from_second(second).unwrap();
    let since = |overdue: Option<i64>| {
        let fleet = hub_with_done_cluster(&repository, -7_200, -7_200, |object| {
            make_underway(object);
            let conditions = object["status"]["conditions"].as_array_mut().unwrap();
            let overdue = overdue.map(|second| {
                json!({ "type": "tidegate.io/Overdue", "status": "True", "reason": "ProgressDeadlineExceeded", "message": "", "lastTransitionTime": at(second) })
            });
            conditions.extend(overdue);
        });
        let plan = planned(&repository, &fleet, PlacementMode::Builtin);
        let report = plan.report.addons["hello-template"].clusters["c1"].clone();
        assert_eq!(report.state, ClusterState::TimedOut, "{report:?}");
        assert_eq!(report.started, Some(at(-7_200)));
        report.since
    };
    assert_eq!((since(None), since(Some(-3_600))), (Some(at(0)), Some(at(-3_600))));
}
