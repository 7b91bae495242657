//! The objects with which agents request tokens, where an agent, a cluster or an instance is gone.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::Write;
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Past, PlacementMode, plan};
use tidegate_repository::{Archive, Repository};
use tidegate_rollout::gate::checks::Observations;

use super::read;

fn account(namespace: &str) -> ObjectKey {
    ObjectKey::new("", "ServiceAccount", namespace, "hello-agent")
}

fn put(fleet: &mut Fleet, namespace: &str, instance: &str) {
    let labels = json!({ key::TOKEN_ADDON: "hello", key::TOKEN_INFRASTRUCTURE: "true", key::INSTANCE_LABEL: instance });
    let object = json!({ "metadata": { "namespace": namespace, "name": "hello-agent", "uid": "u", "labels": labels } });
    fleet.tokens.insert(account(namespace), Arc::new(object));
}

/// Gives a cluster the add-on, with these fields of its metadata.
fn install(fleet: &mut Fleet, cluster: &str, metadata: Value) {
    let mut object = json!({ "metadata": { "namespace": cluster, "name": "hello", "uid": "a" }, "spec": {} });
    object["metadata"].as_object_mut().unwrap().extend(metadata.as_object().cloned().unwrap());
    fleet.cluster_addons.entry("hello".parse().unwrap()).or_default().insert(cluster.parse().unwrap(), read(object));
}

/// Returns the objects that a plan deletes.
fn deleted(fleet: &Fleet, unobserved: &BTreeSet<GroupKind>) -> Vec<String> {
    let (repository, now, instance) = (&Repository::default(), Timestamp::UNIX_EPOCH, &crate::instance::instance());
    let (past, archive, placement_mode) = (&Past::default(), &Archive::default(), PlacementMode::Builtin);
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
    let plan = plan(&input, &mut Memo::default());
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
    let deletions = writes.filter(|write| matches!(write, Write::Delete { .. })).filter_map(Write::key);
    deletions.map(|key| key.to_string()).collect()
}

#[test]
fn the_objects_of_an_agent_go_with_its_add_on_and_not_before() {
    let (mut fleet, ours) = (Fleet::default(), crate::instance::instance().id.to_string());
    for cluster in ["deleting", "gone", "held", "here", "unreadable"] {
        put(&mut fleet, cluster, &ours);
    }
    put(&mut fleet, "foreign", "fedcba9876543210");
    let deleting = "1970-01-01T00:00:00Z";
    install(&mut fleet, "here", json!({}));
    install(&mut fleet, "deleting", json!({ "deletionTimestamp": deleting, "finalizers": ["x"] }));
    install(&mut fleet, "held", json!({ "deletionTimestamp": deleting, "finalizers": [key::PRE_DELETE] }));
    let unreadable = ObjectKey::new(key::ADDON_GROUP, "ManagedClusterAddOn", "unreadable", "hello");
    fleet.unreadable.insert(unreadable, "why".to_owned());
    let expected = ["deleting", "gone"].map(|namespace| account(namespace).to_string());
    assert_eq!(deleted(&fleet, &BTreeSet::new()), expected);
    let roles = BTreeSet::from([GroupKind::new("rbac.authorization.k8s.io", "Role")]);
    assert_eq!(deleted(&fleet, &roles), [""; 0], "it is not known which of them exist");
}
