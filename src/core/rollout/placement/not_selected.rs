//! Why a Placement does not select a cluster.

use std::fmt;

use super::explanation::Explanation;
use super::filter::candidate::Sets;
use super::filter::{predicate, toleration};
use super::input::Input;
use super::outcome::Code;
use super::schedule::explain;
use tidegate_model::name::ClusterName;

/// The first step of the scheduler that leaves a cluster out. Displays as a sentence about the Placement, with what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSelected {
    /// No set is bound to the namespace of the Placement.
    NoBinding {
        /// The namespace.
        namespace: String,
    },
    /// The bound sets do not exist.
    UnknownSets {
        /// The sets.
        sets: Vec<String>,
    },
    /// The Placement names sets, and none of them is bound to its namespace.
    Unbound {
        /// The sets that it names.
        named: Vec<String>,
        /// The sets that are bound.
        bound: Vec<String>,
    },
    /// The cluster is not a member of the sets that the Placement may choose from.
    NotMember {
        /// The sets.
        sets: Vec<String>,
    },
    /// The cluster meets none of the predicates.
    Predicates,
    /// The cluster has a taint that the Placement does not tolerate.
    Taints,
    /// The Placement prefers other clusters.
    Outranked,
    /// The Placement or a set is invalid.
    Invalid {
        /// The problem.
        why: String,
    },
}

impl fmt::Display for NotSelected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBinding { namespace } => write!(
                f,
                "no cluster set is bound to namespace {namespace}; declare a ManagedClusterSetBinding there, for example of set global"
            ),
            Self::UnknownSets { sets } => {
                write!(f, "the bound cluster sets do not exist: {}; declare a ManagedClusterSet", sets.join(", "))
            }
            Self::Unbound { named, bound } => write!(
                f,
                "it chooses from cluster sets that are not bound to its namespace: {}; bound are: {}",
                named.join(", "),
                bound.join(", ")
            ),
            Self::NotMember { sets } => write!(
                f,
                "the cluster is not in any of its cluster sets: {}; a set selects clusters by their labels",
                sets.join(", ")
            ),
            Self::Predicates => {
                f.write_str("the cluster meets none of its predicates; compare them with its labels and claims")
            }
            Self::Taints => f.write_str("the cluster has a taint that it does not tolerate"),
            Self::Outranked => f.write_str("it prefers other clusters, and numberOfClusters limits their number"),
            Self::Invalid { why } => f.write_str(why),
        }
    }
}

/// Returns why a Placement does not select a cluster; `None` if it does.
pub fn not_selected(input: &Input<'_>, cluster: &ClusterName) -> Option<NotSelected> {
    let (outcome, Explanation { available, filters, .. }) = explain(input);
    if outcome.selected.iter().any(|ranked| ranked.cluster == *cluster) {
        return None;
    }
    let namespace = &input.placement.namespace;
    let names = |sets: &mut dyn Iterator<Item = &str>| -> Vec<String> { sets.map(str::to_owned).collect() };
    let sets = Sets::of(input);
    let bindings = input.bindings.keys().filter(|binding| binding.namespace == *namespace);
    let bindings: Vec<&str> = bindings.map(|binding| binding.name.as_str()).collect();
    if bindings.is_empty() {
        return Some(NotSelected::NoBinding { namespace: namespace.clone() });
    }
    if sets.bound.is_empty() {
        return Some(NotSelected::UnknownSets { sets: names(&mut bindings.into_iter()) });
    }
    if sets.names_none_that_is_bound() {
        let named = input.spec.cluster_sets.clone();
        return Some(NotSelected::Unbound { named, bound: names(&mut sets.bound.into_iter()) });
    }
    if let Code::Error(problem) | Code::Misconfigured(problem) = outcome.code {
        return Some(NotSelected::Invalid { why: problem.message });
    }
    if !available.contains(cluster) {
        return Some(NotSelected::NotMember { sets: names(&mut sets.eligible.into_iter()) });
    }
    let left_out = filters.iter().find(|filter| !filter.clusters.contains(cluster)).map(|filter| filter.name);
    Some(match left_out {
        Some(predicate::PLUGIN) => NotSelected::Predicates,
        Some(toleration::PLUGIN) => NotSelected::Taints,
        _ => NotSelected::Outranked,
    })
}
