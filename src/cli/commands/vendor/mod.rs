//! `tidegate vendor`: copies what declarations name elsewhere into the repository, or checks the copies.

mod applications;
mod change;
mod charts;
mod check;
mod fetch;
mod fetcher;
mod files;
mod needs;
mod objects;
mod reach;
mod report;
mod run;
mod state;
mod update;
mod vela;

pub(super) use reach::is_vendored;
pub(crate) use run::run;
