//! Which clusters lose an add-on, and which keep it because something is in doubt.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Write;
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::progress::Phase;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan, plan};
use tidegate_repository::Repository;

use super::{examples, hub_with_addon, read};

/// A hub with a scheduler of its own: 24 clusters that have the add-on, on pages of ten.
fn hub() -> Fleet {
    let mark = json!({ "labels": { "tidegate.io/owned": "true", "tidegate.io/instance": "0123456789abcdef" } });
    let mut fleet = hub_with_addon(mark);
    let names: Vec<String> = (1..=24).map(|n| format!("c{n:02}")).collect();
    for name in &names {
        let cluster = json!({ "metadata": { "name": name }, "spec": { "hubAcceptsClient": true } });
        fleet.clusters.insert(name.parse().unwrap(), read(cluster));
        let addon = json!({ "metadata": { "name": "hello-template", "namespace": name, "uid": name, "labels": { "tidegate.io/instance": "0123456789abcdef" } }, "spec": {} });
        fleet
            .cluster_addons
            .entry("hello-template".parse().unwrap())
            .or_default()
            .insert(name.parse().unwrap(), read(addon));
    }
    let pages: Vec<&[String]> = names.chunks(10).collect();
    for (n, clusters) in pages.iter().enumerate() {
        page(&mut fleet, &format!("fleet-decision-{}", n + 1), clusters);
    }
    let groups = json!([{ "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["fleet-decision-1", "fleet-decision-2", "fleet-decision-3"], "clusterCount": 24 }]);
    status(&mut fleet, json!({ "numberOfSelectedClusters": 24, "decisionGroups": groups }));
    fleet
}

fn page(fleet: &mut Fleet, name: &str, clusters: &[String]) {
    let decisions: Vec<Value> = clusters.iter().map(|name| json!({ "clusterName": name, "reason": "" })).collect();
    let labels = json!({ "cluster.open-cluster-management.io/placement": "fleet", "cluster.open-cluster-management.io/decision-group-index": "0", "cluster.open-cluster-management.io/decision-group-name": "canary" });
    let object = json!({ "metadata": { "name": name, "namespace": "fleet-addons", "labels": labels }, "spec": {}, "status": { "decisions": decisions } });
    fleet.decisions.insert(NamespacedName::new("fleet-addons", name), read(object));
}

fn status(fleet: &mut Fleet, status: Value) {
    let object = json!({ "metadata": { "name": "fleet", "namespace": "fleet-addons", "uid": "p" }, "spec": {}, "status": status });
    fleet.placements.insert(NamespacedName::new("fleet-addons", "fleet"), read(object));
}

fn repository() -> Repository {
    let mut repository = examples();
    repository.settings.prune.max_percent = 100;
    repository
}

fn planned(repository: &Repository, fleet: &Fleet, past: &Past) -> Plan {
    planned_at(0, repository, fleet, past)
}

fn planned_at(second: i64, repository: &Repository, fleet: &Fleet, past: &Past) -> Plan {
    let (instance, now) = (crate::instance::instance(), Timestamp::from_second(second).unwrap());
    let offline = Input::offline(repository, fleet, &instance);
    plan(&Input { placement_mode: PlacementMode::Hub, past, now, ..offline }, &mut Memo::default())
}

/// Returns how many clusters start, and which ones lose the add-on.
fn moved(plan: &Plan) -> (usize, BTreeSet<String>) {
    let writes = || plan.lanes.iter().flat_map(|lane| &lane.writes);
    let is_addon = |write: &&Write| write.key().is_some_and(|key| key.kind == "ManagedClusterAddOn");
    let starts = writes().filter(is_addon).filter(|write| write_starts(write)).count();
    let removed = writes().filter(is_addon).filter_map(|write| match write {
        Write::Delete { key, .. } => Some(key.namespace.clone()),
        _ => None,
    });
    (starts, removed.collect())
}

fn write_starts(write: &Write) -> bool {
    matches!(write, Write::PatchStatus { status, .. } if status.value().get("configReferences").is_some())
        || matches!(write, Write::Create { .. })
}

fn past(plan: Plan) -> Past {
    Past { report: Arc::new(plan.report), readings: plan.readings, ..Past::default() }
}

#[test]
fn decisions_that_contradict_their_placement_neither_start_nor_remove_clusters() {
    let (repository, whole) = (repository(), hub());
    let first = planned(&repository, &whole, &Past::default());
    assert_eq!(moved(&first), (24, BTreeSet::new()), "a complete reading is acted upon");
    let before = past(first);
    let nobody = |what: &str, fleet: &Fleet, past: &Past| {
        let plan = planned(&repository, fleet, past);
        assert_eq!(moved(&plan), (0, BTreeSet::new()), "{what}");
        let problem = plan.report.addons["hello-template"].problem.clone().unwrap_or_default();
        assert!(
            problem.contains("Placement fleet-addons/fleet") && problem.contains("no cluster starts or is removed"),
            "{what}: {problem}"
        );
        assert_eq!(
            problem.contains("the last complete reading stays in force"),
            !past.readings.is_empty(),
            "{problem}"
        );
        assert_eq!(plan.report.addons["hello-template"].phase, Phase::Held, "{what}");
    };
    let key = |name: &str| NamespacedName::new("fleet-addons", name);
    let changed = |change: &dyn Fn(&mut Fleet)| {
        let mut fleet = whole.clone();
        change(&mut fleet);
        fleet
    };
    let cases: [(&str, Fleet); 8] = [
        ("a page is missing", changed(&|fleet| drop(fleet.decisions.remove(&key("fleet-decision-2"))))),
        ("a page is empty", changed(&|fleet| page(fleet, "fleet-decision-1", &[]))),
        ("a cluster is on two pages", changed(&|fleet| page(fleet, "fleet-decision-3", &["c01".to_owned()]))),
        (
            "the status is outdated",
            changed(&|fleet| {
                status(
                    fleet,
                    json!({ "numberOfSelectedClusters": 3, "decisionGroups": [{ "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["fleet-decision-1"], "clusterCount": 3 }] }),
                )
            }),
        ),
        ("there is no status", changed(&|fleet| status(fleet, json!({})))),
        (
            "the groups are gone",
            changed(&|fleet| status(fleet, json!({ "numberOfSelectedClusters": 24, "decisionGroups": [] }))),
        ),
        ("all decisions are gone", changed(&|fleet| fleet.decisions.clear())),
        ("the Placement is gone", changed(&|fleet| fleet.placements.clear())),
    ];
    for (what, fleet) in &cases {
        nobody(what, fleet, &before);
        nobody(&format!("{what}, after a restart"), fleet, &Past::default());
    }
}

#[test]
fn a_placement_that_its_scheduler_calls_misconfigured_removes_no_cluster() {
    let (repository, whole) = (repository(), hub());
    let before = past(planned(&repository, &whole, &Past::default()));
    let mut fleet = whole;
    fleet.decisions.clear();
    page(&mut fleet, "fleet-decision-1", &[]);
    let condition = json!({ "type": "PlacementMisconfigured", "status": "True", "reason": "Misconfigured", "message": "no such prioritizer", "lastTransitionTime": Timestamp::UNIX_EPOCH });
    let groups = json!([{ "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["fleet-decision-1"], "clusterCount": 0 }]);
    status(&mut fleet, json!({ "numberOfSelectedClusters": 0, "decisionGroups": groups, "conditions": [condition] }));
    let plan = planned(&repository, &fleet, &before);
    assert_eq!(moved(&plan), (0, BTreeSet::new()));
    assert!(plan.report.addons["hello-template"].problem.as_ref().unwrap().contains("no such prioritizer"));
}

#[test]
fn an_addon_that_someone_else_installed_stays() {
    let (mut repository, mut fleet) = (repository(), hub());
    repository.settings.prune.wait_for_installs = false;
    let names: Vec<String> = (1..=20).map(|n| format!("c{n:02}")).collect();
    fleet.decisions.clear();
    page(&mut fleet, "fleet-decision-1", &names);
    let groups = json!([{ "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["fleet-decision-1"], "clusterCount": 20 }]);
    status(&mut fleet, json!({ "numberOfSelectedClusters": 20, "decisionGroups": groups }));
    let addons = fleet.cluster_addons.get_mut("hello-template").unwrap();
    let mut owned_by = |cluster: &str, labels: Value| {
        let cluster: ClusterName = cluster.parse().unwrap();
        let object = json!({ "metadata": { "name": "hello-template", "namespace": cluster, "uid": cluster, "labels": labels }, "spec": {} });
        addons.insert(cluster, read(object));
    };
    owned_by("c21", json!({}));
    owned_by("c22", json!({ "tidegate.io/instance": "fedcba9876543210" }));
    let first = planned(&repository, &fleet, &Past::default());
    assert_eq!(moved(&first).1, BTreeSet::new(), "the scheduler may put them into another Placement");
    let plan = planned_at(10, &repository, &fleet, &past(first));
    assert_eq!(moved(&plan).1, ["c23", "c24"].map(str::to_owned).into());
    assert!(plan.report.notices.iter().any(|notice| notice.contains("stays on c21, c22")), "{:?}", plan.report.notices);
}

#[test]
fn a_cluster_that_cannot_get_its_addon_yet_reports_what_is_missing() {
    let (repository, mut fleet) = (repository(), hub());
    let name = |cluster: &str| cluster.parse::<ClusterName>().unwrap();
    let addons = fleet.cluster_addons.get_mut("hello-template").unwrap();
    addons.remove("c02");
    let labels = json!({ "tidegate.io/instance": "0123456789abcdef" });
    let metadata = json!({ "name": "hello-template", "namespace": "c03", "uid": "c03", "labels": labels, "deletionTimestamp": "2026-11-21T10:00:00Z" });
    addons.insert(name("c03"), read(json!({ "metadata": metadata, "spec": {} })));
    fleet.clusters.remove("c01");
    let clusters = &planned(&repository, &fleet, &Past::default()).report.addons["hello-template"].clusters;
    let reason = |cluster: &str| (clusters[cluster].reason.as_str(), clusters[cluster].opens.as_str());
    assert_eq!(reason("c01"), ("waits until the hub has its ManagedCluster", "the hub has its ManagedCluster"));
    assert_eq!(reason("c02").1, "the hub has its ManagedClusterAddOn");
    let deleting = "the previous installation is still being deleted; it is installed again after that";
    assert_eq!(reason("c03"), (deleting, "the hub has deleted it"));
}

/// Returns a hub whose scheduler has deselected all clusters after the first `selected`.
fn left_out(whole: &Fleet, selected: usize) -> Fleet {
    let mut fleet = whole.clone();
    let names: Vec<String> = (1..=selected).map(|n| format!("c{n:02}")).collect();
    fleet.decisions.clear();
    page(&mut fleet, "fleet-decision-1", &names);
    let groups = json!([{ "decisionGroupIndex": 0, "decisionGroupName": "canary", "decisions": ["fleet-decision-1"], "clusterCount": selected }]);
    status(&mut fleet, json!({ "numberOfSelectedClusters": selected, "decisionGroups": groups }));
    fleet
}

#[test]
fn clusters_that_are_deselected_one_after_the_other_count_as_one_removal() {
    let (mut repository, whole) = (examples(), hub());
    repository.settings.prune.wait_for_installs = false;
    let mut before = Past::default();
    for second in 0..9 {
        let plan = planned_at(second, &repository, &left_out(&whole, 23 - second as usize), &before);
        assert_eq!(moved(&plan).1, BTreeSet::new(), "second {second}");
        before = past(plan);
    }
    let held = planned_at(60, &repository, &left_out(&whole, 15), &before);
    assert_eq!(moved(&held).1, BTreeSet::new());
    let hold = held.report.addons["hello-template"].removal.clone().unwrap();
    assert_eq!((hold.held.len(), hold.limit, hold.total), (9, 5, 24));

    // Reverted step by step: the last clusters must not slip under the limits.
    before = past(held);
    for (second, selected) in [(70, 18), (90, 20), (110, 22), (130, 23)] {
        let plan = planned_at(second, &repository, &left_out(&whole, selected), &before);
        assert_eq!(moved(&plan).1, BTreeSet::new(), "{selected} are selected");
        before = past(plan);
    }
    let plan = planned_at(150, &repository, &whole, &before);
    assert_eq!((moved(&plan).1, &plan.report.addons["hello-template"].removal), (BTreeSet::new(), &None));
    before = past(plan);
    before = past(planned_at(160, &repository, &left_out(&whole, 22), &before));
    let plan = planned_at(170, &repository, &left_out(&whole, 22), &before);
    assert_eq!(moved(&plan).1, ["c23", "c24"].map(str::to_owned).into(), "a new removal within the limits");
}
