//! Where news goes: to the log, and to the task that writes Kubernetes Events.

use tokio::sync::mpsc;

use super::events::metrics::{Metrics, Outcome};
use super::events::{Draft, QUEUE};
use super::news::{Facts, News};
use tidegate_api::fleet::Fleet;

/// Reports news. Without more it goes to the log only.
#[derive(Debug, Default)]
pub struct Announcer {
    events: Option<(mpsc::Sender<Draft>, Metrics)>,
}

impl Announcer {
    /// Returns an announcer that also hands drafts of Events on. A full channel drops them: reporting never holds up a tick.
    pub fn new(drafts: mpsc::Sender<Draft>, metrics: Metrics) -> Self {
        Self { events: Some((drafts, metrics)) }
    }

    /// Reports the news of one tick; `fleet` has the objects that it is about.
    pub fn announce(&self, news: &[News], fleet: &Fleet) {
        for item in news {
            log(item);
            let Some((drafts, metrics)) = &self.events else { continue };
            if drafts.try_send(Draft::of(item, fleet)).is_err() {
                metrics.count(Outcome::Dropped);
                tracing::debug!(waiting = QUEUE, "Event dropped: too many are waiting");
            }
        }
    }
}

/// Writes one line: the message says what happened, the fields carry the data.
fn log(news: &News) {
    let Facts { addon, from, to, group, clusters, objects, names, repairs, reason } = Facts::of(news);
    let kind = news.kind();
    if kind.is_warning() {
        tracing::warn!(addon, from, to, group, clusters, objects, names, repairs, reason, "{}", kind.title());
    } else {
        tracing::info!(addon, from, to, group, clusters, objects, names, repairs, reason, "{}", kind.title());
    }
}
