//! PlacementDecisions: read, checked, and written.

pub(super) mod complete;
pub(super) mod error;
pub(super) mod group;
pub(super) mod page;
pub(super) mod read;
pub(super) mod write;
