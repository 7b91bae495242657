//! What is wrong with one object by itself: against its schema, and against rules that no schema tells.

mod addon;
mod ambiguous;
mod builtin;
mod core;
mod integer;
mod metadata;
mod object;
mod placement;
mod reading;
mod schema;
mod selector;
mod strategy;
mod template;
mod wording;

pub(super) use ambiguous::check as ambiguous;
pub(super) use object::check;
pub(super) use strategy::strategies;
