//! Sends news to the log and to the task that writes Kubernetes Events.

use tokio::sync::mpsc;

use super::events::{Draft, Metrics, Outcome, QUEUE};
use super::news::{Facts, News};
use tidegate_api::fleet::Fleet;

/// Reports news. The default announcer writes to the log only.
#[derive(Debug, Default)]
pub struct Announcer {
    events: Option<(mpsc::Sender<Draft>, Metrics)>,
}

impl Announcer {
    /// Returns an announcer that also sends drafts of Events to a channel. If it is full, drafts are dropped: reporting
    /// never delays a tick.
    pub fn new(drafts: mpsc::Sender<Draft>, metrics: Metrics) -> Self {
        Self { events: Some((drafts, metrics)) }
    }

    /// Reports the news of one tick; `fleet` contains the objects that the news is about.
    pub fn announce(&self, news: &[News], fleet: &Fleet) {
        for item in news {
            log(item);
            let Some((drafts, metrics)) = &self.events else { continue };
            if drafts.try_send(Draft::of(item, fleet)).is_err() {
                metrics.count(Outcome::Dropped);
                tracing::debug!(waiting = QUEUE, "dropped an Event: too many are waiting");
            }
        }
    }
}

/// Writes one line: the message states what happened, the fields contain the data.
fn log(news: &News) {
    let Facts { addon, from, to, group, clusters, objects, names, repairs, reason } = Facts::of(news);
    let kind = news.kind();
    if kind.is_warning() {
        tracing::warn!(addon, from, to, group, clusters, objects, names, repairs, reason, "{}", kind.title());
    } else {
        tracing::info!(addon, from, to, group, clusters, objects, names, repairs, reason, "{}", kind.title());
    }
}
