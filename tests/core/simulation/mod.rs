//! Whole rollouts in virtual time, with a fleet that does what fleets do, judged by the checker and by where they end.

mod agents;
mod departures;
mod generate;
pub(crate) mod hub;
mod late;
mod properties;
pub(crate) mod revision;
mod world;
