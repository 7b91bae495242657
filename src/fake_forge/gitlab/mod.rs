//! The API of GitLab.

mod answers;
mod approvals;
mod deployments;
mod events;
mod json;
mod merge_requests;
mod notes;
mod people;
mod routes;
mod statuses;

pub(crate) use events::payload;
pub(crate) use routes::{answer, bad_token};
