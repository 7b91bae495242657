//! `tidegate validate`: what is wrong with a directory of declarations, and what would be right, for people and for programs.

mod finding;
mod github;
mod gitlab;
mod lines;
mod picture;
mod run;
mod sarif;

pub use run::run;
