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
    delay: Option<DelayTable>,
    status_interval: Option<Span>,
    #[serde(default, rename = "rule")]
    rules: Vec<RuleTable>,
    #[serde(default, rename = "partition")]
    partitions: Vec<PartitionTable>,
}

/// Not an enum with a tag: serde reports the place of such a table, and not of the field that is wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DelayTable {
    distribution: Spanned<Distribution>,
    at: Option<Spanned<Span>>,
    min: Option<Spanned<Span>>,
    max: Option<Spanned<Span>>,
    mean: Option<Spanned<Span>>,
    deviation: Option<Spanned<Span>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Distribution {
    Fixed,
    Uniform,
    Exponential,
    Normal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    clusters: ClustersValue,
    containing: Option<String>,
    rate: Option<Percent>,
    outcome: Spanned<OutcomeName>,
    warm_up: Option<Spanned<Span>>,
    well: Option<Spanned<Span>>,
    unwell: Option<Spanned<Span>>,
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
    lasting: Spanned<Span>,
    every: Option<Spanned<Span>>,
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

/// A mistake in a table that has the right fields.
struct Mistake {
    /// Its place, as an offset in the file.
    at: usize,
    message: String,
}

impl Mistake {
    fn at<T>(place: &Spanned<T>, message: impl Into<String>) -> Self {
        Self { at: place.span().start, message: message.into() }
    }
}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// The first error, with its position.
    pub fn from_toml(text: &str) -> Result<Self, InvalidScript> {
        let read = || {
            let File { seed, delay, status_interval, rules, partitions } = toml::from_str(text).map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                Mistake { at, message: error.message().to_owned() }
            })?;
            Ok(Self {
                seed,
                delay: delay.map(DelayTable::read).transpose()?.unwrap_or(Self::default().delay),
                status_interval: status_interval.map(|span| span.0).unwrap_or_default(),
                rules: rules.into_iter().map(RuleTable::read).collect::<Result<_, _>>()?,
                partitions: partitions.into_iter().map(PartitionTable::read).collect::<Result<_, _>>()?,
            })
        };
        read().map_err(|Mistake { at, message }| {
            let (line, column) = line_and_column(text, at);
            InvalidScript { line, column, message }
        })
    }
}

impl DelayTable {
    fn read(self) -> Result<Delay, Mistake> {
        let Self { distribution, at, min, max, mean, deviation } = self;
        let required = |fields: &str| Err(Mistake::at(&distribution, format!("this requires {fields}, and no others")));
        match (distribution.get_ref(), at, min, max, mean, deviation) {
            (Distribution::Fixed, Some(at), None, None, None, None) => {
                let at = at.into_inner().0;
                Ok(Delay::Uniform(at, at))
            }
            (Distribution::Uniform, None, Some(min), Some(max), None, None) => {
                if min.get_ref().0 > max.get_ref().0 {
                    return Err(Mistake::at(&min, "min is longer than max"));
                }
                Ok(Delay::Uniform(min.into_inner().0, max.into_inner().0))
            }
            (Distribution::Exponential, None, None, Some(max), Some(mean), None) => {
                Ok(Delay::Exponential { mean: mean.into_inner().0, most: max.into_inner().0 })
            }
            (Distribution::Normal, None, None, None, Some(mean), Some(deviation)) => {
                Ok(Delay::Normal { mean: mean.into_inner().0, deviation: deviation.into_inner().0 })
            }
            (Distribution::Fixed, ..) => required("the field at"),
            (Distribution::Uniform, ..) => required("the fields min and max"),
            (Distribution::Exponential, ..) => required("the fields mean and max"),
            (Distribution::Normal, ..) => required("the fields mean and deviation"),
        }
    }
}

impl RuleTable {
    fn read(self) -> Result<Rule, Mistake> {
        let Self { clusters, containing, rate, outcome: name, warm_up, well, unwell } = self;
        let outcome = match (name.get_ref(), warm_up, well, unwell) {
            (OutcomeName::Healthy, None, None, None) => Outcome::Healthy,
            (OutcomeName::Unhealthy, None, None, None) => Outcome::Unhealthy,
            (OutcomeName::NotApplied, None, None, None) => Outcome::NotApplied,
            (OutcomeName::Silent, None, None, None) => Outcome::Silent,
            (OutcomeName::SlowStart, Some(warm_up), None, None) => {
                Outcome::SlowStart { warm_up: warm_up.into_inner().0 }
            }
            (OutcomeName::Flapping, None, Some(well), Some(unwell)) => {
                Outcome::Flapping { well: lasting(&well)?, unwell: lasting(&unwell)? }
            }
            (OutcomeName::SlowStart, ..) => {
                return Err(Mistake::at(&name, "\"slow-start\" requires warm_up and no other duration"));
            }
            (OutcomeName::Flapping, ..) => {
                return Err(Mistake::at(&name, "\"flapping\" requires well and unwell and no other duration"));
            }
            (_, warm_up, well, unwell) => {
                let stray = warm_up.or(well).or(unwell).map_or(name.span().start, |stray| stray.span().start);
                let message = "warm_up is only for \"slow-start\"; well and unwell are only for \"flapping\"";
                return Err(Mistake { at: stray, message: message.to_owned() });
            }
        };
        Ok(Rule { clusters: clusters.read(), containing, rate: rate.map(|rate| rate.0), outcome })
    }
}

impl PartitionTable {
    fn read(self) -> Result<Partition, Mistake> {
        let (after, long) = (self.after.0, lasting(&self.lasting)?);
        if let Some(every) = &self.every
            && lasting(every)? <= long
        {
            let message = "every must be longer than lasting; otherwise the clusters never reconnect";
            return Err(Mistake::at(every, message));
        }
        let every = self.every.map(|every| every.into_inner().0);
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

fn lasting(span: &Spanned<Span>) -> Result<Duration, Mistake> {
    let long = span.get_ref().0;
    if long < SHORTEST { Err(Mistake::at(span, format!("durations must be at least {SHORTEST:?}"))) } else { Ok(long) }
}
