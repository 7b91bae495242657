//! Delivery by OCM's add-on manager: copies of configurations, assignments of clusters, and the change from one delivery to the other.

pub(super) mod assign;
pub(super) mod copies;
pub(super) mod handover;
