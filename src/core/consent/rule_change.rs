//! What a change of the rules changes, as far as it may loosen them.

use std::fmt;

use super::basis::{Basis, lacks_marks};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{RolloutPolicy, RolloutPolicySpec};
use tidegate_model::name::ClusterName;

/// One change of the rules that may loosen them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RuleChange {
    /// A RolloutPolicy.
    Policy {
        /// Its name.
        name: String,
        /// Whether it was removed, changed, or added with a choice that is not the strictest one.
        how: How,
    },
    /// The people.
    People,
    /// A policy as code.
    PlanPolicy {
        /// Its name.
        name: String,
        /// Whether it was removed or changed.
        how: How,
    },
    /// The labels or annotations of a declared cluster that exists.
    Cluster {
        /// The cluster.
        name: ClusterName,
        /// Whether it is declared no more, or declared with others.
        how: How,
    },
}

/// How a policy changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Added,
    Changed,
    Removed,
}

impl fmt::Display for RuleChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |how: &How| match how {
            How::Added => "added",
            How::Changed => "changed",
            How::Removed => "removed",
        };
        match self {
            Self::Policy { name, how } => write!(f, "RolloutPolicy {name} is {}", word(how)),
            Self::People => f.write_str("[people] of tidegate.toml is changed"),
            Self::PlanPolicy { name, how } if name.is_empty() => write!(f, "the policies as code are {}", word(how)),
            Self::PlanPolicy { name, how } => write!(f, "policy {name} is {}", word(how)),
            Self::Cluster { name, how: How::Removed } => {
                write!(f, "ManagedCluster {name}, which exists, is not declared any more")
            }
            Self::Cluster { name, how: _ } => write!(f, "labels or annotations of ManagedCluster {name} are changed"),
        }
    }
}

/// Returns the changes between two revisions that may loosen the rules. Those that only add gates are left out.
pub(super) fn changes<'h>(
    before: &Basis,
    after: &Basis,
    on_hub: impl Fn(&ClusterName) -> Option<&'h ManagedCluster>,
) -> Vec<RuleChange> {
    let mut found = Vec::new();
    for (name, policy) in &before.policies {
        let how = match after.policies.get(name) {
            Some(same) if same.spec == policy.spec => continue,
            Some(_) => How::Changed,
            None => How::Removed,
        };
        found.push(RuleChange::Policy { name: name.clone(), how });
    }
    let added = after.policies.iter().filter(|(name, _)| !before.policies.contains_key(*name));
    let loosening = added.filter(|(_, policy)| may_loosen(policy));
    found.extend(loosening.map(|(name, _)| RuleChange::Policy { name: name.clone(), how: How::Added }));
    if before.people != after.people {
        found.push(RuleChange::People);
    }
    for (name, digest) in &before.plan_policies {
        let how = match after.plan_policies.get(name) {
            Some(same) if same == digest => continue,
            Some(_) => How::Changed,
            None => How::Removed,
        };
        found.push(RuleChange::PlanPolicy { name: name.clone(), how });
    }
    for (name, cluster) in &after.clusters {
        let is_changed = match before.clusters.get(name) {
            Some(known) => marks(known) != marks(cluster),
            None => on_hub(name).is_some_and(|observed| lacks_marks(observed, cluster)),
        };
        if is_changed {
            found.push(RuleChange::Cluster { name: name.clone(), how: How::Changed });
        }
    }
    // Otherwise, a cluster that stays could be declared again with other labels.
    let stays = |name: &ClusterName| on_hub(name).is_some_and(|found| found.metadata.deletion_timestamp.is_none());
    let removed = before.clusters.keys().filter(|name| !after.clusters.contains_key(*name) && stays(name));
    found.extend(removed.map(|name| RuleChange::Cluster { name: name.clone(), how: How::Removed }));
    found
}

/// Returns `true` if a new policy may do more than close gates: the behavior that it chooses may be less strict than the default.
fn may_loosen(policy: &RolloutPolicy) -> bool {
    let RolloutPolicySpec { unreachable, membership, on_failure, .. } = &policy.spec;
    unreachable.is_some() || membership.is_some() || on_failure.is_some()
}

/// Returns what policies, placements and rendering read of a declared cluster.
fn marks(cluster: &ManagedCluster) -> (Option<&Keyed>, Option<&Keyed>) {
    let is_some = |map: &&Keyed| !map.is_empty();
    (cluster.metadata.labels.as_ref().filter(is_some), cluster.metadata.annotations.as_ref().filter(is_some))
}

type Keyed = std::collections::BTreeMap<String, String>;
