//! Forges for tests and demos: GitHub, GitLab and Gitea with one project, on a loopback port.
//!
//! The repository is real: git serves it over HTTP, and merges pull requests. Everything else is in memory. The answers follow the
//! documentation and the code of the forges, including the ways in which they differ.
//!
//! From the bottom up: `git` runs git, `state` has the records, `instance` is a forge with both, `act` does what all forges can do,
//! `traffic` has the log, the limit and the failures, `request` is what an API gets, `github`, `gitlab` and `gitea` are the APIs,
//! `webhooks` sends messages, `service` answers over HTTP or in process, and [`ForgeSandbox`] is the handle.
//!
//! ```
//! use tidegate_model::forge::ForgeKind;
//! use tidegate_model::time::Timestamp;
//! use tidegate_fake_forge::{ForgeSandbox, Options, Role};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let directory = std::env::temp_dir().join(format!("tidegate-forge-{}", std::process::id()));
//! let forge = ForgeSandbox::start(ForgeKind::Gitea, Options::new(&directory, || Timestamp::UNIX_EPOCH)).await?;
//! forge.add_account("ada", Role::Admin);
//! // A client uses `forge.url()` with `forge.token_of("ada")`, and git uses `forge.git_url()`.
//! assert!(forge.git_url().ends_with("/platform/fleet.git"));
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod act;
mod git;
mod gitea;
mod github;
mod gitlab;
mod handle;
mod instance;
mod log;
mod options;
mod request;
mod service;
mod state;
mod traffic;
mod webhooks;

pub use git::{GitError, Method};
pub use handle::{ForgeError, ForgeSandbox};
pub use options::{Behavior, Options, Protection, Webhook};
pub use service::HungUp;
pub use state::{
    CheckRunRecord, CommentRecord, DeploymentRecord, DeploymentState, PullRecord, PullStatus, ReviewRecord, Role,
    Scope, StatusRecord, Verdict, VersionRecord,
};
pub use traffic::{Fault, Gate, Matcher, RateLimit, RequestRecord};
pub use webhooks::DeliveryRecord;
