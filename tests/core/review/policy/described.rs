//! How a plan is described for rules.

use crate::proposal::scene::{Scene, clouds, now};
use tidegate_review::policy::{AddonVariables, Circumstances, variables};
use tidegate_review::proposal::document::{Limit, StrategyPlan};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

fn described(scene: &Scene) -> AddonVariables {
    let plan = variables(&scene.plan(), &Circumstances { now: now(), base: None, head: None });
    assert_eq!(
        (plan.time.as_str(), plan.changed.as_slice()),
        ("2026-03-01T12:00:00Z", ["hello-template".to_owned()].as_slice())
    );
    plan.addons.into_iter().find(|addon| addon.name == "hello-template").unwrap()
}

#[test]
fn an_upgrade_has_its_clusters_groups_and_waves() {
    let addon = described(&Scene::example(clouds(300, 10)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1"));
    assert_eq!((addon.base_version.as_str(), addon.head_version.as_str()), ("0.4.0", "0.4.1"));
    assert_eq!((addon.clusters, addon.changed, addon.updated, addon.installed, addon.removed), (300, 300, 300, 0, 0));
    let waves: Vec<_> = addon.waves.iter().map(|wave| (wave.group.as_str(), wave.clusters, wave.at_once)).collect();
    assert_eq!(waves, [("canary", 10, 10), ("group 1", 150, 150), ("group 2", 140, 140)]);
    assert_eq!(addon.at_once, 150, "the groups run one after the other");
    let [placement] = addon.placements.as_slice() else { panic!("{addon:#?}") };
    let groups: Vec<_> = placement.groups.iter().map(|group| (group.clusters, group.is_mandatory)).collect();
    assert_eq!(groups, [(10, true), (150, false), (140, false)]);
    let expected = StrategyPlan {
        type_: "ProgressivePerGroup".to_owned(),
        max_concurrency: Limit { clusters: 150, percentage: 50 },
        max_failures: Limit { clusters: 6, percentage: 2 },
        min_success_seconds: 0,
        progress_deadline_seconds: Some(600),
        mandatory_groups: vec!["canary".to_owned()],
    };
    assert_eq!(placement.strategy, expected);
    assert!(addon.gates.iter().any(|gate| gate == "canary first, without a failure"), "{:?}", addon.gates);
}

#[test]
fn all_types_of_strategies_have_one_form() {
    let per_group = "type: ProgressivePerGroup\n          progressivePerGroup:";
    let strategy = |edit: &dyn Fn(Scene) -> Scene| {
        let addon = described(&edit(Scene::example(clouds(300, 10))));
        addon.placements.into_iter().next().unwrap().strategy
    };
    let progressive = strategy(&|scene| {
        let one = "type: Progressive\n          progressive:\n            maxConcurrency: 7%\n            minSuccessTime: 1h30m";
        scene.edit(ADDON, per_group, one)
    });
    assert_eq!(progressive.max_concurrency, Limit { clusters: 21, percentage: 7 });
    assert_eq!((progressive.min_success_seconds, progressive.mandatory_groups.len()), (5_400, 1));
    let default = strategy(&|scene| scene.edit(ADDON, per_group, "type: Progressive\n          progressive:"));
    assert_eq!(default.max_concurrency, Limit { clusters: 150, percentage: 50 }, "the size of a group");
    let all = strategy(&|mut scene| {
        let text = String::from_utf8(scene.head.files[ADDON].clone()).unwrap();
        let before = text.split("rolloutStrategy:").next().unwrap();
        scene.head.files.insert(ADDON.to_owned(), format!("{before}rolloutStrategy: {{type: All}}\n").into_bytes());
        scene
    });
    assert_eq!((all.max_concurrency, all.progress_deadline_seconds), (Limit { clusters: 300, percentage: 100 }, None));
}

#[test]
fn a_removed_add_on_has_no_placements() {
    let scene = Scene::example(clouds(20, 2)).remove(ADDON);
    let addon = described(&scene);
    assert_eq!((addon.change.as_str(), addon.removed, addon.placements.len()), ("Removed", 20, 0));
    assert_eq!((addon.base_version.as_str(), addon.head_version.as_str()), ("0.4.0", ""));
}
