//! The decision about one placement.

use super::ruling::Ruling;
use crate::node::Node;
use tidegate_rollout::Gate;
use tidegate_rollout::gate::{Judged, checks as measured};

/// The decision about one placement.
#[derive(Debug)]
pub(super) struct Ruled<'n, 'a> {
    /// The placement with its clusters.
    pub node: &'n Node<'a>,
    /// The gates that hold all of its clusters.
    pub holds: Vec<Gate>,
    /// The approvals that its clusters need.
    pub approvals: Vec<Judged>,
    /// The results of its checks.
    pub checks: measured::Judged,
    /// The decision of the rollout engine.
    pub ruling: Ruling,
}
