//! The stand-in of OCM's add-on manager.

mod control;
mod own;
mod process;
mod removal;
mod setup;
