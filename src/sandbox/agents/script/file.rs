//! Parsing of scripts from TOML files.

use std::time::Duration;

use serde::{Deserialize, Deserializer, de::Error as _};
use toml::Spanned;

use super::{Clusters, Delay, Outcome, Partition, Rule, Script};
use tidegate_go::duration::parse_go_duration;
use tidegate_model::position::line_and_column;

/// Minimum duration between two changes: shorter ones would only keep the machine busy.
const SHORTEST: Duration = Duration::from_millis(10);

/// The reason why a file is not a valid script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct InvalidScript {
    /// The line, starting from 1.
    pub line: usize,
    /// The column in characters, starting from 1.
    pub column: usize,
    /// The description of the error.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    seed: u64,
    delay: Option<Spanned<DelayTable>>,
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<RuleTable>>,
    #[serde(default, rename = "partition")]
    partitions: Vec<Spanned<PartitionTable>>,
}

#[derive(Deserialize)]
#[serde(tag = "distribution", rename_all = "kebab-case", deny_unknown_fields)]
enum DelayTable {
    Fixed { at: Span },
    Uniform { min: Span, max: Span },
    Exponential { mean: Span, max: Span },
    Normal { mean: Span, deviation: Span },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    clusters: ClustersValue,
    containing: Option<String>,
    rate: Option<Percent>,
    outcome: OutcomeName,
    warm_up: Option<Span>,
    well: Option<Span>,
    unwell: Option<Span>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum OutcomeName {
    Healthy,
    Unhealthy,
    NotApplied,
    Silent,
    SlowStart,
    Flapping,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartitionTable {
    clusters: ClustersValue,
    after: Span,
    lasting: Span,
    every: Option<Span>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of names such as [\"aws-*\"], or a percentage such as \"5%\"")]
enum ClustersValue {
    Named(Vec<String>),
    Share(Percent),
}

/// A duration such as `1m30s`.
#[derive(Clone, Copy)]
struct Span(Duration);

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let span = parse_go_duration(&text).map_err(D::Error::custom)?;
        Duration::try_from(span).map(Self).map_err(|_| D::Error::custom(format!("{text:?} is negative")))
    }
}

/// A percentage such as `2.5%`.
#[derive(Clone, Copy)]
struct Percent(f64);

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
        let percent = number.filter(|number| (0.0..=100.0).contains(number));
        percent.map(Self).ok_or_else(|| D::Error::custom(format!("{text:?} is not a percentage from 0% to 100%")))
    }
}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// The first error, with its position.
    pub fn from_toml(text: &str) -> Result<Self, InvalidScript> {
        let at = |offset: usize, message: String| {
            let (line, column) = line_and_column(text, offset);
            InvalidScript { line, column, message }
        };
        let File { seed, delay, rules, partitions } = toml::from_str(text)
            .map_err(|error| at(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        let rules = rules.into_iter().map(|table| {
            let start = table.span().start;
            table.into_inner().read().map_err(|why| at(start, why))
        });
        let partitions = partitions.into_iter().map(|table| {
            let start = table.span().start;
            table.into_inner().read().map_err(|why| at(start, why))
        });
        let delay = delay.map(|table| {
            let start = table.span().start;
            table.into_inner().read().map_err(|why| at(start, why))
        });
        Ok(Self {
            seed,
            delay: delay.transpose()?.unwrap_or(Self::default().delay),
            rules: rules.collect::<Result<_, _>>()?,
            partitions: partitions.collect::<Result<_, _>>()?,
        })
    }
}

impl DelayTable {
    fn read(self) -> Result<Delay, String> {
        Ok(match self {
            Self::Fixed { at } => Delay::Uniform(at.0, at.0),
            Self::Uniform { min, max } if min.0 > max.0 => return Err("min is longer than max".into()),
            Self::Uniform { min, max } => Delay::Uniform(min.0, max.0),
            Self::Exponential { mean, max } => Delay::Exponential { mean: mean.0, most: max.0 },
            Self::Normal { mean, deviation } => Delay::Normal { mean: mean.0, deviation: deviation.0 },
        })
    }
}

impl RuleTable {
    fn read(self) -> Result<Rule, String> {
        let outcome = match (self.outcome, self.warm_up, self.well, self.unwell) {
            (OutcomeName::Healthy, None, None, None) => Outcome::Healthy,
            (OutcomeName::Unhealthy, None, None, None) => Outcome::Unhealthy,
            (OutcomeName::NotApplied, None, None, None) => Outcome::NotApplied,
            (OutcomeName::Silent, None, None, None) => Outcome::Silent,
            (OutcomeName::SlowStart, Some(warm_up), None, None) => Outcome::SlowStart { warm_up: warm_up.0 },
            (OutcomeName::Flapping, None, Some(well), Some(unwell)) => {
                Outcome::Flapping { well: lasting(well)?, unwell: lasting(unwell)? }
            }
            (OutcomeName::SlowStart, ..) => {
                return Err("\"slow-start\" requires warm_up and no other duration".into());
            }
            (OutcomeName::Flapping, ..) => {
                return Err("\"flapping\" requires well and unwell and no other duration".into());
            }
            _ => return Err("warm_up is only for \"slow-start\"; well and unwell are only for \"flapping\"".into()),
        };
        let rate = self.rate.map(|rate| rate.0);
        Ok(Rule { clusters: self.clusters.read(), containing: self.containing, rate, outcome })
    }
}

impl PartitionTable {
    fn read(self) -> Result<Partition, String> {
        let (after, long) = (self.after.0, lasting(self.lasting)?);
        let every = self.every.map(lasting).transpose()?;
        if every.is_some_and(|every| every <= long) {
            return Err("every must be longer than lasting; otherwise the clusters never reconnect".into());
        }
        Ok(Partition { clusters: self.clusters.read(), after, lasting: long, every })
    }
}

impl ClustersValue {
    fn read(self) -> Clusters {
        match self {
            Self::Named(patterns) => Clusters::Named(patterns),
            Self::Share(percent) => Clusters::Share(percent.0),
        }
    }
}

fn lasting(span: Span) -> Result<Duration, String> {
    if span.0 < SHORTEST { Err(format!("durations must be at least {SHORTEST:?}")) } else { Ok(span.0) }
}
