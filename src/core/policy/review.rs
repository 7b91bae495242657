//! Adds the broken policies to the plan of a change.

use super::judge::judge;
use super::rules::Rules;
use super::variables::{Circumstances, variables};
use super::verdict::Verdict;
use crate::proposal::document::{Applies, Plan, Verdict as Result};
use crate::repository::PlanPolicy;

/// Returns the policies in force that a change breaks.
pub fn broken(plan: &Plan, rules: &Rules, circumstances: &Circumstances<'_>) -> Vec<Verdict> {
    if rules.is_empty() { Vec::new() } else { judge(rules, &variables(plan, circumstances)) }
}

/// Adds the policies that a change breaks to its plan. `in_force` judges it. Policies of `head` that are not in force judge only later
/// changes, and are shown as such.
pub fn review<'a>(
    plan: &mut Plan,
    in_force: &[PlanPolicy],
    head: impl IntoIterator<Item = &'a PlanPolicy>,
    circumstances: &Circumstances<'_>,
) {
    let next: Vec<&PlanPolicy> =
        head.into_iter().filter(|policy| !in_force.iter().any(|old| is_same(old, policy))).collect();
    let now = broken(plan, &Rules::new(in_force), circumstances);
    let next = broken(plan, &Rules::new(next), circumstances);
    let shown = |verdicts: Vec<Verdict>, applies| verdicts.into_iter().map(move |verdict| verdict.shown(applies));
    plan.policies.extend(shown(now, Applies::Now).chain(shown(next, Applies::NextChange)));
    for policy in plan.policies.iter().filter(|policy| policy.blocks()) {
        plan.result = Result::Blocked;
        for addon in plan.addons.iter_mut().filter(|addon| policy.addons.contains(&addon.name)) {
            addon.blocked.push(policy.to_string());
        }
    }
}

/// Returns `true` if two policies judge alike.
fn is_same(old: &PlanPolicy, new: &PlanPolicy) -> bool {
    (&old.name, old.severity, &old.addons, &old.rule) == (&new.name, new.severity, &new.addons, &new.rule)
}
