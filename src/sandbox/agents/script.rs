//! What the clusters do with their works. The same script always gives the same answers.

use std::ops::RangeInclusive;
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// What the clusters do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// How long a cluster takes to answer. Each cluster has a time of its own within the range, always the same.
    pub delay: RangeInclusive<Duration>,
    /// What happens, where it is not that all goes well. The first rule that fits a work counts.
    pub rules: Vec<Rule>,
}

/// What some clusters do with some works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Which clusters.
    pub clusters: Clusters,
    /// Only works whose manifests contain this text, such as the tag of an image; all if absent.
    pub containing: Option<String>,
    /// What happens.
    pub outcome: Outcome,
}

/// Some clusters of the fleet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clusters {
    /// Those whose name fits one of the patterns, in which `*` stands for any text.
    Named(Vec<String>),
    /// So many of a hundred, chosen by their names.
    Share {
        /// From 0 to 100.
        percent: u8,
    },
}

/// What becomes of a work on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Applied, and everything is ready.
    Healthy,
    /// Applied, but nothing becomes ready.
    Unhealthy,
    /// The cluster refuses the manifests.
    NotApplied,
    /// The cluster never answers.
    Silent,
}

impl Default for Script {
    fn default() -> Self {
        Self { delay: Duration::from_secs(1)..=Duration::from_secs(5), rules: Vec::new() }
    }
}

impl Script {
    /// Returns how long a cluster takes to answer.
    pub fn delay_of(&self, cluster: &str) -> Duration {
        let (least, most) = (*self.delay.start(), *self.delay.end());
        // In steps of a millisecond: nobody sees finer ones, and the arithmetic cannot overflow.
        let span = u64::try_from(most.saturating_sub(least).as_millis()).unwrap_or(u64::MAX - 1).min(u64::MAX - 1);
        least.saturating_add(Duration::from_millis(draw("delay", cluster) % (span + 1)))
    }

    /// Returns what becomes of manifests on a cluster.
    pub fn outcome(&self, cluster: &str, manifests: &Value) -> Outcome {
        let rule = self.rules.iter().find(|rule| {
            let contains = |text: &String| manifests.to_string().contains(text.as_str());
            rule.clusters.include(cluster) && rule.containing.as_ref().is_none_or(contains)
        });
        rule.map_or(Outcome::Healthy, |rule| rule.outcome)
    }
}

impl Clusters {
    /// Says whether a cluster is among them.
    pub fn include(&self, cluster: &str) -> bool {
        match self {
            Self::Named(patterns) => patterns.iter().any(|pattern| fits(pattern, cluster)),
            Self::Share { percent } => draw("share", cluster) % 100 < u64::from(*percent),
        }
    }
}

/// Says whether a text fits a pattern, in which `*` stands for any text.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
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

/// Draws a number for a name, always the same.
fn draw(what: &str, name: &str) -> u64 {
    let digest = Sha256::digest(format!("{what}/{name}"));
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
