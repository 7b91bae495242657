//! The state without a server: reports in any order.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::key::{CLUSTER_GROUP, WORK_GROUP};
use tidegate_daemon::hub::{Listing, Observed, State};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::GroupKind;

use super::support::{cluster, work};

fn kind() -> GroupKind {
    GroupKind::new(CLUSTER_GROUP, "ManagedCluster")
}

fn version_of(name: &str, uid: u64, version: u64) -> Value {
    let mut object = cluster(name);
    object["metadata"]["uid"] = json!(format!("uid-{uid}"));
    object["metadata"]["resourceVersion"] = json!(version.to_string());
    object
}

fn observed(object: &Value) -> Observed {
    Observed::read(&kind(), object.clone()).unwrap()
}

fn seen(fleet: &Fleet) -> BTreeMap<String, String> {
    let version = |object: &tidegate_api::ocm::managed_cluster::ManagedCluster| {
        object.metadata.resource_version.clone().unwrap_or_default()
    };
    fleet.clusters.iter().map(|(name, object)| (name.to_string(), version(object))).collect()
}

fn state() -> State {
    let mut state = State::default();
    state.watch(&kind());
    state
}

fn listing(state: &State, version: u64, objects: &[Value]) -> Listing {
    Listing { objects: objects.iter().map(observed).collect(), version: Some(version), begun: state.mark(&kind()) }
}

fn delete(state: &mut State, name: &str, version: u64) {
    state.delete(&kind(), &NamespacedName::new("", name), Some(version));
}

#[test]
fn older_report_never_overwrites_a_newer_one() {
    let mut state = state();
    state.apply(observed(&version_of("a", 1, 10)));
    let generation = state.generation();
    state.apply(observed(&version_of("a", 1, 9)));
    state.apply(observed(&version_of("a", 1, 10)));
    delete(&mut state, "a", 9);
    assert_eq!(state.generation(), generation);
    assert_eq!(seen(&state.fleet()), BTreeMap::from([("a".into(), "10".into())]));
}

#[test]
fn versions_are_compared_as_numbers() {
    let mut state = state();
    state.apply(observed(&version_of("a", 1, 9)));
    state.apply(observed(&version_of("a", 1, 10)));
    assert_eq!(seen(&state.fleet())["a"], "10");
}

#[test]
fn object_that_we_deleted_does_not_reappear_in_a_late_report() {
    let mut state = state();
    let name = NamespacedName::new("", "a");
    state.apply(observed(&version_of("a", 1, 10)));
    state.forget(&kind(), &name, "uid-1");
    state.apply(observed(&version_of("a", 1, 11)));
    let old = listing(&state, 11, &[version_of("a", 1, 11)]);
    state.replace_all(&kind(), old);
    assert!(state.fleet().clusters.is_empty());
    state.apply(observed(&version_of("a", 2, 13)));
    delete(&mut state, "a", 12);
    assert_eq!(seen(&state.fleet())["a"], "13", "its successor is another object");
}

#[test]
fn answer_to_a_patch_does_not_restore_a_deleted_object() {
    let mut state = state();
    state.apply(observed(&version_of("a", 1, 10)));
    delete(&mut state, "a", 12);
    state.amend(observed(&version_of("a", 1, 11)));
    assert!(state.fleet().clusters.is_empty());
}

#[test]
fn list_replaces_the_known_state_even_with_lower_versions() {
    let mut state = state();
    state.apply(observed(&version_of("a", 1, 900)));
    state.apply(observed(&version_of("b", 2, 901)));
    let restored = listing(&state, 40, &[version_of("a", 1, 30)]);
    state.replace_all(&kind(), restored);
    assert_eq!(seen(&state.fleet()), BTreeMap::from([("a".into(), "30".into())]));
}

#[test]
fn our_writes_during_a_list_are_kept() {
    let mut state = state();
    state.apply(observed(&version_of("a", 1, 10)));
    let list = listing(&state, 20, &[version_of("a", 1, 10)]);
    state.apply(observed(&version_of("a", 1, 21)));
    state.apply(observed(&version_of("b", 2, 22)));
    state.replace_all(&kind(), list);
    assert_eq!(seen(&state.fleet()), BTreeMap::from([("a".into(), "21".into()), ("b".into(), "22".into())]));
}

