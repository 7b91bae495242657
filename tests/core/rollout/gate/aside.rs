//! Clusters that are set aside: those that cannot be reached, and those that joined in the middle of a rollout.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_rollout::GroupKey;
use tidegate_rollout::gate::{Aside, Gates, Member, Policies, Traffic, aside};

use super::held_by;

fn policies(spec: &Value) -> PolicySet {
    let policy = json!({ "metadata": { "name": "p" }, "spec": spec });
    [("p".to_owned(), Arc::new(serde_json::from_value(policy).unwrap()))].into()
}

/// Returns clusters that are available, or not, since 12:00.
fn clusters(are_available: &[bool]) -> BTreeMap<ClusterName, Arc<ManagedCluster>> {
    let cluster = |(index, is_available): (usize, &bool)| {
        let name = format!("c{index}");
        let condition = json!({
            "type": "ManagedClusterConditionAvailable", "status": if *is_available { "True" } else { "Unknown" },
            "reason": "Lease", "message": "", "lastTransitionTime": "2026-11-23T12:00:00Z",
        });
        let cluster = json!({ "metadata": { "name": name }, "spec": {}, "status": { "conditions": [condition] } });
        (name.parse().unwrap(), Arc::new(serde_json::from_value(cluster).unwrap()))
    };
    are_available.iter().enumerate().map(cluster).collect()
}

/// Returns what is set aside of clusters that all take part.
fn set_aside(
    spec: &Value,
    clusters: &BTreeMap<ClusterName, Arc<ManagedCluster>>,
    member: impl Fn(Member<'_>) -> Member<'_>,
) -> Aside {
    let (addon, group): (UnitName, _) = ("istio".parse().unwrap(), GroupKey::default());
    let of = |name| Member { name, group: &group, has_joined: false, has_started: false, is_finished: false };
    let members: Vec<Member<'_>> = clusters.keys().map(|name| member(of(name))).collect();
    aside(&Policies::new(&policies(spec), &BTreeMap::new()), clusters, (&addon, None), &members)
}

#[test]
fn as_many_clusters_as_the_share_allows_are_parked_and_one_more_holds_all() {
    for (share, unreachable, is_held) in
        [(json!(2), 2, false), (json!(2), 3, true), (json!("50%"), 2, false), (json!("50%"), 3, true)]
    {
        let available: Vec<bool> = (0..5).map(|index| index >= unreachable).collect();
        let park = json!({ "unreachable": { "action": "Park", "maxShare": share } });
        let aside = set_aside(&park, &clusters(&available), |member| member);
        assert_eq!(aside.hold.is_some(), is_held, "{unreachable} of 5, {share}: {aside:?}");
        assert_eq!(aside.clusters.len(), if is_held { 0 } else { unreachable }, "{unreachable} of 5, {share}");
    }
}

#[test]
fn a_cluster_that_joined_is_set_aside_only_until_it_has_started() {
    for joining in ["Hold", "Tail"] {
        let spec = json!({ "membership": { "joining": joining } });
        let (clusters, first) = (clusters(&[true; 2]), "c0".parse::<ClusterName>().unwrap());
        let joined = |has_started| {
            let aside = set_aside(&spec, &clusters, |member| match *member.name == first {
                true => Member { has_joined: true, has_started, ..member },
                false => member,
            });
            aside.clusters.keys().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(joined(false), ["c0"], "{joining}");
        assert!(joined(true).is_empty(), "{joining}");
    }
}

#[test]
fn a_cluster_that_returned_starts_once_it_was_reachable_for_the_soak_time() {
    let policies = policies(&json!({ "unreachable": { "action": "Park", "soak": "10m" } }));
    let (clusters, judges) = (clusters(&[true]), BTreeMap::new());
    let (addon, name): (UnitName, ClusterName) = ("istio".parse().unwrap(), "c0".parse().unwrap());
    for (now, is_closed) in [("12:00:00", true), ("12:09:59", true), ("12:10:00", false)] {
        let now: Timestamp = format!("2026-11-23T{now}Z").parse().unwrap();
        let mut gates = Gates::new(Policies::new(&policies, &judges), &clusters, Traffic::default(), now);
        let gate = held_by(&mut gates, &addon, &name);
        assert_eq!(gate.is_some(), is_closed, "{now}: {gate:?}");
    }
}
