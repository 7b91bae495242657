//! Asks the task that writes the journal to look for another daemon now.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// How long to wait for the answer. A remote that is away does not stop a rollout.
const LONGEST: Duration = Duration::from_secs(10);

/// The end that asks.
#[derive(Debug)]
pub struct RivalCheck {
    /// Number of requests so far.
    asked: watch::Sender<u64>,
    /// Number of requests that have been answered.
    answered: watch::Receiver<u64>,
}

/// The end that answers.
#[derive(Debug)]
pub struct RivalChecks {
    pub(super) asked: watch::Receiver<u64>,
    pub(super) answered: watch::Sender<u64>,
}

/// Returns both ends.
pub fn rival_check() -> (RivalCheck, RivalChecks) {
    let (asked, requests) = watch::channel(0);
    let (answers, answered) = watch::channel(0);
    (RivalCheck { asked, answered }, RivalChecks { asked: requests, answered: answers })
}

impl RivalCheck {
    /// Waits until the remote has been asked whether another daemon wrote to the journal, and failed or answered. If there is another one,
    /// the daemon is stopping then.
    pub async fn done(&mut self) {
        self.asked.send_modify(|asked| *asked += 1);
        let number = *self.asked.borrow();
        // Without an answer, the check is as good as failed.
        drop(timeout(LONGEST, self.answered.wait_for(|answered| *answered >= number)).await);
    }
}
