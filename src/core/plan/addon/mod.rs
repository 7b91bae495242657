//! One add-on: which clusters should have it, which of them start now, and the resulting status.

pub(super) mod approvals;
mod checks;
pub(super) mod context;
pub(super) mod control;
pub(super) mod decide;
pub(super) mod grants;
pub(super) mod membership;
pub(super) mod outlook;
pub(super) mod placement;
pub(super) mod rejection;
pub(super) mod requests;
mod rollback;
pub(super) mod ruling;
mod status;
pub(super) mod survey;
