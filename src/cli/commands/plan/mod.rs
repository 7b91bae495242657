//! `tidegate plan`: what a change will do to the fleet, before it is merged.

mod fleet;
mod past;
mod run;
mod sides;

pub(crate) use run::run;
