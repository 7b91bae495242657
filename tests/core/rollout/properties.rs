//! Properties that hold for every input, however odd.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::SignedDuration;
use tidegate_rollout::{ClusterStatus, Status, Verdict};

use super::scene::{Scene, group, now};

fn any_status() -> impl Strategy<Value = ClusterStatus> {
    let status = prop::sample::select(vec![
        Status::ToApply,
        Status::Progressing,
        Status::Succeeded,
        Status::Failed,
        Status::TimeOut,
        Status::Skip,
    ]);
    let name = prop_oneof![9 => (0..14_u8).prop_map(|n| format!("c{n:02}")), 1 => Just(String::new())];
    let time = || prop::option::of((-400..400_i64).prop_map(|s| now() + SignedDuration::from_secs(s)));
    (name, status, time(), time(), time()).prop_map(|(cluster, status, last_transition, started, look_at)| {
        ClusterStatus { last_transition, started, look_at, ..ClusterStatus::new(cluster, status) }
    })
}

fn any_groups() -> impl Strategy<Value = Vec<DecisionGroup>> {
    let members = prop::collection::vec(0..12_u8, 0..6);
    let name = prop::sample::select(vec!["", "canary", "eu"]);
    prop::collection::vec((-1..4_i32, name, members), 0..5).prop_map(|groups| {
        let names = |members: Vec<u8>| members.iter().map(|n| format!("c{n:02} ")).collect::<String>();
        groups.into_iter().map(|(index, name, members)| group(index, name, &names(members))).collect()
    })
}

pub(super) fn any_scene() -> impl Strategy<Value = Scene> {
    let kind = prop::sample::select(vec!["All", "Progressive", "ProgressivePerGroup"]);
    let threshold = || prop_oneof![(-1..9_i32).prop_map(|n| json!(n)), (0..150).prop_map(|n| json!(format!("{n}%")))];
    let deadline = prop::sample::select(vec!["None", "0s", "1m", "5m"]);
    let mandatory = prop::sample::subsequence(
        vec![json!({ "groupName": "canary" }), json!({ "groupIndex": 1 }), json!({ "groupName": "nowhere" })],
        0..=2,
    );
    let settings = (kind, threshold(), threshold(), deadline, prop::sample::select(vec!["0s", "2m"]), mandatory);
    let existing = prop::collection::vec(any_status(), 0..20);
    (any_groups(), settings, existing).prop_map(|(groups, settings, existing)| {
        let (kind, concurrency, failures, deadline, soak, mandatory) = settings;
        let settings = json!({
            "maxConcurrency": concurrency, "maxFailures": failures, "progressDeadline": deadline,
            "minSuccessTime": soak, "mandatoryDecisionGroups": mandatory,
        });
        let strategy =
            json!({ "type": kind, "all": &settings, "progressive": &settings, "progressivePerGroup": &settings });
        Scene { existing, ..Scene::new(groups, strategy, "") }
    })
}

pub(super) fn without_repeated_names(mut scene: Scene) -> Scene {
    let mut seen = BTreeSet::new();
    scene.existing.retain(|status| seen.insert(status.cluster.clone()));
    scene
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#?}\n{:#?}\n{:#?}", self.strategy, self.groups, self.existing)
    }
}

