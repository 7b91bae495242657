//! The daemon as a whole: a real bare repository, the sandbox as hub, simulated clusters.

mod checked;
mod drift;
mod events;
mod faults;
mod journal;
mod legacy;
mod owners;
mod removal;
mod rollouts;
mod soak;
mod storm;
mod trust;
mod world;
