//! `tidegate vendor`, with real Git and HTTP servers on this machine, and a script in place of helm.

mod check;
mod components;
mod errors;
mod interrupted;
mod runs;
mod strangers;
mod update;
mod vela;
mod world;

pub(crate) use world::World;
