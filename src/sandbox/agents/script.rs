//! What the clusters do with their works. The same script always gives the same answers.

use std::time::Duration;

use serde_json::Value;

use super::draw::Draw;
use super::{Delay, Outcome, Partition};

/// What the clusters do.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// What chance is drawn from: another seed gives another fleet of the same kind.
    pub seed: u64,
    /// How long a cluster takes to answer.
    pub delay: Delay,
    /// What happens, where it is not that all goes well. The first rule that fits a work counts.
    pub rules: Vec<Rule>,
    /// When the hub hears nothing of some clusters.
    pub partitions: Vec<Partition>,
}

/// What some clusters do with some works.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Which clusters.
    pub clusters: Clusters,
    /// Only works whose manifests contain this text, such as the tag of an image; all if absent.
    pub containing: Option<String>,
    /// In so many of a hundred cases, drawn anew for every cluster and content of a work; always if absent.
    pub rate: Option<f64>,
    /// What happens.
    pub outcome: Outcome,
}

/// Some clusters of the fleet.
#[derive(Debug, Clone, PartialEq)]
pub enum Clusters {
    /// Those whose name fits one of the patterns, in which `*` stands for any text.
    Named(Vec<String>),
    /// So many of a hundred, from 0 to 100, chosen by their names.
    Share(f64),
}

impl Default for Script {
    fn default() -> Self {
        Self {
            seed: 0,
            delay: Delay::Uniform(Duration::from_secs(1), Duration::from_secs(5)),
            rules: Vec::new(),
            partitions: Vec::new(),
        }
    }
}

impl Rule {
    /// A rule for clusters by the patterns of their names, whatever their works are.
    pub fn named(patterns: Vec<String>, outcome: Outcome) -> Self {
        Self { clusters: Clusters::Named(patterns), containing: None, rate: None, outcome }
    }
}

impl Script {
    fn draw(&self) -> Draw {
        Draw { seed: self.seed }
    }

    /// Returns how long a cluster takes to answer.
    pub fn delay_of(&self, cluster: &str) -> Duration {
        self.delay.of(&self.draw(), cluster)
    }

    /// Returns what becomes of manifests on a cluster.
    pub fn outcome(&self, cluster: &str, manifests: &Value) -> Outcome {
        if self.rules.is_empty() {
            return Outcome::Healthy;
        }
        let content = manifests.to_string();
        let rule = self.rules.iter().enumerate().find(|(index, rule)| {
            let contains = rule.containing.as_ref().is_none_or(|text| content.contains(text.as_str()));
            let case = || format!("{cluster}/{content}");
            let happens = |rate| self.draw().is_among(&format!("rate {index}"), &case(), rate);
            contains && self.includes(&rule.clusters, cluster) && rule.rate.is_none_or(happens)
        });
        rule.map_or(Outcome::Healthy, |(_, rule)| rule.outcome)
    }

    /// Returns `true` if a cluster is among some.
    pub fn includes(&self, clusters: &Clusters, cluster: &str) -> bool {
        match clusters {
            Clusters::Named(patterns) => patterns.iter().any(|pattern| fits(pattern, cluster)),
            Clusters::Share(percent) => self.draw().is_among("share", cluster, *percent),
        }
    }

    /// Returns until when the hub hears nothing of a cluster; `None` if it hears of it.
    pub(crate) fn silence(&self, cluster: &str, elapsed: Duration) -> Option<Duration> {
        let partitions = self.partitions.iter().filter(|partition| self.includes(&partition.clusters, cluster));
        partitions.filter_map(|partition| partition.silence(elapsed)).max()
    }

    /// Returns when a silence begins or ends next.
    pub(crate) fn next_edge(&self, elapsed: Duration) -> Option<Duration> {
        self.partitions.iter().filter_map(|partition| partition.next_edge(elapsed)).min()
    }
}

/// Returns `true` if a text fits a pattern, in which `*` stands for any text.
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
