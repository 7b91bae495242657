//! The API of Gitea and Forgejo.

mod answers;
mod events;
mod json;
mod people;
mod pulls;
mod reviews;
mod routes;
mod writes;

pub(crate) use answers::error;
pub(crate) use events::payload;
pub(crate) use routes::answer;
