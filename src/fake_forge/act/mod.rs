//! What can be done on each forge: pull requests, reviews, merges and comments.

mod comments;
mod merges;
mod pulls;
mod refusal;
mod reviews;

pub(crate) use pulls::NewPull;
pub(crate) use refusal::Refusal;
