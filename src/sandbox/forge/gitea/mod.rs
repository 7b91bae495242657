//! The API of Gitea and Forgejo.

mod answers;
mod json;
mod people;
mod pulls;
mod reviews;
mod routes;
mod writes;

pub(crate) use answers::error;
pub(crate) use routes::answer;