#[test]
fn a_list_that_began_before_everything_became_out_of_date_does_not_count() {
    let mut state = state();
    let begun = listing(&state, 10, &[version_of("a", 1, 10)]);
    state.distrust();
    state.replace_all(&kind(), begun);
    assert!(state.pending().contains(&kind()));
    let list = listing(&state, 11, &[version_of("a", 1, 10)]);
    state.replace_all(&kind(), list);
    assert!(!state.pending().contains(&kind()));
}

#[test]
fn list_without_changes_changes_nothing() {
    let mut state = state();
    let objects = [version_of("a", 1, 10), version_of("b", 2, 11)];
    let list = listing(&state, 12, &objects);
    state.replace_all(&kind(), list);
    let (fleet, generation) = (state.fleet(), state.generation());
    let list = listing(&state, 15, &objects);
    state.replace_all(&kind(), list);
    assert!(Arc::ptr_eq(&fleet, &state.fleet()));
    assert_eq!(state.generation(), generation);
}

#[test]
fn a_list_with_a_lower_version_makes_every_other_kind_pending() {
    let other = GroupKind::new(CLUSTER_GROUP, "ManagedClusterSet");
    let mut state = state();
    state.watch(&other);
    let list = listing(&state, 20, &[version_of("a", 1, 10)]);
    assert_eq!(state.replace_all(&kind(), list), None);
    let empty =
        |state: &State, version| Listing { objects: Vec::new(), version: Some(version), begun: state.mark(&other) };
    let list = empty(&state, 21);
    assert_eq!(state.replace_all(&other, list), None);
    assert!(state.pending().is_empty());
    let list = listing(&state, 15, &[version_of("a", 1, 10)]);
    assert_eq!(state.replace_all(&kind(), list), Some((20, 15)));
    assert_eq!(state.pending(), [other.clone()].into());
    let list = empty(&state, 16);
    assert_eq!(state.replace_all(&other, list), None, "it is the same restore");
    assert!(state.pending().is_empty());
}

#[test]
fn an_object_with_a_lower_version_proves_a_restore_and_a_late_list_does_not() {
    let mut state = state();
    let list = listing(&state, 20, &[version_of("a", 1, 18)]);
    state.replace_all(&kind(), list);
    let late = listing(&state, 21, &[version_of("a", 1, 18)]);
    state.apply(observed(&version_of("a", 1, 22)));
    assert_eq!(state.replace_all(&kind(), late), None, "the object was written while the list was read");
    let restored = listing(&state, 30, &[version_of("a", 1, 12)]);
    assert_eq!(state.replace_all(&kind(), restored), Some((22, 12)));
    let again = listing(&state, 31, &[version_of("a", 2, 5)]);
    assert_eq!(state.replace_all(&kind(), again), None, "it is another object with the same name");
}

/// One thing that happens to one of three objects.
#[derive(Debug, Clone)]
enum Event {
    Write(usize),
    Delete(usize),
}

fn events() -> impl Strategy<Value = Vec<(Event, u8)>> {
    let event = prop_oneof![3 => (0..3usize).prop_map(Event::Write), 1 => (0..3usize).prop_map(Event::Delete)];
    prop::collection::vec((event, any::<u8>()), 0..40)
}

