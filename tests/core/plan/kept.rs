//! What a plan keeps for the next one: it must not outlive what it depends on.

use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Write;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::{Input, Memo, Plan, plan};
use tidegate_repository::Repository;

use super::{examples, read};

/// Two clusters in one set, of which `b` has a score that counts for a minute.
fn fleet() -> Fleet {
    let mut fleet = Fleet::default();
    for name in ["a", "b"] {
        let cluster = json!({ "metadata": { "name": name }, "spec": { "hubAcceptsClient": true } });
        fleet.clusters.insert(name.parse().unwrap(), read(cluster));
    }
    let selector = json!({ "clusterSelector": { "selectorType": "LabelSelector", "labelSelector": {} } });
    fleet.cluster_sets.insert("all".to_owned(), read(json!({ "metadata": { "name": "all" }, "spec": selector })));
    let binding =
        json!({ "metadata": { "name": "all", "namespace": "fleet-addons" }, "spec": { "clusterSet": "all" } });
    fleet.cluster_set_bindings.insert(NamespacedName::new("fleet-addons", "all"), read(binding));
    let status = json!({ "scores": [{ "name": "room", "value": 100 }], "validUntil": "1970-01-01T00:01:00Z" });
    let score = json!({ "metadata": { "name": "load", "namespace": "b" }, "spec": {}, "status": status });
    fleet.scores.entry("b".parse().unwrap()).or_default().insert("load".to_owned(), read(score));
    fleet
}

#[test]
fn a_selection_is_not_kept_after_a_score_has_expired() {
    let (fleet, mut repository) = (fleet(), examples());
    let name = NamespacedName::new("fleet-addons", "fleet");
    let score = json!({ "type": "AddOn", "addOn": { "resourceName": "load", "scoreName": "room" } });
    let spec = json!({
        "clusterSets": ["all"], "numberOfClusters": 1,
        "prioritizerPolicy": { "mode": "Exact", "configurations": [{ "scoreCoordinate": score, "weight": 1 }] },
    });
    let placement = json!({ "metadata": { "name": name.name, "namespace": name.namespace }, "spec": spec });
    repository.placements.insert(name.clone(), read(placement));
    let (mut memo, instance) = (Memo::default(), crate::instance::instance());
    let mut selected = |seconds: i64| {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
        let plan = plan(&Input { now, ..Input::offline(&repository, &fleet, &instance) }, &mut memo);
        plan.readings[&name].iter().flat_map(|group| &group.clusters).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!([selected(0), selected(60)], [["b"], ["b"]]);
    assert_eq!(selected(61), ["a"]);
}

/// Returns the objects that a plan applies.
fn applied(plan: &Plan) -> Vec<ObjectKey> {
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
    let applied = writes.filter(|write| matches!(write, Write::Apply { .. } | Write::Declare { .. }));
    applied.filter_map(Write::key).collect()
}

#[test]
fn a_declared_object_is_compared_again_once_either_side_has_changed() {
    let (mut fleet, mut repository) = (fleet(), examples());
    let (mut memo, instance) = (Memo::default(), crate::instance::instance());
    let input = |fleet: &Fleet, repository: &Repository, memo: &mut Memo| {
        plan(&Input::offline(repository, fleet, &instance), memo)
    };
    for lane in input(&fleet, &repository, &mut memo).lanes {
        for write in lane.writes {
            if let Write::Apply { object } | Write::Declare { object } = write {
                fleet.declared.insert(ObjectKey::of(&object).unwrap(), Arc::new(object));
            }
        }
    }
    assert_eq!(applied(&input(&fleet, &repository, &mut memo)), []);
    assert_eq!(applied(&input(&fleet, &repository, &mut memo)), [], "nothing has changed");
    // Someone changes it on the hub.
    let key = fleet.declared.keys().find(|key| key.kind == "Placement").unwrap().clone();
    let declared = fleet.declared[&key].clone();
    let mut changed = Value::clone(&declared);
    changed["spec"]["numberOfClusters"] = json!(3);
    changed["spec"]["clusterSets"] = json!(["other"]);
    fleet.declared.insert(key.clone(), Arc::new(changed));
    assert_eq!(applied(&input(&fleet, &repository, &mut memo)), std::slice::from_ref(&key));
    fleet.declared.insert(key.clone(), declared);
    assert_eq!(applied(&input(&fleet, &repository, &mut memo)), []);
    // Someone changes the declaration.
    let declared = repository.objects.get_mut(&key).unwrap();
    Arc::make_mut(&mut declared.object)["spec"]["clusterSets"] = json!(["other"]);
    assert_eq!(applied(&input(&fleet, &repository, &mut memo)), [key]);
}
