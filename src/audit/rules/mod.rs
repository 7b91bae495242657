//! What must hold from one commit of a journal to the next.

pub(super) mod addon;
mod cluster;
pub mod commit;
pub(super) mod daemons;
pub(super) mod review;
pub(super) mod rollout;
mod sealed;
pub(super) mod tolerance;
