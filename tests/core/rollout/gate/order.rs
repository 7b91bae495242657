//! Order and locks: what a cluster waits for because of another add-on.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::PolicySet;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_rollout::gate::{Gates, Policies, Standing, Traffic, UnitTraffic};

use super::held_by_required;

/// Returns why add-on `second` may not start on c1, by policies with these specs, if the clusters c1 and c2 stand like this with add-on
/// `first`; empty if it may.
fn waits(specs: &[Value], first: [Standing; 2]) -> String {
    waits_for(specs, &[], Some(&first), true)
}

/// Returns the same for a unit that requires others, if the first clusters stand like this with `first`; `None` if there is no such unit.
fn waits_for(specs: &[Value], requires: &[&str], first: Option<&[Standing]>, is_known: bool) -> String {
    let policy = |(index, spec): (usize, &Value)| {
        let policy = json!({ "metadata": { "name": format!("p{index}") }, "spec": spec });
        (format!("p{index}"), Arc::new(serde_json::from_value(policy).unwrap()))
    };
    let policies: PolicySet = specs.iter().enumerate().map(policy).collect();
    let names = ["c1", "c2"].map(|name| name.parse::<ClusterName>().unwrap());
    let cluster = |name: &ClusterName| {
        let cluster: ManagedCluster =
            serde_json::from_value(json!({ "metadata": { "name": name.as_str() }, "spec": {} })).unwrap();
        (name.clone(), Arc::new(cluster))
    };
    let clusters: BTreeMap<_, _> = names.iter().map(cluster).collect();
    let [before, after] = ["first", "second"].map(|name| name.parse::<UnitName>().unwrap());
    let mut traffic = Traffic::default();
    let of = |is_known: bool, standings: &[Standing]| UnitTraffic {
        is_known,
        clusters: names.iter().zip(standings.iter().copied()).collect(),
        starts: Vec::new(),
    };
    first.into_iter().for_each(|first| traffic.add(&before, of(is_known, first)));
    traffic.add(&after, of(true, &[Standing::Waiting; 2]));
    let judges = BTreeMap::new();
    let now: Timestamp = "2026-11-23T12:00:00Z".parse().unwrap();
    let mut gates = Gates::new(Policies::new(&policies, &judges), &clusters, traffic, now);
    let requires = requires.iter().map(|name| name.parse().unwrap()).collect();
    held_by_required(&mut gates, &after, &requires, &names[0]).map(|gate| gate.to_string()).unwrap_or_default()
}

#[test]
fn an_order_waits_for_the_other_add_on_on_this_cluster_or_on_all() {
    use Standing::{Aside, Done, Underway, Unwell, Waiting};
    for (first, waits_here, waits_for_all) in [
        ([Done, Done], false, false),
        ([Done, Underway], false, true),
        ([Done, Waiting], false, true),
        ([Done, Unwell], false, true),
        ([Unwell, Done], true, true),
        // Rollouts end without a cluster that is set aside, but it does not have the other add-on.
        ([Done, Aside], false, false),
        ([Aside, Done], true, false),
    ] {
        for (scope, on, is_closed) in
            [("Cluster", "this cluster", waits_here), ("Fleet", "all clusters", waits_for_all)]
        {
            let order =
                json!({ "selector": { "addOns": ["second"] }, "order": [{ "after": "first", "scope": scope }] });
            let expected =
                if is_closed { format!("waits for first on {on} (RolloutPolicy p0)") } else { String::new() };
            assert_eq!(waits(&[order], first), expected, "{first:?} {scope}");
        }
    }
}

#[test]
fn a_required_unit_must_be_known_and_done_on_the_cluster() {
    use Standing::{Aside, Done, Underway, Unwell, Waiting};
    let waits = |first: Option<&[Standing]>, is_known| waits_for(&[], &["first"], first, is_known);
    let open = "waits for first on this cluster (required by second)";
    for standing in [Waiting, Underway, Unwell, Aside] {
        assert_eq!(waits(Some(&[standing, Done]), true), open, "{standing:?}");
    }
    assert_eq!(waits(Some(&[Done, Waiting]), true), "");
    assert_eq!(waits(Some(&[]), true), "requires first, which this cluster does not get (required by second)");
    // What is not known counts for nothing.
    for unknown in [waits(Some(&[Done, Done]), false), waits(Some(&[]), false), waits(None, true)] {
        assert_eq!(unknown, open);
    }
    assert_eq!(waits_for(&[], &["first", "third"], Some(&[Done]), true), open.replace("first", "third"));
}

#[test]
fn a_lock_is_held_only_by_add_ons_that_share_it() {
    let lock = |addons: &[&str], name: &str| json!({ "selector": { "addOns": addons }, "locks": [name] });
    let underway = [Standing::Done, Standing::Underway];
    let held = "waits for lock \"network\" (RolloutPolicy p0): held by first";
    assert_eq!(waits(&[lock(&["first", "second"], "network")], underway), held);
    // Two policies may have the same lock.
    assert_eq!(waits(&[lock(&["second"], "network"), lock(&["first"], "network")], underway), held);
    assert_eq!(waits(&[lock(&["second"], "network"), lock(&["first"], "storage")], underway), "");
    assert_eq!(waits(&[lock(&["second"], "network")], underway), "");
    assert_eq!(waits(&[lock(&["first", "second"], "network")], [Standing::Done, Standing::Waiting]), "");
}
