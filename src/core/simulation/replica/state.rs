//! The processes, and the Lease that one of them holds.

use tidegate_model::time::{SignedDuration, Timestamp};

use super::leader::Leader;
use crate::hub::View;

/// How long the Lease is valid after it was last renewed.
const VALID: SignedDuration = SignedDuration::from_secs(9);

/// The Lease on the hub.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) holder: Option<usize>,
    pub(crate) expires: Timestamp,
}

impl Lease {
    /// Lets the Lease expire after its whole duration.
    pub(crate) fn renew(&mut self, now: Timestamp) {
        self.expires = now + VALID;
    }
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
