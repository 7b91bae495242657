//! The APIs of GitHub, GitLab, Gitea and Forgejo: pull requests, reviews, comments, statuses and deployments.
//!
//! [`Forge`] reports facts in the terms of `tidegate_model::forge`, and publishes what its caller decides. It judges nothing.

mod auth;
mod client;
mod error;
mod forge;
mod gitea;
mod github;
mod gitlab;
mod publish;
mod settings;
mod values;
mod wire;

pub use error::{Error, Result};
pub use forge::Forge;
pub use settings::{Auth, Clock, Settings, WRITE_GAP};
pub use values::{
    Access, Annotation, Answer, CheckRun, Comment, CommitAuthor, CommitStatus, Deployment, FoundDeployment, Known,
    Level, Limits, ListedCommit, ListedCommits, NewPull, Protection, Role, State,
};
pub use wire::{NoAnswer, Transport, Usage};