proptest! {
    /// In whatever order answers to writes arrive between the events of a watch, the last event of the watch wins.
    #[test]
    fn fleet_matches_the_hub_once_all_events_have_arrived(history in events()) {
        let names = ["a", "b", "c"];
        let mut truth: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let mut reports: Vec<(Option<Value>, Value)> = Vec::new();
        let mut version = 1;
        let mut early = state();
        let mut late = state();
        for (event, _) in &history {
            version += 1;
            let (Event::Write(which) | Event::Delete(which)) = event;
            let name = names[*which];
            match event {
                Event::Write(_) => {
                    let uid = truth.get(name).map_or(version, |(uid, _)| *uid);
                    truth.insert(name.into(), (uid, version));
                    let object = version_of(name, uid, version);
                    reports.push((Some(object.clone()), object));
                }
                Event::Delete(_) => {
                    if let Some((uid, _)) = truth.remove(name) {
                        reports.push((None, version_of(name, uid, version)));
                    }
                }
            }
        }
        let tell = |state: &mut State, (alive, object): &(Option<Value>, Value)| match alive {
            Some(object) => state.apply(observed(object)),
            None => {
                let version = object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse().ok());
                let name = object["metadata"]["name"].as_str().unwrap();
                state.delete(&kind(), &NamespacedName::new("", name), version);
            }
        };
        for (at, report) in reports.iter().enumerate() {
            // An answer may arrive before its event, and so before the events that led there.
            let ahead = usize::from(history[at].1 % 4);
            if let Some((Some(object), _)) = reports.get(at + ahead) {
                early.apply(observed(object));
            }
            tell(&mut early, report);
            // An answer may arrive after its event, and after later ones.
            tell(&mut late, report);
            if let Some((Some(object), _)) = at.checked_sub(ahead).and_then(|before| reports.get(before)) {
                late.amend(observed(object));
            }
        }
        let expected: BTreeMap<String, String> =
            truth.into_iter().map(|(name, (_, version))| (name, version.to_string())).collect();
        prop_assert_eq!(&seen(&early.fleet()), &expected);
        prop_assert_eq!(&seen(&late.fleet()), &expected);
    }

    /// Reading an object never panics, whatever it contains.
    #[test]
    fn any_object_is_read_or_reported(text in "\\PC{0,20}", number in any::<i64>(), pick in 0..6usize) {
        let odd = [json!(null), json!(text), json!(number), json!([text]), json!({ text: number }), json!(true)];
        for kind in ["ManagedCluster", "ManagedClusterAddOn", "ManifestWork", "Placement", "ConfigMap"] {
            let group = match kind {
                "ManagedClusterAddOn" => "addon.open-cluster-management.io",
                "ManifestWork" => "work.open-cluster-management.io",
                "ConfigMap" => "",
                _ => CLUSTER_GROUP,
            };
            for member in ["metadata", "spec", "status", "apiVersion", "kind"] {
                let mut object = version_of("a", 1, 1);
                object["kind"] = json!(kind);
                object["apiVersion"] = json!(format!("{group}/v1alpha1"));
                object["metadata"]["annotations"] = odd[(pick + 1) % odd.len()].clone();
                object["spec"] = json!({ "installNamespace": "here", "supportedConfigs": odd[pick] });
                object[member] = odd[pick].clone();
                let mut state = State::default();
                state.watch(&GroupKind::new(group, kind));
                if let Some(read) = Observed::read(&GroupKind::new(group, kind), object) {
                    state.apply(read);
                    prop_assert!(state.len() <= 1);
                }
            }
        }
    }
}

#[test]
fn of_a_work_only_the_reports_that_show_something_are_kept() {
    let kind = GroupKind::new(WORK_GROUP, "ManifestWork");
    let condition = |type_: &str, status: &str| json!({ "type": type_, "status": status, "reason": "R", "message": "m", "lastTransitionTime": "2026-03-01T12:00:00Z" });
    let report = |name: &str, values: Value, conditions: Value| json!({ "resourceMeta": { "ordinal": 0, "name": name }, "statusFeedback": { "values": values }, "conditions": conditions });
    let value = json!({ "name": "ReadyReplicas", "fieldValue": { "type": "Integer", "integer": 1 } });
    let mut object = work("east", "w");
    object["status"] = json!({
        "conditions": [condition("Applied", "True")],
        "resourceStatus": { "manifests": [
            report("silent", json!([]), json!([condition("Applied", "True"), condition("Available", "True")])),
            report("ready", json!([value]), json!([condition("Applied", "True")])),
            report("refused", json!([]), json!([condition("Applied", "False"), condition("Available", "Unknown")])),
        ] },
    });
    let mut state = State::default();
    state.watch(&kind);
    for cluster in ["east", "west"] {
        object["metadata"]["namespace"] = json!(cluster);
        state.apply(Observed::read(&kind, object.clone()).unwrap());
    }
    let fleet = state.fleet();
    let works = &fleet.works["hello"];
    let status = works["west"]["w"].status.as_ref().unwrap();
    let kept = status.resource_status.as_ref().unwrap().manifests.iter();
    let kept: Vec<_> = kept.map(|report| (report.resource_meta.name.as_str(), report.conditions.len())).collect();
    assert_eq!((status.conditions.len(), kept), (1, vec![("ready", 0), ("refused", 1)]));
    let manifests = |cluster: &str| works[cluster]["w"].spec.workload.clone().unwrap().manifests;
    assert!(manifests("east")[0].is_same(&manifests("west")[0]), "equal manifests share their memory");
}
