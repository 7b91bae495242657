//! The settings of the edge to the forge.

use std::time::Duration;

use tidegate_forge::Forge;
use tidegate_model::forge::Pull;

/// The settings of the edge to the forge.
#[derive(Debug, Clone)]
pub struct ForgeConfig {
    /// The forge, and the project on it.
    pub forge: Forge,
    /// The project, such as `platform/fleet`.
    pub project: String,
    /// How often the forge is looked at.
    pub poll: Duration,
    /// Whether comments may contain approvals.
    pub commands: bool,
    /// What is reported to the forge.
    pub publish: Publish,
}

/// What is reported to the forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publish {
    /// Whether pull requests get a comment with their plan.
    pub comments: bool,
    /// How the plan and the approvals of a pull request are shown at its commits.
    pub checks: Checks,
    /// Whether the commit that a rollout comes from gets a status for each add-on.
    pub statuses: bool,
    /// Whether deployments are recorded, where the forge has them.
    pub deployments: bool,
    /// Whether pull requests from other projects are planned.
    pub forks: bool,
    /// Whether drafts are planned.
    pub drafts: bool,
    /// Whether pull requests are opened that ask for approvals.
    pub gates: bool,
    /// The page of the journal's files, without a slash at the end.
    pub link: Option<String>,
}

/// How the plan and the approvals of a pull request are shown at its commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// As statuses of commits.
    Statuses,
    /// As check runs, which only GitHub Apps can write.
    CheckRuns,
    /// Not at all.
    Off,
}

impl Publish {
    /// Returns `true` if a pull request is planned. The files of others are not read before they are merged: anyone may open one from a fork.
    pub(super) fn plans(&self, pull: &Pull) -> bool {
        (self.forks || !pull.is_fork) && (self.drafts || !pull.is_draft)
    }

    /// Returns the link to a file of the journal.
    pub(super) fn link(&self, path: &str) -> Option<String> {
        self.link.as_ref().map(|link| format!("{link}/{path}"))
    }
}
