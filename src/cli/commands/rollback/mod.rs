//! `tidegate rollback`: commits the files of an add-on as they were at an earlier rollout.

mod run;
mod target;

pub(crate) use run::run;
