//! The policies in force: those of the revision, and for an add-on those that were in force before its digest changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::labels;
use crate::groups::GroupId;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{FailureAction, OnFailure, PolicySet, RolloutPolicy, RolloutPolicySpec};
use tidegate_consent::Judges;
use tidegate_model::glob;
use tidegate_model::name::{NamespacedName, UnitName};

/// A policy in force.
#[derive(Debug)]
pub(crate) struct Policy {
    /// What messages call it.
    pub(super) title: String,
    policy: Arc<RolloutPolicy>,
    /// The only add-on for which it is in force, with what judges its change; `None` for all.
    only: Option<(UnitName, Judges)>,
}

/// Returns all policies in force.
pub(crate) fn in_force(own: &PolicySet, operator: &PolicySet, judges: &BTreeMap<UnitName, Judges>) -> Vec<Policy> {
    let title = |name: &str| format!("RolloutPolicy {name}");
    let of_all = own.iter().chain(operator);
    let mut all: Vec<Policy> =
        of_all.map(|(name, policy)| Policy { title: title(name), policy: Arc::clone(policy), only: None }).collect();
    for (addon, judges) in judges {
        for (name, policy) in judges.rules().iter().flat_map(|rules| &rules.fact.policies) {
            if own.get(name) != Some(policy) || replaces_selection(judges) {
                let title = format!("{} before the change", title(name));
                let only = Some((addon.clone(), judges.clone()));
                all.push(Policy { title, policy: Arc::clone(policy), only });
            }
        }
    }
    all
}

/// Returns `true` if the groups and placements before a change say nothing about those after it.
fn replaces_selection(judges: &Judges) -> bool {
    !judges.is_selected_as_before() || !judges.predecessors().is_empty() || judges.has_unknown_predecessors()
}

impl Policy {
    pub(super) fn spec(&self) -> &RolloutPolicySpec {
        &self.policy.spec
    }

    /// Returns `true` if the policy depends on where the clusters of all add-ons stand.
    pub(crate) fn needs_traffic(&self) -> bool {
        let RolloutPolicySpec { limits, order, locks, .. } = self.spec();
        !limits.is_empty() || !order.is_empty() || !locks.is_empty()
    }

    /// Returns `true` if the policy is about an add-on.
    pub(super) fn is_about(&self, addon: &UnitName) -> bool {
        let names = |addon: &UnitName| is_among(&self.spec().selector.add_ons, Some(addon.as_str()));
        match &self.only {
            None => names(addon),
            Some((only, judges)) => {
                let may_name = judges.has_unknown_predecessors() || judges.predecessors().iter().any(names);
                only == addon && (names(addon) || may_name)
            }
        }
    }

    /// Returns `true` if the policy is about the clusters of a placement of an add-on; `None` for clusters chosen by hand.
    pub(crate) fn is_about_placement(&self, addon: &UnitName, placement: Option<&NamespacedName>) -> bool {
        let placement = placement.map(ToString::to_string);
        self.is_about(addon)
            && (self.is_about_all_groups() || is_among(&self.spec().selector.placements, placement.as_deref()))
    }

    /// Returns `true` if the policy is about all groups, because the groups that it selected are gone.
    pub(super) fn is_about_all_groups(&self) -> bool {
        self.only.as_ref().is_some_and(|(_, judges)| replaces_selection(judges))
    }

    /// Returns `true` if the policy is about a cluster in a group.
    pub(super) fn is_about_cluster(&self, group: &GroupId, cluster: &ManagedCluster) -> bool {
        (self.is_about_all_groups() || is_among(&self.spec().selector.groups, Some(&group.written())))
            && self.has(cluster)
    }

    /// Returns `true` if the labels of a cluster are those that the policy is about.
    pub(super) fn has(&self, cluster: &ManagedCluster) -> bool {
        labels::matches(self.spec().selector.clusters.as_ref(), cluster)
    }
}

/// Returns `true` if there are no patterns, or one matches.
fn is_among(patterns: &[String], name: Option<&str>) -> bool {
    patterns.is_empty() || name.is_some_and(|name| patterns.iter().any(|pattern| glob::matches(pattern, name)))
}

/// Returns what the strictest of the policies about a placement says about failures: `Halt` before `Rollback` before `Continue`.
pub(crate) fn on_failure<'p>(policies: &[&'p Policy]) -> Option<&'p OnFailure> {
    let strictness = |said: &&OnFailure| match said.action {
        FailureAction::Halt => 2,
        FailureAction::Rollback => 1,
        FailureAction::Continue => 0,
    };
    policies.iter().filter_map(|policy| policy.spec().on_failure.as_ref()).max_by_key(strictness)
}
