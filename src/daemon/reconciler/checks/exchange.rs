//! The channels between the ticks and the task that measures. Both keep only the latest value.

use std::sync::Arc;

use tokio::sync::watch;

use tidegate_rollout::gate::checks::{Observations, Request};

/// The end of the ticks.
#[derive(Debug)]
pub(crate) struct Exchange {
    requests: watch::Sender<Arc<Vec<Request>>>,
    observations: watch::Receiver<Arc<Observations>>,
}

/// The end of the task that measures.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(super) requests: watch::Receiver<Arc<Vec<Request>>>,
    pub(super) observations: watch::Sender<Arc<Observations>>,
}

/// Creates both ends.
pub(crate) fn exchange() -> (Exchange, Desk) {
    let (requests, wanted) = watch::channel(Arc::default());
    let (measured, observations) = watch::channel(Arc::default());
    (Exchange { requests, observations }, Desk { requests: wanted, observations: measured })
}

impl Exchange {
    /// Returns what was measured last.
    pub(crate) fn observed(&self) -> Arc<Observations> {
        self.observations.borrow().clone()
    }

    /// Returns a channel that shows when something was measured.
    pub(crate) fn observations(&self) -> watch::Receiver<Arc<Observations>> {
        self.observations.clone()
    }

    /// Says what is to be measured.
    pub(crate) fn ask(&self, requests: Vec<Request>) {
        self.requests.send_if_modified(|known| {
            let is_new = **known != requests;
            if is_new {
                *known = Arc::new(requests);
            }
            is_new
        });
    }
}
