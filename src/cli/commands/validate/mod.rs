//! `tidegate validate`: reports what is wrong in a directory of declarations and how to fix it, for people and for programs.

mod agent_permissions;
mod finding;
mod github;
mod gitlab;
mod hub_permissions;
mod lines;
mod run;
mod sarif;
mod snippet;

pub(crate) use run::run;
