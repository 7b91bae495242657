//! Forges for tests and demos: GitHub, GitLab and Gitea with one project, on a loopback port.
//!
//! The repository is real: git serves it over HTTP, and merges pull requests. Everything else is in memory. The answers follow the
//! documentation and the code of the forges, including the ways in which they differ.
//!
//! From the bottom up: `git` runs git, `state` has the records, `instance` is a forge with both, `act` does what all forges can do,
//! `github`, `gitlab` and `gitea` are their APIs, `dispatch` and `server` speak HTTP, and [`ForgeSandbox`] is the handle.

mod access;
mod act;
mod call;
mod dispatch;
mod error;
mod exchange;
mod faults;
mod git;
mod gitea;
mod github;
mod gitlab;
mod handle;
mod instance;
mod limits;
mod log;
mod options;
mod paging;
mod people;
mod scenario;
mod server;
mod shared;
mod state;
mod webhooks;

pub use error::ForgeError;
pub use faults::{Fault, Gate, Matcher};
pub use git::{GitError, Method};
pub use handle::ForgeSandbox;
pub use limits::RateLimit;
pub use log::RequestRecord;
pub use options::{Behavior, Options, Protection, Webhook};
pub use state::{
    CheckRunRecord, CommentRecord, DeploymentRecord, DeploymentState, PullRecord, PullStatus, ReviewRecord, Role,
    Scope, StatusRecord, Verdict, VersionRecord,
};
pub use webhooks::DeliveryRecord;
