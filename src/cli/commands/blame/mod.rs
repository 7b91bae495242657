//! `tidegate blame`: the file and line in which a value of an object was written, and what changed it on the way.

mod cluster;
mod commits;
mod object;
mod pointer;
mod run;
mod stop;

pub(crate) use run::run;
