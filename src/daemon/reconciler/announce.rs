//! Sends news to the log, to the task that writes Kubernetes Events, and to the one that notifies receivers.

use tokio::sync::mpsc;

use super::events::{Draft, Metrics, Outcome, QUEUE};
use super::news::{Facts, News};
use super::notification::{self, Notice};
use tidegate_api::fleet::Fleet;

/// Reports news. The default announcer writes to the log only.
#[derive(Debug, Default)]
pub struct Announcer {
    events: Option<(mpsc::Sender<Draft>, Metrics)>,
    notices: Option<(mpsc::Sender<Notice>, notification::Metrics)>,
}

impl Announcer {
    /// Returns an announcer that also sends drafts of Events to a channel. If it is full, drafts are dropped: reporting
    /// never delays a tick.
    pub fn new(drafts: mpsc::Sender<Draft>, metrics: Metrics) -> Self {
        Self { events: Some((drafts, metrics)), notices: None }
    }

    /// Sends notices to a channel, too. If it is full, they are dropped.
    #[must_use]
    pub fn with_notices(self, notices: mpsc::Sender<Notice>, metrics: notification::Metrics) -> Self {
        Self { notices: Some((notices, metrics)), ..self }
    }

    /// Notifies receivers.
    pub fn notify(&self, found: Vec<Notice>) {
        let Some((notices, metrics)) = &self.notices else { return };
        for notice in found {
            if notices.try_send(notice).is_err() {
                metrics.count(notification::Outcome::Dropped, 1);
                tracing::debug!(waiting = notification::QUEUE, "dropped a notification: too many are waiting");
            }
        }
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