proptest! {
    #[test]
    fn strict_names_each_cluster_of_the_groups_at_most_once(scene in any_scene()) {
        let decision = scene.decide(Semantics::Strict).unwrap();
        let members: BTreeSet<_> = scene.groups.iter().flat_map(|g| &g.clusters).map(ToString::to_string).collect();
        let named = decision.rollout.iter().chain(&decision.timed_out).map(|status| status.cluster.clone());
        let mut seen = BTreeSet::new();
        for name in named.chain(decision.waiting().map(|(cluster, _)| cluster.to_string())) {
            prop_assert!(members.contains(&name), "{} is in no group", name);
            prop_assert!(seen.insert(name.clone()), "{} is named twice", name);
        }
    }

    #[test]
    fn strict_leaves_out_only_clusters_that_are_finished(scene in any_scene()) {
        let scene = without_repeated_names(scene);
        let decision = scene.decide(Semantics::Strict).unwrap();
        let named: BTreeSet<_> = decision.rollout.iter().chain(&decision.timed_out).map(|s| s.cluster.as_str()).collect();
        for cluster in scene.groups.iter().flat_map(|group| &group.clusters) {
            let given = scene.existing.iter().find(|status| status.cluster == cluster.as_str());
            let through = given.is_some_and(|s| matches!(s.status, Status::Succeeded | Status::TimeOut | Status::Skip));
            let waits = matches!(decision.verdicts.get(cluster), Some(Verdict::Waits(_)));
            let accounted = named.contains(cluster.as_str()) || waits;
            prop_assert!(through || accounted, "{} is lost", cluster);
        }
    }

    #[test]
    fn every_cluster_has_a_verdict_that_agrees_with_the_lists(scene in any_scene()) {
        let scene = without_repeated_names(scene);
        let members: BTreeSet<_> = scene.groups.iter().flat_map(|group| &group.clusters).cloned().collect();
        for semantics in [Semantics::Strict, Semantics::Compat] {
            // A strategy that cannot be read has no decision.
            let Ok(decision) = scene.decide(semantics) else { continue };
            for cluster in &members {
                let of = |list: &[ClusterStatus]| list.iter().find(|s| s.cluster == cluster.as_str()).map(|s| s.status);
                let verdict = decision.verdicts.get(cluster);
                let agrees = match (of(&decision.rollout), of(&decision.timed_out)) {
                    (Some(Status::ToApply), _) => verdict == Some(&Verdict::Starts),
                    (Some(Status::Succeeded), _) => matches!(verdict, Some(Verdict::Soaks { .. })),
                    (Some(Status::Failed), _) => matches!(verdict, Some(Verdict::Failed { .. })),
                    (Some(_), _) => matches!(verdict, Some(Verdict::Underway { .. })),
                    (None, Some(_)) => verdict == Some(&Verdict::TimedOut),
                    (None, None) => verdict.is_some_and(|verdict| *verdict != Verdict::Starts),
                };
                prop_assert!(agrees, "{:?}: {}: {:?} in {:?}", semantics, cluster, verdict, decision);
            }
            let removed = decision.removed.iter().filter_map(|s| s.cluster.parse::<ClusterName>().ok());
            for cluster in removed.filter(|cluster| !members.contains(cluster)) {
                prop_assert_eq!(decision.verdicts.get(&cluster), Some(&Verdict::Removed));
            }
        }
    }

    #[test]
    fn given_clusters_of_no_group_are_removed(scene in any_scene()) {
        let decision = scene.decide(Semantics::Strict).unwrap();
        let is_member = |name: &str| scene.groups.iter().flat_map(|group| &group.clusters).any(|c| c.as_str() == name);
        let mut strangers: Vec<_> = scene.existing.iter().filter(|s| !is_member(&s.cluster)).cloned().collect();
        strangers.sort_by(|a, b| a.cluster.cmp(&b.cluster));
        prop_assert_eq!(decision.removed, strangers);
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(scene in any_scene()) {
        let mut scene = without_repeated_names(scene);
        let before = scene.decide(Semantics::Strict).unwrap();
        scene.groups.reverse();
        scene.existing.reverse();
        prop_assert_eq!(before, scene.decide(Semantics::Strict).unwrap());
    }

    #[test]
    fn the_next_look_is_in_the_future(scene in any_scene()) {
        for semantics in [Semantics::Strict, Semantics::Compat] {
            let decision = scene.decide(semantics).unwrap();
            prop_assert!(decision.wake_after.is_none_or(|span| span.is_positive()));
        }
    }

    #[test]
    fn no_string_in_a_strategy_makes_an_engine_panic(
        deadline in "[0-9]{0,3}[hms|.+-]{0,2}(None)?|.{0,8}",
        threshold in "[+-]?(0x)?[0-9a-f_.]{0,4}([ep][+-]?[0-9]{0,12})?%|.{0,8}",
    ) {
        let settings = json!({ "progressDeadline": deadline, "maxFailures": &threshold, "maxConcurrency": &threshold });
        let scene = Scene::new(super::scene::two(), json!({ "type": "Progressive", "progressive": settings }), "c1P");
        for semantics in [Semantics::Strict, Semantics::Compat] {
            let _ = scene.decide(semantics);
        }
    }
}
