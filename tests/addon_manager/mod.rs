//! The stand-in of OCM's add-on manager.

mod control;
mod own;
mod process;
mod registration;
mod removal;
mod replay;
mod setup;
mod summary;
mod watched;
