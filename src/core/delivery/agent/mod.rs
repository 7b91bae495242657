//! The agent of an add-on: how it registers on the hub, and what it may do there.

pub(super) mod grant;
pub(super) mod identity;
pub(super) mod merge;
pub(super) mod permission;
pub(super) mod registration;
pub(super) mod token;
pub(super) mod unpermitted;
