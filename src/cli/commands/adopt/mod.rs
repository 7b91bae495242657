//! `tidegate adopt`: turns the add-ons of a running hub into a config repository.

mod report;
mod run;

pub(crate) use run::run;
