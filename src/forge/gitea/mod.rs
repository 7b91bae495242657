//! The API of Gitea and Forgejo, version 1.
//!
//! # Source
//! go-gitea/gitea `routers/api/v1`, `modules/structs` and `services/convert` (2025), and Forgejo 15.

mod access;
mod comments;
mod members;
mod objects;
mod opinions;
mod project;
mod protection;
mod pulls;
mod statuses;

pub(crate) use project::Gitea;
