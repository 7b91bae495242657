//! Scripts, which determine the behavior of clusters. The same script always gives the same results.

use std::time::Duration;

use serde_json::Value;

use super::rng::Rng;
use super::{Clusters, Delay, Outcome, Partition};

/// The behavior of the clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The random seed: a different seed gives a different fleet with the same distribution.
    pub seed: u64,
    /// How long a cluster takes to report.
    pub delay: Delay,
    /// How long an agent takes, after it has applied a work, to report the health of its objects. Until then it reports that the work is
    /// applied, with the health from before.
    pub status_interval: Duration,
    /// The outcomes of works. The first matching rule applies; without one, a work is healthy.
    pub rules: Vec<Rule>,
    /// The periods in which some clusters cannot reach the hub.
    pub partitions: Vec<Partition>,
}

/// The outcome of some works on some clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The affected clusters.
    pub clusters: Clusters,
    /// Only works whose manifests contain this string, such as an image tag; all works if absent.
    pub containing: Option<String>,
    /// The percentage of cases, drawn separately for every cluster and content of a work; all cases if absent.
    pub rate: Option<f64>,
    /// The outcome.
    pub outcome: Outcome,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            seed: 0,
            delay: Delay::Uniform(Duration::from_secs(1), Duration::from_secs(5)),
            status_interval: Duration::ZERO,
            rules: Vec::new(),
            partitions: Vec::new(),
        }
    }
}

impl Rule {
    /// Creates a rule for all works on the clusters whose names match one of the patterns.
    pub fn named(patterns: Vec<String>, outcome: Outcome) -> Self {
        Self { clusters: Clusters::Named(patterns), containing: None, rate: None, outcome }
    }
}

impl Script {
    fn rng(&self) -> Rng {
        Rng { seed: self.seed }
    }

    /// Returns how long a cluster takes to report.
    pub fn delay_of(&self, cluster: &str) -> Duration {
        self.delay.of(&self.rng(), cluster)
    }

    /// Returns the outcome of manifests on a cluster.
    pub fn outcome(&self, cluster: &str, manifests: &Value) -> Outcome {
        if self.rules.is_empty() {
            return Outcome::Healthy;
        }
        let content = manifests.to_string();
        let rule = self.rules.iter().enumerate().find(|(index, rule)| {
            let contains = rule.containing.as_ref().is_none_or(|text| content.contains(text.as_str()));
            let case = || format!("{cluster}/{content}");
            let happens = |rate| self.rng().is_among(&format!("rate {index}"), &case(), rate);
            contains && self.includes(&rule.clusters, cluster) && rule.rate.is_none_or(happens)
        });
        rule.map_or(Outcome::Healthy, |(_, rule)| rule.outcome)
    }

    /// Returns `true` if `clusters` includes a cluster.
    pub fn includes(&self, clusters: &Clusters, cluster: &str) -> bool {
        clusters.include(&self.rng(), cluster)
    }

    /// Returns when the current partition of a cluster ends; `None` if the cluster can reach the hub.
    pub(crate) fn partitioned_until(&self, cluster: &str, elapsed: Duration) -> Option<Duration> {
        let partitions = self.partitions.iter().filter(|partition| self.includes(&partition.clusters, cluster));
        partitions.filter_map(|partition| partition.partitioned_until(elapsed)).max()
    }

    /// Returns when the next partition starts or ends.
    pub(crate) fn next_edge(&self, elapsed: Duration) -> Option<Duration> {
        self.partitions.iter().filter_map(|partition| partition.next_edge(elapsed)).min()
    }
}
