//! The policies that a change breaks, as a part of its plan.

use super::judge::judge;
use super::rules::Rules;
use super::variables::{Circumstances, variables};
use super::verdict::Verdict;
use crate::proposal::document::{Applies, BrokenPolicy, Plan, Verdict as Result};
use tidegate_model::name::UnitName;
use tidegate_repository::PlanPolicy;

/// Returns the policies that a change breaks.
pub fn broken(plan: &Plan, rules: &Rules, circumstances: &Circumstances<'_>) -> Vec<Verdict> {
    if rules.is_empty() { Vec::new() } else { judge(rules, &variables(plan, circumstances)) }
}

/// Returns the policies that a change breaks, given the plan of the whole change. Those `in_force` judge it. Policies of the head that are
/// not in force judge only later changes, and are marked as such.
pub fn review(
    plan: &Plan,
    in_force: &[PlanPolicy],
    head: &[PlanPolicy],
    circumstances: &Circumstances<'_>,
) -> Vec<BrokenPolicy> {
    let next = head.iter().filter(|policy| !in_force.iter().any(|old| is_same(old, policy)));
    let now = broken(plan, &Rules::new(in_force), circumstances);
    let next = broken(plan, &Rules::new(next), circumstances);
    let shown = |verdicts: Vec<Verdict>, applies| verdicts.into_iter().map(move |verdict| verdict.shown(applies));
    shown(now, Applies::Now).chain(shown(next, Applies::NextChange)).collect()
}

/// Adds broken policies to a plan, which may show a part of the change. The add-ons that they block are marked as blocked.
pub fn add(plan: &mut Plan, broken: Vec<BrokenPolicy>) {
    for policy in broken {
        let is_shown = |name: &UnitName| plan.addons.iter().any(|addon| addon.name == *name);
        if !policy.addons.is_empty() && !policy.addons.iter().any(is_shown) {
            continue;
        }
        if policy.blocks() {
            plan.result = Result::Blocked;
            for addon in plan.addons.iter_mut().filter(|addon| policy.addons.contains(&addon.name)) {
                addon.blocked.push(policy.to_string());
            }
        }
        plan.policies.push(policy);
    }
}

/// Returns `true` if two policies judge alike.
fn is_same(old: &PlanPolicy, new: &PlanPolicy) -> bool {
    (&old.name, old.severity, &old.addons, &old.rule) == (&new.name, new.severity, &new.addons, &new.rule)
}
