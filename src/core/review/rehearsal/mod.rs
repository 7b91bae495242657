//! The rehearsal of a rollout: when it will end, with which risk, and what would be different with other settings.
//!
//! [`rehearse`] runs the rollout of an add-on many times in virtual time, each time with other draws of how clusters behave, and
//! summarizes the runs. It is pure: the draws depend only on a seed and on the names of clusters, so the same input gives the same
//! rehearsal.

mod behavior;
pub mod document;
mod draw;
mod rehearse;
mod runs;
mod statistics;
mod summary;
mod what_if;

pub use self::behavior::{Clusters, Scenario};
pub use self::draw::Draw;
pub use self::rehearse::rehearse;
pub use self::runs::Request;
