//! Whole rollouts in virtual time, with a fleet that behaves like a real one, judged by the checker and by their final
//! state.

mod ahead;
mod applications;
mod at_rest;
mod batches;
mod causes;
mod conditions;
mod contested;
mod data;
mod departures;
mod generate;
mod given_up;
mod guarded;
mod guards;
mod handover;
mod late;
mod manager;
mod moved;
mod ordered;
mod per_cluster;
mod properties;
mod recorded;
mod scheduler;
pub(crate) mod servers;
mod steps;
mod takeover;
pub(crate) mod world;
