//! `tidegate doctor`: collects what the checks look at, and prints their results.

mod forge;
mod git;
mod hub;
mod notification;
mod objects;
pub(super) mod request;
mod reviews;
mod run;
mod trouble;

pub(crate) use run::run;
