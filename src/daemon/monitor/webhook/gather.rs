//! Bounds how often webhooks make the daemon poll.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The shortest time between two polls that webhooks cause.
pub const GAP: Duration = Duration::from_secs(2);

/// Requests to poll. The first one is passed on at once; those that follow within [`GAP`] are gathered into one at its end.
/// Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Looks(Arc<Notify>);

impl Looks {
    /// Requests a poll.
    pub fn request(&self) {
        // Keeps one request until the task takes it, however many there are.
        self.0.notify_one();
    }

    /// Passes requests on until stopped.
    pub async fn pass(self, look: impl Fn() + Send, stop: CancellationToken) {
        let passed = async {
            loop {
                self.0.notified().await;
                look();
                tokio::time::sleep(GAP).await;
            }
        };
        tokio::select! {
            () = passed => {}
            () = stop.cancelled() => {}
        }
    }
}
