//! The API of GitLab, version 4.
//!
//! # Source
//! gitlabhq `lib/api`, `doc/api` and `app/services/ci/create_commit_status_service.rb`.

mod access;
mod comments;
mod deployments;
mod members;
mod merge_requests;
mod objects;
mod opinions;
mod project;
mod protection;
mod statuses;

pub(crate) use project::GitLab;
