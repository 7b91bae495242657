//! Checks of a single object: against its schema, and against rules that no schema expresses.

mod addon;
mod ambiguous;
pub(super) mod application;
mod core;
mod definition;
pub(super) mod hub_kinds;
mod hub_role;
mod integer;
pub(super) mod kept_kinds;
mod manifest;
mod metadata;
mod object;
mod placement;
mod policy;
mod reading;
mod selector;
mod strategy;
mod template;
mod values;
pub(super) mod wording;

pub(super) use ambiguous::check as ambiguous;
pub(super) use object::{check, own};
pub(super) use strategy::strategies;
