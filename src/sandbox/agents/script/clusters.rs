//! Sets of clusters, chosen by name or by share.

use super::rng::Rng;
use tidegate_model::glob;

/// Some clusters of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub enum Clusters {
    /// Clusters whose name matches one of the patterns, in which `*` matches any string.
    Named(Vec<String>),
    /// A percentage of the clusters, from 0 to 100, chosen by their names.
    Share(f64),
}

impl Clusters {
    /// Returns `true` if a cluster is one of them.
    pub(super) fn include(&self, rng: &Rng, cluster: &str) -> bool {
        match self {
            Self::Named(patterns) => patterns.iter().any(|pattern| glob::matches(pattern, cluster)),
            Self::Share(percent) => rng.is_among("share", cluster, *percent),
        }
    }
}
