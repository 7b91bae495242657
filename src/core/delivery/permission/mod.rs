//! What the work agent of a cluster may do there: what it needs to apply objects, what it has, and the role that grants the rest.

pub(super) mod access;
pub(super) mod forbidden;
pub(super) mod held;
pub(super) mod needed;
pub(super) mod role;
