//! Delivers notifications to one receiver: in order, not too many, and again if it fails.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::answer::{Verdict, judge};
use super::budget::Budget;
use super::message::{Letter, request};
use super::metrics::{Metrics, Outcome};
use super::notice::Notice;
use super::receiver::Receiver;
use super::transport::Transport;
use crate::reconciler::clock::Clock;
use tidegate_go::canonical::sha256_hex;
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::Instance;
use tidegate_model::time::Timestamp;

/// For how long the delivery of a notification is tried.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// What delivers notifications. Cheap to clone.
#[derive(Clone)]
pub struct Sender {
    /// Carries the requests.
    pub transport: Transport,
    /// The clock for the time of an attempt.
    pub clock: Clock,
    /// The instance that sends.
    pub instance: Instance,
    /// Counts notifications.
    pub metrics: Metrics,
}

/// Notices that wait for a receiver.
#[derive(Default)]
struct Backlog {
    waiting: VecDeque<Notice>,
    has_waited: bool,
}

/// Delivers the notices of a channel until it is closed. If a receiver gets too many, the most important one is delivered, with the
/// number of the others.
pub(super) async fn deliver(receiver: Receiver, mut notices: mpsc::Receiver<Notice>, sender: Sender) {
    let mut budget = Budget::new(Instant::now());
    while let Some(notice) = notices.recv().await {
        let mut backlog = Backlog { waiting: VecDeque::from([notice]), has_waited: false };
        while !backlog.waiting.is_empty() {
            if let Some(wait) = budget.take(Instant::now()) {
                tokio::time::sleep(wait).await;
                backlog.has_waited = true;
                continue;
            }
            while let Ok(notice) = notices.try_recv() {
                backlog.waiting.push_back(notice);
            }
            if let Some((notice, omitted)) = backlog.next() {
                let outcome = sender.deliver(&receiver, &notice, omitted).await;
                sender.metrics.count(outcome, 1);
                sender.metrics.count(Outcome::Omitted, omitted);
            }
        }
    }
}

impl Backlog {
    /// Returns the next notice, and how many others are left out with it.
    fn next(&mut self) -> Option<(Notice, usize)> {
        if !std::mem::take(&mut self.has_waited) {
            return self.waiting.pop_front().map(|notice| (notice, 0));
        }
        let omitted = self.waiting.len().saturating_sub(1);
        let all = std::mem::take(&mut self.waiting);
        // The first one of the most important event.
        all.into_iter().min_by_key(|notice| notice.event).map(|notice| (notice, omitted))
    }
}

impl Sender {
    /// Delivers a notice, and tries again after failures.
    async fn deliver(&self, receiver: &Receiver, notice: &Notice, omitted: usize) -> Outcome {
        let (started, first) = (Instant::now(), self.clock.now());
        let mut failures = 0;
        loop {
            let (why, after) = match self.attempt(receiver, notice, omitted, first).await {
                Verdict::Delivered => return Outcome::Delivered,
                Verdict::Refused(why) => {
                    tracing::warn!(%receiver, why, "a notification was refused");
                    return Outcome::Failed;
                }
                Verdict::Retry { why, after } => (why, after),
            };
            failures += 1;
            let pause = Backoff::default().after(failures).max(after);
            if started.elapsed().saturating_add(pause) > PATIENCE {
                tracing::warn!(%receiver, why, failures, "gave up a notification that was not accepted within an hour");
                return Outcome::Failed;
            }
            if failures == 1 {
                tracing::warn!(%receiver, why, "failed to deliver a notification; retrying for an hour");
            } else {
                tracing::debug!(%receiver, why, failures, "failed to deliver a notification");
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Makes one attempt. `first` is the time of the first one.
    pub async fn attempt(&self, receiver: &Receiver, notice: &Notice, omitted: usize, first: Timestamp) -> Verdict {
        // A file of secrets may be replaced at this moment.
        let secrets = match receiver.secrets() {
            Ok(secrets) => secrets,
            Err(why) => return Verdict::Retry { why: why.to_string(), after: Duration::ZERO },
        };
        let id = id(&self.instance, notice, first);
        let letter = Letter { notice, omitted, instance: &self.instance, id: &id, at: self.clock.now() };
        let reply = self.transport.send(request(&letter, receiver, &secrets)).await;
        judge(reply.as_ref())
    }
}

/// Returns the identity of a notification: the same in each attempt, and another one if the same state is notified again.
fn id(instance: &Instance, notice: &Notice, first: Timestamp) -> String {
    let addon = notice.addon.as_ref().map(ToString::to_string).unwrap_or_default();
    let parts = [instance.id.as_str(), &addon, &notice.state.name, &first.as_nanosecond().to_string()];
    sha256_hex(parts.join("\n").as_bytes()).chars().take(32).collect()
}
