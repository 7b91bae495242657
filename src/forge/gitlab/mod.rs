//! The API of GitLab, version 4.
//!
//! # Source
//! gitlabhq `lib/api`, `doc/api` and `app/services/ci/create_commit_status_service.rb`.

mod access;
mod comments;
mod deployments;
mod gitlab;
mod members;
mod merge_requests;
mod objects;
mod opinions;
mod protection;
mod statuses;

pub(crate) use gitlab::GitLab;
