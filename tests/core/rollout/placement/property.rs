//! Properties that hold for every fleet and every strategy.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use tidegate_rollout::placement::read_decisions;

use super::fixture::{Hub, selected};

fn name(i: u16) -> String {
    format!("c{i:03}")
}

fn members(clusters: &BTreeSet<u16>, hub: &mut Hub) {
    hub.clusters.clear();
    for &i in clusters {
        let tier = ["canary", "stage", "prod"][usize::from(i % 3)];
        hub.labelled(&name(i), json!({ "tier": tier, "even": (i % 2).to_string() }));
    }
}

fn fleets() -> impl Strategy<Value = BTreeSet<u16>> {
    prop_oneof![prop::collection::btree_set(0..12u16, 0..12), prop::collection::btree_set(0..400u16, 90..330),]
}

fn specs() -> impl Strategy<Value = Value> {
    let per_group = prop_oneof![
        Just(json!(null)),
        (-1..150i32).prop_map(|n| json!(n)),
        (0..130i32).prop_map(|n| json!(format!("{n}%"))),
    ];
    let named =
        prop::sample::subsequence(vec![("tier", "canary"), ("even", "0"), ("tier", "prod"), ("tier", "nobody")], 0..=4);
    let number = prop::option::of(0..350i32);
    (number, per_group, named).prop_map(|(number, per_group, named)| {
        let named: Vec<Value> = named
            .into_iter()
            .map(|(key, value)| {
                let selector = json!({ "labelSelector": { "matchLabels": { key: value } } });
                json!({ "groupName": format!("{key}-{value}"), "groupClusterSelector": selector })
            })
            .collect();
        let strategy = json!({ "clustersPerDecisionGroup": per_group, "decisionGroups": named });
        json!({ "numberOfClusters": number, "decisionStrategy": { "groupStrategy": strategy } })
    })
}

fn hub(spec: Value, clusters: &BTreeSet<u16>, busy: &BTreeSet<u16>) -> Hub {
    let mut hub = Hub::new(spec);
    members(clusters, &mut hub);
    let names: Vec<String> = busy.iter().map(|i| name(*i)).collect();
    hub.decision("elsewhere", "other", 1, &names.iter().map(String::as_str).collect::<Vec<_>>());
    hub
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_selected_cluster_is_in_exactly_one_group_and_one_page(spec in specs(), clusters in fleets(), busy in fleets()) {
        let outcome = hub(spec, &clusters, &busy).run();
        let mut selected = selected(&outcome);
        selected.sort_unstable();
        let mut grouped: Vec<_> = outcome.groups.iter().flat_map(|group| &group.clusters).map(|c| c.as_str()).collect();
        grouped.sort_unstable();
        prop_assert_eq!(&grouped, &selected);
        let mut paged: Vec<_> = outcome.decisions.iter().flat_map(|page| &page.clusters).map(|c| c.as_str()).collect();
        paged.sort_unstable();
        prop_assert_eq!(&paged, &selected);
        prop_assert!(outcome.decisions.iter().all(|page| page.clusters.len() <= 100));
        prop_assert!(outcome.groups.iter().all(|group| group.clusters.is_sorted()));
        prop_assert!((0..).zip(&outcome.groups).all(|(i, group)| group.index == i));
        prop_assert!(outcome.groups.iter().all(|group| !group.clusters.is_empty()) || selected.is_empty());
    }

    #[test]
    fn another_cluster_never_changes_the_order_of_the_others(clusters in fleets(), busy in fleets(), newcomer in 0..400u16) {
        let mut hub = hub(json!({}), &clusters, &busy);
        let before = hub.run();
        hub.labelled(&name(newcomer), json!({}));
        let after = hub.run();
        let newcomer = name(newcomer);
        let others = |outcome| -> Vec<String> {
            selected(outcome).into_iter().filter(|name| *name != newcomer).map(str::to_owned).collect()
        };
        prop_assert_eq!(others(&before), others(&after));
    }

    #[test]
    fn a_plan_applied_and_observed_needs_no_writes(
        old_spec in specs(), old in fleets(), spec in specs(), new in fleets(), busy in fleets(),
    ) {
        let mut hub = hub(old_spec, &old, &busy);
        hub.settle();
        prop_assert_eq!(hub.writes(), []);
        hub.spec(spec);
        members(&new, &mut hub);
        let outcome = hub.run();
        hub.settle();
        prop_assert_eq!(hub.writes(), []);
        let read = read_decisions(hub.decisions.values().map(Arc::as_ref), &hub.id()).unwrap();
        prop_assert_eq!(read, outcome.groups);
        prop_assert_eq!(hub.placement.status.clone(), Some(outcome.status));
    }
}
