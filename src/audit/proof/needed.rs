//! Which approvals clusters need before they start.

use std::collections::BTreeSet;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use super::case::Case;
use crate::audit::claims::Started;
use tidegate_api::rollout_policy::{PolicySet, RolloutPolicy};
use tidegate_consent::{Operator, Rule};
use tidegate_model::glob;
use tidegate_model::name::UnitName;

/// An approval that clusters need.
pub(super) struct Needed<'a> {
    /// The policy, in words.
    pub(super) policy: String,
    /// What it asks for.
    pub(super) rule: Rule,
    /// The clusters for which it is needed; `None` for all.
    pub(super) clusters: Option<&'a LabelSelector>,
}

/// The policies that judge a start.
pub(super) struct Policies<'a> {
    /// What judges the change besides its revision.
    pub(super) case: &'a Case,
    /// The policies of the followed revision.
    pub(super) own: &'a PolicySet,
    /// The policies of the followed revision before the commit; the same if there was none.
    pub(super) previous: &'a PolicySet,
    /// What the daemon's file says.
    pub(super) operator: Option<&'a Operator>,
}

impl<'a> Policies<'a> {
    /// Returns the approvals that a group of an add-on needs.
    pub(super) fn needed(&self, addon: &UnitName, cluster: &Started) -> Vec<Needed<'a>> {
        let case = self.case;
        let before = case.rules.iter().flat_map(|rules| &rules.policies);
        // The revision may have changed after the clusters started.
        let own = self
            .own
            .iter()
            .filter(|(name, policy)| self.previous.get(*name).is_some_and(|previous| previous.spec == policy.spec));
        let operator = self.operator.into_iter().flat_map(|operator| &operator.policies);
        let earlier = before.map(|(name, policy)| (name, policy, " as it was before the change", case.is_moved));
        let own = own.map(|(name, policy)| (name, policy, "", false));
        let operator = operator.map(|(name, policy)| (name, policy, " of the daemon's file", false));
        let mut found: Vec<Needed<'a>> = Vec::new();
        for (name, policy, which, is_moved) in own.chain(operator).chain(earlier) {
            let others: BTreeSet<&UnitName> =
                if is_moved { case.predecessors.iter().chain([addon]).collect() } else { [addon].into() };
            if !selects(policy, &others, cluster, is_moved) {
                continue;
            }
            for rule in rules(policy, cluster, is_moved) {
                let clusters = policy.spec.selector.clusters.as_ref();
                if !found.iter().any(|known| known.rule == rule && known.clusters == clusters) {
                    found.push(Needed { policy: format!("RolloutPolicy {name}{which}"), rule, clusters });
                }
            }
        }
        found
    }
}

/// Returns `true` if a policy applies to a group of an add-on, or of one whose objects it takes over.
fn selects(policy: &RolloutPolicy, addons: &BTreeSet<&UnitName>, cluster: &Started, is_moved: bool) -> bool {
    let selector = &policy.spec.selector;
    let is_named = |globs: &[String], name: &str| globs.iter().any(|pattern| glob::matches(pattern, name));
    let is_any = |globs: &[String], name: &str| globs.is_empty() || is_moved || is_named(globs, name);
    let is_for_addon =
        selector.add_ons.is_empty() || addons.iter().any(|addon| is_named(&selector.add_ons, addon.as_str()));
    is_for_addon && is_any(&selector.placements, &cluster.placement) && is_any(&selector.groups, &cluster.group)
}

/// Returns the rules of a policy for a group.
fn rules(policy: &RolloutPolicy, cluster: &Started, is_moved: bool) -> Vec<Rule> {
    let of_group = |approval: &tidegate_api::rollout_policy::Approval| {
        let rule = Rule::of(approval);
        if approval.before.is_empty() || is_moved {
            return Some(rule);
        }
        let group = Some(cluster.group.clone());
        approval.before.contains(&cluster.group).then_some(Rule { group, ..rule })
    };
    policy.spec.approvals.iter().filter_map(of_group).collect()
}
