//! When the journal records the fleet.

use std::sync::Arc;

use serde_json::json;
use tidegate_journal::file::FLEET;
use tidegate_journal::fleet::FleetFacts;
use tidegate_journal::{Entry, Facts, Journal, entry};
use tidegate_model::object::ObjectKey;
use tidegate_model::time::SignedDuration;
use tidegate_plan::report::Report;

use super::hub::{CLUSTERS, hub, now};
use tidegate_simulation::hub::Hub;

fn observed(hub: &Hub) -> Facts {
    Facts { fleet: FleetFacts::Observed(Arc::new(hub.fleet().clone())), ..Facts::default() }
}

/// Returns the entry some minutes after the start.
fn at(minutes: i64, before: &Journal, facts: &Facts) -> Option<Entry> {
    entry(before, &Report::default(), facts, now() + SignedDuration::from_mins(minutes)).unwrap()
}

fn label(hub: &mut Hub, value: &str) {
    let key = ObjectKey::new(CLUSTERS, "ManagedCluster", "", "c1");
    hub.patch(&key, &json!({ "metadata": { "labels": { "region": value } } }));
}

#[test]
fn the_fleet_is_recorded_at_most_every_ten_minutes_and_only_if_it_changed() {
    let mut hub = hub();
    let first = at(0, &Journal::default(), &observed(&hub)).unwrap();
    assert!(first.files.contains_key(FLEET), "{:?}", first.files.keys());
    assert_eq!(at(30, &first.journal, &observed(&hub)), None);

    label(&mut hub, "us");
    assert_eq!(at(9, &first.journal, &observed(&hub)), None);
    let second = at(10, &first.journal, &observed(&hub)).unwrap();
    assert_eq!(second.files.keys().collect::<Vec<_>>(), [FLEET]);
    assert_eq!(second.message, "fleet: 1 cluster changed\n");
    label(&mut hub, "eu");
    assert_eq!(at(19, &second.journal, &observed(&hub)), None);
    assert!(at(20, &second.journal, &observed(&hub)).is_some());
}

#[test]
fn measured_values_are_recorded_only_with_other_changes() {
    let mut hub = hub();
    let first = at(0, &Journal::default(), &observed(&hub)).unwrap();
    let key = ObjectKey::new(CLUSTERS, "ManagedCluster", "", "c1");
    hub.patch(&key, &json!({ "status": { "allocatable": { "cpu": "6" } } }));
    assert_eq!(at(30, &first.journal, &observed(&hub)), None);
    let facts = Facts { failures: vec!["an object".to_owned()], ..observed(&hub) };
    let second = at(31, &first.journal, &facts).unwrap();
    assert!(second.files.contains_key(FLEET) && second.files.contains_key("sync.yaml"), "{:?}", second.files.keys());
}

#[test]
fn a_fleet_that_is_switched_off_is_removed_and_an_unknown_one_stays() {
    let first = at(0, &Journal::default(), &observed(&hub())).unwrap();
    assert_eq!(at(30, &first.journal, &Facts::default()), None);
    let off = Facts { fleet: FleetFacts::Off, ..Facts::default() };
    let second = at(1, &first.journal, &off).unwrap();
    assert_eq!(second.files, [(FLEET.to_owned(), None)].into());
    assert_eq!(at(2, &second.journal, &off), None);
}

#[test]
fn a_fleet_that_is_too_large_is_reported_once_and_not_recorded() {
    let mut hub = hub();
    label(&mut hub, &"x".repeat(16 << 20));
    let first = at(0, &Journal::default(), &observed(&hub)).unwrap();
    assert!(!first.files.contains_key(FLEET));
    let notices = &first.journal.sync.as_ref().unwrap().notices;
    assert!(notices.iter().any(|notice| notice.contains("more than 15 MiB")), "{notices:?}");
    assert_eq!(at(5, &first.journal, &observed(&hub)), None);
}
