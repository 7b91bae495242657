//! Properties of policies: judging ends for any rule and any plan, and a broken rule is never lost.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use tidegate_repository::PlanPolicy;
use tidegate_review::policy::{AddonVariables, PlanVariables, Rules, judge};

/// Fragments that mean something in an expression.
const FRAGMENTS: [&str; 26] = [
    "addon",
    "plan",
    ".",
    "changed",
    "addons",
    "[0]",
    "(",
    ")",
    " && ",
    " || ",
    "!",
    " < ",
    " == ",
    "1",
    "'a'",
    "true",
    "null",
    ".all(a, ",
    ".map(a, ",
    "size(",
    "timestamp(plan.time)",
    ".getHours('UTC')",
    " ? ",
    " : ",
    "-9223372036854775808",
    "semver(",
];

fn with_rule(rule: &str) -> PlanPolicy {
    let mut policy = super::good(&super::policy("x", "true")).remove(0);
    policy.rule = rule.to_owned();
    policy
}

fn plan() -> impl Strategy<Value = PlanVariables> {
    let addon = ("[a-z]{1,4}", 0..5_usize, any::<usize>(), ".{0,10}").prop_map(|(name, changed, clusters, version)| {
        AddonVariables { name, changed, clusters, head_version: version, ..AddonVariables::default() }
    });
    (vec(addon, 0..4), ".{0,20}").prop_map(|(addons, time)| PlanVariables {
        changed: addons.iter().filter(|addon| addon.changed > 0).map(|addon| addon.name.clone()).collect(),
        addons,
        time,
        ..PlanVariables::default()
    })
}

proptest! {
    #[test]
    fn any_rule_can_judge_any_plan(rule in vec(prop::sample::select(&FRAGMENTS[..]), 0..12), plan in plan()) {
        let rules = Rules::new(&[with_rule(&rule.concat())]);
        prop_assert_eq!(judge(&rules, &plan), judge(&rules, &plan));
    }

    #[test]
    fn a_broken_rule_is_never_lost(limit in 0..5_usize, plan in plan()) {
        let rules = Rules::new(&[with_rule(&format!("addon.changed <= {limit}")), with_rule("addon.missing")]);
        let verdicts = judge(&rules, &plan);
        let judged = plan.addons.iter().filter(|addon| plan.changed.contains(&addon.name));
        let broken = judged.clone().filter(|addon| addon.changed > limit).count();
        prop_assert_eq!(verdicts.len(), broken + judged.count(), "{:?}", verdicts);
    }

    #[test]
    fn any_document_can_be_read(text in "(?s).{0,200}", rule in ".{0,40}") {
        let (policies, complaints) = super::read(&[("policies/a.yaml", &format!("# PlanPolicy\n{text}"))]);
        prop_assert!(policies.is_empty() || complaints.is_empty());
        let document = json!({
            "apiVersion": "tidegate.io/v1alpha1", "kind": "PlanPolicy", "metadata": { "name": "a" },
            "spec": { "rule": rule, "message": text, "tests": [{ "name": text, "expect": "pass", "addon": { "name": text } }] },
        });
        let (policies, complaints) = super::read(&[("policies/a.json", &document.to_string())]);
        prop_assert_eq!(policies.len() + usize::from(!complaints.is_empty()), 1, "{:?}", complaints);
        policies.iter().for_each(|policy| drop(tidegate_review::policy::test(policy)));
    }
}
