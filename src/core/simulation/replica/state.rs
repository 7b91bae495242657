//! The processes, and the Lease that one of them holds.

use tidegate_model::time::Timestamp;

use super::leader::Leader;
use crate::hub::View;

/// The Lease on the hub.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) holder: Option<usize>,
    pub(crate) expires: Timestamp,
}

/// One process.
#[derive(Debug, Default)]
pub(crate) struct Replica {
    pub(crate) view: View,
    pub(crate) state: State,
}

/// What a process does.
#[derive(Debug, Default)]
pub(crate) enum State {
    #[default]
    StandsBy,
    Leads(Box<Leader>),
    /// Nothing until then.
    Paused(Box<Leader>, Timestamp),
    /// It does not run until then.
    Down(Timestamp),
}
