//! The daemon as a whole: a real bare repository, the sandbox as hub, simulated clusters.

mod checked;
mod faults;
mod journal;
mod mirror;
mod rewind;
mod rollouts;
mod soak;
mod storm;
mod trust;
mod world;

pub(crate) use world::git_in;
