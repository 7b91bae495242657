//! The API of GitHub.

mod answers;
mod app;
mod deployments;
mod events;
mod json;
mod people;
mod pulls;
mod reviews;
mod routes;
mod statuses;

pub(crate) use app::{answer as answer_app, is_for_app};
pub(crate) use events::payload;
pub(crate) use routes::{answer, bad_token};
