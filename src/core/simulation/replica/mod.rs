//! The replicas, and the remote of their journal.

mod leader;
mod remote;
mod state;

pub(crate) use leader::Leader;
pub(crate) use remote::{Answer, Commit, Pushes, Remote};
pub(crate) use state::{Lease, Replica, State};
