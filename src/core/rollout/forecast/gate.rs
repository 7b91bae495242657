//! Gates in virtual time.

use tidegate_model::time::Timestamp;

/// Decides in virtual time which clusters may start.
pub trait Gatekeeper {
    /// Returns whether a cluster may start at a moment. If it may, it is counted as under way.
    fn admit(&mut self, cluster: &str, group: i32, now: Timestamp) -> Admission;

    /// Records that a cluster is no longer under way.
    fn finish(&mut self, cluster: &str);
}

/// Whether a cluster may start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// It may.
    Open,
    /// It may not.
    Closed {
        /// Why.
        why: String,
        /// When time alone may change that.
        until: Option<Timestamp>,
    },
}

/// Lets every cluster start.
#[derive(Debug, Clone, Copy)]
pub struct NoGates;

impl Gatekeeper for NoGates {
    fn admit(&mut self, _: &str, _: i32, _: Timestamp) -> Admission {
        Admission::Open
    }

    fn finish(&mut self, _: &str) {}
}
