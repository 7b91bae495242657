//! One unit: which clusters should have it, which of them start now, and the resulting status.

pub(super) mod approvals;
mod cause;
mod checks;
mod cluster;
pub(super) mod control;
pub(super) mod decide;
mod deliver;
mod depart;
pub(super) mod grants;
mod health;
pub(super) mod membership;
pub(super) mod outlook;
pub(super) mod placement;
pub(super) mod rejection;
mod report;
pub(super) mod requests;
mod rollback;
mod rule;
mod ruled;
pub(super) mod ruling;
mod status;
mod steps;
mod summarize;
pub(super) mod survey;
