//! The health of an add-on on a cluster, read from the status of its works.

pub(super) mod cause;
pub(super) mod chain;
mod conditions;
pub(super) mod evidence;
mod object;
pub(super) mod report;
mod rollout;
pub(super) mod values;
mod wanted;
mod workload;
