//! What revisions are judged by: policies, the fleet and the clock.

use std::sync::Arc;

use super::floor::Floor;
use crate::reconciler::clock::Clock;
use tidegate_api::fleet::Fleet;
use tidegate_model::followed::Revision;
use tidegate_model::instance::Instance;
use tidegate_repository::PlanPolicy;

/// What judges revisions.
pub struct Judge {
    /// What the daemon's own file says about rules.
    pub floor: Floor,
    /// Returns the fleet as observed last; `None` until it was observed completely.
    pub fleet: Box<dyn Fn() -> Option<Arc<Fleet>> + Send>,
    /// The clock.
    pub clock: Clock,
    /// The instance of the daemon.
    pub instance: Instance,
}

/// The policies that are in force.
#[derive(Debug, Default)]
pub(super) struct InForce {
    /// Those that judged the last revision.
    pub(super) by: Vec<PlanPolicy>,
    /// Those that judge the next one.
    pub(super) next: Vec<PlanPolicy>,
    /// The revision before the last one.
    pub(super) before: Option<Revision>,
    /// Whether the recorded decision about the last revision can be used.
    pub(super) is_decided: bool,
}
