//! The Events that are written for news.

use serde_json::json;
use tidegate_api::fleet::Fleet;
use tidegate_daemon::reconciler::events::{Correlator, Draft, Subject};
use tidegate_daemon::reconciler::news::News;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};

fn draft(version: &str) -> Draft {
    let news = News::RolloutResumed { addon: "hello".parse().unwrap(), to: version.to_owned() };
    Draft::of(&news, &Fleet::default())
}

const ADDON_VERSION: &str = "addon.open-cluster-management.io/v1beta1";

#[test]
fn a_repeated_event_raises_the_count_of_the_first_one() {
    let mut correlator = Correlator::new("daemon");
    let now = Timestamp::UNIX_EPOCH;
    let first = correlator.admit(draft("1"), ADDON_VERSION, now).unwrap();
    assert_eq!(first.patch, None);
    let later = now + SignedDuration::from_secs(60);
    let again = correlator.admit(draft("1"), ADDON_VERSION, later).unwrap();
    assert_eq!(again.name, first.name);
    assert_eq!(again.patch, Some(json!({ "count": 2, "lastTimestamp": "1970-01-01T00:01:00Z" })));
    let other = correlator.admit(draft("2"), ADDON_VERSION, later).unwrap();
    assert_ne!(other.name, first.name);
    assert_eq!(other.patch, None);
}

#[test]
fn an_event_is_a_complete_object_about_its_subject() {
    let step = Correlator::new("daemon").admit(draft("1"), ADDON_VERSION, Timestamp::UNIX_EPOCH).unwrap();
    let name = &step.name;
    assert!(name.starts_with("hello."), "{name}");
    assert_eq!(
        step.event,
        json!({
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": { "name": name, "namespace": "default" },
            "involvedObject": { "apiVersion": ADDON_VERSION, "kind": "ClusterManagementAddOn", "name": "hello" },
            "type": "Normal",
            "reason": "RolloutResumed",
            "message": "The rollout of 1 continues",
            "source": { "component": "tidegate" },
            "reportingComponent": "tidegate",
            "reportingInstance": "daemon",
            "firstTimestamp": "1970-01-01T00:00:00Z",
            "lastTimestamp": "1970-01-01T00:00:00Z",
            "count": 1,
        })
    );
}

#[test]
fn an_object_has_25_events_at_once_and_then_one_every_five_minutes() {
    let (mut correlator, mut now) = (Correlator::new("daemon"), Timestamp::UNIX_EPOCH);
    let mut admitted = |count: usize, now: Timestamp| {
        (0..count).filter(|n| correlator.admit(draft(&n.to_string()), ADDON_VERSION, now).is_some()).count()
    };
    assert_eq!(admitted(100, now), 25);
    now += SignedDuration::from_mins(4);
    assert_eq!(admitted(10, now), 0);
    now += SignedDuration::from_mins(1);
    assert_eq!(admitted(10, now), 1);
    now += SignedDuration::from_hours(24);
    assert_eq!(admitted(100, now), 25);
}

#[test]
fn an_event_is_about_the_most_specific_object_of_the_news() {
    let addon = || "hello".parse().unwrap();
    let failed = |names: &[&str]| News::ClustersFailed {
        addon: addon(),
        clusters: names.iter().collect(),
        reason: "no space".to_owned(),
    };
    let subject = |news: &News| {
        let Subject { object, .. } = Subject::of(news, &Fleet::default());
        object.to_string()
    };
    assert_eq!(subject(&failed(&["a"])), "ManagedClusterAddOn a/hello");
    assert_eq!(subject(&failed(&["a", "b"])), "ClusterManagementAddOn hello");
    assert_eq!(subject(&News::BrakeHeld { reason: String::new() }), "Namespace default");
    let object = ObjectKey::new("", "ConfigMap", "n", "c");
    let repaired = |object| News::DriftRepaired { addon: None, objects: ["c"].iter().collect(), object };
    assert_eq!(subject(&repaired(Some(object))), "ConfigMap n/c");
    assert_eq!(subject(&repaired(None)), "Namespace default");
}

#[test]
fn any_object_name_gives_a_valid_event_name_and_long_messages_are_cut() {
    let object = ObjectKey::new("rbac.authorization.k8s.io", "ClusterRole", "", "System:Node_Reader");
    let news = News::ForeignWriter { addon: None, object, repairs: 3 };
    let draft = Draft::of(&news, &Fleet::default());
    let step = Correlator::new("daemon").admit(draft, "", Timestamp::UNIX_EPOCH).unwrap();
    assert!(step.name.starts_with("system-node-reader."), "{}", step.name);
    let news = News::BrakeHeld { reason: "x".repeat(5_000) };
    assert_eq!(Draft::of(&news, &Fleet::default()).message.len(), 1_000);
}
