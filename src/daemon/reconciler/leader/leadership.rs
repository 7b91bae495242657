//! Whether a replica may write now.

use std::sync::Arc;

use parking_lot::Mutex;
use tidegate_model::time::Timestamp;
use tokio::time::Instant;

use super::metrics::Leads;
use crate::hub::Condition;
use crate::reconciler::clock::Clock;

/// Whether a replica may write now. Cheap to clone; all clones share their state.
#[derive(Debug, Clone)]
pub(super) struct Leadership {
    standing: Arc<Mutex<Standing>>,
    clock: Clock,
    metric: Leads,
}

#[derive(Debug)]
enum Standing {
    /// Another replica leads, or none does yet.
    StandsBy,
    /// This replica may write until one of its clocks shows a time: the monotonic one, or that of the day. The latter also notices that the
    /// whole machine was suspended.
    Leads { until: (Instant, Timestamp) },
    /// This replica led, and ends. Another one leads, unless the name is empty.
    Ends { leader: String },
}

impl Leadership {
    /// Creates the state of a replica that stands by.
    pub(super) fn new(clock: Clock, metric: Leads) -> Self {
        Self { standing: Arc::new(Mutex::new(Standing::StandsBy)), clock, metric }
    }

    /// Returns `true` if this replica may write now.
    pub(super) fn may_write(&self) -> bool {
        match &*self.standing.lock() {
            Standing::Leads { until: (until, of_day) } => Instant::now() < *until && self.clock.now() < *of_day,
            Standing::StandsBy | Standing::Ends { .. } => false,
        }
    }

    /// Returns the condition for the writes to the hub.
    pub(super) fn condition(&self) -> Condition {
        let leadership = self.clone();
        Box::new(move || leadership.may_write())
    }

    /// Lets this replica write until one of its clocks shows these times.
    pub(super) fn extend(&self, until: (Instant, Timestamp)) {
        *self.standing.lock() = Standing::Leads { until };
        self.metric.set(true);
    }

    /// Records that this replica does not hold the Lease any more, and who does; empty if no one does.
    pub(super) fn end(&self, leader: &str) {
        *self.standing.lock() = Standing::Ends { leader: leader.to_owned() };
        self.metric.set(false);
    }

    /// Records that this replica gives the Lease up.
    pub(super) fn give_up(&self) {
        *self.standing.lock() = Standing::StandsBy;
        self.metric.set(false);
    }

    /// Updates the metric of a replica that could not renew its Lease.
    pub(super) fn note_failure(&self) {
        self.metric.set(self.may_write());
    }

    /// Returns the replica that leads instead of this one, if this one has to end; empty if none does.
    pub(super) fn successor(&self) -> Option<String> {
        match &*self.standing.lock() {
            Standing::Ends { leader } => Some(leader.clone()),
            Standing::StandsBy | Standing::Leads { .. } => None,
        }
    }
}
