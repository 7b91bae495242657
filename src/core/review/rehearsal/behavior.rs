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
        SignedDuration::from_secs((latency.as_secs_f64() + between).round() as i64)
    }
}

/// The purposes of draws.
const PLACE: u64 = 1;
const BETWEEN: u64 = 2;
const FATE: u64 = 3;

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
        if draw.share(FATE, cluster) < scenario.failing {
            return Vec::new();
        }
        vec![Report { after: scenario.latency(draw, cluster), status: Status::Succeeded }]
    }
}
