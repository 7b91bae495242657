//! `tidegate plan` and `tidegate rehearse`: what a change will do to the fleet, before it is merged.

mod change;
mod fleet;
mod past;
pub(crate) mod rehearse;
mod run;
mod sides;

pub(crate) use rehearse::rehearsal;
pub(crate) use run::{markdown_of, run, show};
