//! Forges, compared with the answers that their documentation and their code show.

mod app;
mod commits;
mod failures;
mod gitea;
mod github;
mod gitlab;
mod merges;
mod recorded;
mod repository;
mod support;
mod webhooks;
