//! Sets of clusters, chosen by name or by share.

use super::rng::Rng;

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
            Self::Named(patterns) => patterns.iter().any(|pattern| matches_pattern(pattern, cluster)),
            Self::Share(percent) => rng.is_among("share", cluster, *percent),
        }
    }
}

/// Returns `true` if a string matches a pattern, in which `*` matches any string.
pub(crate) fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, behind)) = text.split_once(part) else { return false };
        text = behind;
    }
    text.ends_with(last)
}
