//! What is decided for one cluster.

use super::registration::Granted;
use super::rendering::Undeliverable;
use tidegate_delivery::status::Progress;
use tidegate_delivery::upstream::Opened;
use tidegate_model::action::Write;
use tidegate_model::time::Timestamp;

/// Writes for one cluster, and the findings behind them.
#[derive(Debug, Default)]
pub(crate) struct Planned {
    /// The writes, in order.
    pub writes: Vec<Write>,
    /// What its agent may do on the hub. Its writes are independent of the others.
    pub granted: Granted,
    /// The progress of the cluster; absent if it waits, or if nothing can be delivered.
    pub progress: Option<Progress>,
    /// How far it is with the order of components.
    pub opened: Opened,
    /// Why nothing can be delivered.
    pub problem: Option<Undeliverable>,
}

impl Planned {
    /// Returns when time alone changes the progress of the cluster.
    pub(crate) fn look_at(&self) -> Option<Timestamp> {
        match self.progress {
            Some(Progress::Unproven { until }) => Some(until),
            _ => None,
        }
    }
}
