//! The forge on which changes are reviewed, and what its token may do.

use tidegate_model::forge::{Account, ForgeKind};

use super::Trouble;

/// A fact, or why the forge does not show it.
pub type Shown<T> = Result<T, String>;

/// The forge that the configuration names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forge {
    /// The configuration names none.
    None,
    /// It cannot be used.
    Unusable(Trouble),
    /// It answers.
    Answers(Box<Answers>),
}

/// What the forge answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// The API of the forge.
    pub kind: ForgeKind,
    /// The project, such as `platform/fleet`.
    pub project: String,
    /// Its version; `None` for one that has no versions, such as github.com.
    pub version: Shown<Option<String>>,
    /// Whether requests are made by a GitHub App.
    pub is_app: bool,
    /// The account of the token.
    pub account: Shown<Account>,
    /// The scopes or permissions of the token, in the words of the forge.
    pub scopes: Shown<Vec<String>>,
    /// Whether the token sees the project.
    pub sees_project: Shown<bool>,
    /// Whether the account may push to the project.
    pub may_push: Shown<bool>,
    /// Whether the account administers the project.
    pub is_admin: Shown<bool>,
    /// What Tidegate is to write there.
    pub writes: Writes,
    /// The branches; empty if the project cannot be used.
    pub branches: Vec<Branch>,
    /// The teams and roles that rules for approvals name, and whether the token can read each of them.
    pub names: Vec<(String, Shown<()>)>,
    /// How often the forge is looked at, in seconds.
    pub poll: u64,
    /// Whether webhooks are received, so that most reviews are seen at once.
    pub has_webhook: bool,
}

/// What Tidegate is to write to the forge: `[forge.publish]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writes {
    /// Comments on pull requests.
    pub comments: bool,
    /// The checks `tidegate/plan` and `tidegate/approvals`.
    pub checks: bool,
    /// `tidegate/plan` as a check run.
    pub check_runs: bool,
    /// Commit statuses: those of checks, or those of rollouts.
    pub statuses: bool,
    /// Deployments.
    pub deployments: bool,
    /// Pull requests that ask for approvals.
    pub requests: bool,
}

/// A branch of the project, and who may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Whether rules protect it.
    pub is_protected: Shown<bool>,
    /// Who may push to it without a pull request, in the words of the forge.
    pub pushers: Shown<Vec<String>>,
    /// The contexts of the statuses that a merge needs.
    pub required: Shown<Vec<String>>,
    /// Whether approvals are dismissed when commits are added.
    pub dismisses_stale: Shown<bool>,
}

/// What a branch is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is the followed branch.
    Followed,
    /// It has the journal.
    Journal,
}
