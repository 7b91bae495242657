//! Policies in the plan of a change, and about declarations without a change.

use proptest::prelude::*;

use super::{good, policy};
use crate::proposal::scene::{Scene, clouds, now};
use tidegate_model::tree::Tree;
use tidegate_repository::{Loaded, PlanPolicy, load};
use tidegate_review::policy::{Circumstances, add, complaints, records, review, standing};
use tidegate_review::proposal::document::{Applies, BrokenPolicy, Plan, Verdict};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

fn upgrade() -> Scene {
    Scene::example(clouds(30, 3)).edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1")
}

fn reviewed(in_force: &[PlanPolicy], head: &[PlanPolicy]) -> (Plan, Vec<BrokenPolicy>) {
    let mut plan = upgrade().plan();
    let broken = review(&plan, in_force, head, &Circumstances { now: now(), base: None, head: None });
    add(&mut plan, broken.clone());
    (plan, broken)
}

#[test]
fn only_policies_in_force_block_a_change() {
    let few = good(&policy("few", "addon.updated < 10"));
    let (plan, broken) = reviewed(&few, &few);
    assert_eq!((plan.result, broken.len()), (Verdict::Blocked, 1), "it is in force, and shown once");
    let hello = plan.addons.iter().find(|addon| addon.name.as_str() == "hello-template").unwrap();
    assert_eq!(hello.blocked, ["policy few: refused; do it (the rule is at policies/x.yaml:6:5)"]);
    let (plan, broken) = reviewed(&[], &few);
    assert_eq!((plan.result, broken[0].applies, plan.policies.len()), (Verdict::Changes, Applies::NextChange, 1));
    let relaxed = good(&policy("few", "addon.updated < 100"));
    assert_eq!(reviewed(&few, &relaxed).0.result, Verdict::Blocked, "the policies before the change judge it");
    let warning = good(&policy("few", "addon.updated < 10").replace("spec:", "spec:\n  severity: warning"));
    let (plan, _) = reviewed(&warning, &[]);
    assert_eq!((plan.result, plan.policies.len()), (Verdict::Changes, 1));
}

#[test]
fn a_plan_of_one_add_on_shows_its_policies_only() {
    let (whole, broken) = reviewed(&good(&policy("few", "addon.updated < 10")), &[]);
    let mut other = Plan { policies: Vec::new(), ..whole };
    other.addons.retain(|addon| addon.name.as_str() != "hello-template");
    add(&mut other, broken);
    assert_eq!(other.policies, []);
}

fn declared(rule: &str) -> Loaded {
    let mut files = crate::example_tree::tree().files;
    files.insert("policies/x.yaml".to_owned(), policy("x", rule).into_bytes());
    load(&Tree { files, ..Tree::default() }, "")
}

#[test]
fn declarations_are_judged_without_a_change() {
    let loaded = declared("addon.placements.all(p, p.strategy.minSuccessSeconds > 0)");
    let found = complaints(&records(&standing(&loaded)), &[&loaded.repository]);
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "fleet/addons/hello-template/addon.yaml:2:1: policy x: refused; do it (the rule is at policies/x.yaml:6:5)",
            "fleet/addons/managed-serviceaccount/addon.yaml:2:1: policy x: refused; do it (the rule is at policies/x.yaml:6:5)",
        ]
    );
    for rule in ["addon.updated == 0 && addon.changed == 0", "plan.time == ''", "addon.name == plan.time"] {
        assert_eq!(
            standing(&declared(rule)),
            [],
            "{rule}: nothing changes, so that rules about the change say nothing"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_broken_error_policy_blocks_the_plan(limits in prop::collection::vec(0..60_usize, 1..5)) {
        let rule = |limit: &usize| good(&policy("x", &format!("addon.updated <= {limit}"))).remove(0);
        let policies: Vec<PlanPolicy> = limits.iter().map(rule).collect();
        let (plan, _) = reviewed(&policies, &[]);
        let broken = limits.iter().filter(|limit| 30 > **limit).count();
        prop_assert_eq!(plan.policies.len(), broken);
        prop_assert_eq!(plan.result == Verdict::Blocked, broken > 0);
    }
}
