//! Names are only ever compared: whatever they look like, only their order matters.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_rollout::{ClusterStatus, Decision, Status, Verdict};

use super::scene::Scene;

/// Names with a long common prefix, names that are prefixes of others, and names of a few letters.
fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{1,3}",
        "east-[ab]{1,2}",
        // Around sixteen bytes after their common prefix.
        "east-a{12,18}[ab]",
        "east-a{13,16}[.-][ab]",
    ]
}

/// Strings that may be names of clusters, or only start like one.
fn any_given() -> impl Strategy<Value = String> {
    let odd = ["", "\0", "e", "east", "east-", "east-\0", "east-a\0\0", "east-\u{10ffff}", "east.", "Z", "\u{10ffff}"];
    prop_oneof![3 => any_name(), 1 => prop::sample::select(odd.to_vec()).prop_map(str::to_owned),
        1 => any_name().prop_map(|name| name + "\0")]
}

fn any_scene() -> impl Strategy<Value = Scene> {
    let groups = prop::collection::vec(prop::collection::vec(any_name(), 0..8), 1..4);
    let status = prop::sample::select(vec![
        Status::ToApply,
        Status::Progressing,
        Status::Succeeded,
        Status::Failed,
        Status::TimeOut,
        Status::Skip,
    ]);
    let existing = prop::collection::vec((any_given(), status), 0..16);
    let kind = prop::sample::select(vec!["Progressive", "ProgressivePerGroup"]);
    (groups, existing, kind, 1..9, 0..9).prop_map(|(groups, existing, kind, concurrency, failures)| {
        let settings = json!({ "maxConcurrency": concurrency, "maxFailures": failures });
        let strategy = json!({ "type": kind, "progressive": &settings, "progressivePerGroup": &settings });
        let group = |(index, names): (i32, Vec<String>)| DecisionGroup {
            index,
            name: String::new(),
            clusters: names.iter().map(|name| name.parse().unwrap()).collect(),
        };
        let existing = existing.into_iter().map(|(name, status)| ClusterStatus::new(name, status)).collect();
        Scene { existing, ..Scene::new((0..).zip(groups).map(group).collect(), strategy, "") }
    })
}

/// The lists of a decision with numbers instead of names, and the verdicts on the clusters of the groups.
type Numbered = ([Vec<(usize, Status)>; 3], BTreeMap<usize, Verdict>);

fn numbered(decision: &Decision, scene: &Scene, number: impl Fn(&str) -> usize) -> Numbered {
    let members: BTreeSet<&ClusterName> = scene.groups.iter().flat_map(|group| &group.clusters).collect();
    let lists = [&decision.rollout, &decision.timed_out, &decision.removed];
    let of_members = decision.verdicts.iter().filter(|(cluster, _)| members.contains(cluster));
    (
        lists.map(|list| list.iter().map(|status| (number(&status.cluster), status.status)).collect()),
        of_members.map(|(cluster, verdict)| (number(cluster.as_str()), verdict.clone())).collect(),
    )
}

proptest! {
    #[test]
    fn only_the_order_of_names_matters(scene in any_scene()) {
        let members = scene.groups.iter().flat_map(|group| group.clusters.iter().map(ToString::to_string));
        let names: BTreeSet<String> = members.chain(scene.existing.iter().map(|s| s.cluster.clone())).collect();
        let names: Vec<String> = names.into_iter().collect();
        let number = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).unwrap();
        let plain = |name: &str| format!("{:02}", number(name));
        let mut renamed = Scene { groups: scene.groups.clone(), strategy: scene.strategy.clone(), existing: scene.existing.clone() };
        for cluster in renamed.groups.iter_mut().flat_map(|group| &mut group.clusters) {
            *cluster = plain(cluster.as_str()).parse().unwrap();
        }
        for status in &mut renamed.existing {
            status.cluster = plain(&status.cluster);
        }
        for semantics in [Semantics::Strict, Semantics::Compat] {
            let (odd, plain) = (scene.decide(semantics).unwrap(), renamed.decide(semantics).unwrap());
            prop_assert_eq!(
                numbered(&odd, &scene, number),
                numbered(&plain, &renamed, |name| name.parse().unwrap()),
            );
            prop_assert_eq!(odd.breach, plain.breach);
        }
    }
}
