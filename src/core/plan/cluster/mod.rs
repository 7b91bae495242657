//! One add-on on one cluster: what it should have, what is written, and how far it is.

mod advance;
pub(super) mod application;
pub(super) mod assumed;
pub(super) mod decide;
pub(super) mod layered;
pub(super) mod object;
mod phase;
pub(super) mod planned;
pub(super) mod proven;
pub(super) mod registration;
pub(super) mod rendering;
pub(super) mod start;
pub(super) mod status;
pub(super) mod token;
pub(super) mod works;
