//! `tidegate blame`: the file and line in which a value of a rendered object was written, and what changed it on the way.

mod commits;
mod object;
mod run;

pub(crate) use run::run;
