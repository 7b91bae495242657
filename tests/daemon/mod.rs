//! The daemon as a whole: a real bare repository, the sandbox as hub, simulated clusters.

mod checked;
mod companion;
mod drift;
mod events;
mod faults;
mod journal;
mod legacy;
mod mirror;
mod owners;
mod removal;
mod rewind;
mod rollouts;
mod soak;
mod storm;
mod trust;
mod world;

pub(crate) use world::git_in;
