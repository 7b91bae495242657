//! Declared objects on the hub: who owns them, what others changed, and what is applied.

pub(super) mod declare;
pub(super) mod drift;
pub(super) mod ownership;
pub(super) mod stamp;
pub(super) mod unassigned;
