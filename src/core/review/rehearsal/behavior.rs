//! How clusters behave in a rehearsal.

use super::draw::Draw;
use tidegate_model::time::SignedDuration;
use tidegate_rollout::Status;
use tidegate_rollout::forecast::{Behavior, Report};

/// How clusters behave, in numbers. A share is from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// How long clusters took in earlier rollouts, sorted; each draw takes one of them. Empty if that is not known.
    pub latencies: Vec<SignedDuration>,
    /// The share of clusters that get the version but never become ready, so that they fail at the end of the deadline.
    pub failing: f64,
    /// The share of clusters that do not answer.
    pub offline: f64,
    /// How many times as long clusters take.
    pub slow: f64,
    /// The share of clusters that leave in an hour. As many join.
    pub churn: f64,
}

impl Scenario {
    /// The times that are assumed where none are known: from 30 seconds to 3 minutes.
    pub const ASSUMED: [SignedDuration; 6] = [
        SignedDuration::from_secs(30),
        SignedDuration::from_secs(60),
        SignedDuration::from_secs(90),
        SignedDuration::from_secs(120),
        SignedDuration::from_secs(150),
        SignedDuration::from_secs(180),
    ];

    fn latency(&self, draw: Draw, cluster: &str) -> SignedDuration {
        let known = if self.latencies.is_empty() { Self::ASSUMED.as_slice() } else { self.latencies.as_slice() };
        let place = (draw.share(PLACE, cluster) * known.len() as f64) as usize;
        let latency = known.get(place).copied().unwrap_or_default();
        // Between two known times, every time is as likely.
        let next = known.get(place + 1).copied().unwrap_or(latency);
        let between = (next - latency).as_secs_f64() * draw.share(BETWEEN, cluster);
        SignedDuration::from_secs(((latency.as_secs_f64() + between) * self.slow).round() as i64)
    }
}

/// The purposes of draws.
const PLACE: u64 = 1;
const BETWEEN: u64 = 2;
const FATE: u64 = 3;
const CHURN: u64 = 4;
const RETURN: u64 = 5;

/// How the clusters of one run behave.
#[derive(Debug, Clone, Copy)]
pub struct Clusters<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The draws of the run.
    pub draw: Draw,
}

impl Behavior for Clusters<'_> {
    fn reports(&mut self, cluster: &str) -> Vec<Report> {
        let Self { scenario, draw } = *self;
        let fate = draw.share(FATE, cluster);
        if fate < scenario.offline + scenario.failing {
            return Vec::new();
        }
        vec![Report { after: scenario.latency(draw, cluster), status: Status::Succeeded }]
    }

    fn moves(&mut self, cluster: &str) -> Vec<Report> {
        let Self { scenario, draw } = *self;
        if scenario.churn <= 0.0 {
            return Vec::new();
        }
        // The time until a cluster leaves is exponentially distributed. After an hour on average, another one takes its place.
        let hours = |purpose, rate: f64| -(1.0 - draw.share(purpose, cluster)).ln() / rate;
        let leaves = hours(CHURN, scenario.churn);
        let joins = leaves + hours(RETURN, 1.0);
        let after = |hours: f64| SignedDuration::from_secs((hours * 3600.0).min(1e9) as i64);
        vec![
            Report { after: after(leaves), status: Status::Skip },
            Report { after: after(joins), status: Status::ToApply },
        ]
    }
}
