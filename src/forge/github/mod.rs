//! The API of GitHub and GitHub Enterprise Server, version 2022-11-28.
//!
//! # Source
//! github/rest-api-description.

mod access;
mod checks;
mod comments;
mod deployments;
mod members;
mod objects;
mod opinions;
mod project;
mod protection;
mod pulls;
mod statuses;

pub(crate) use project::GitHub;
