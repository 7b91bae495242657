//! What clients write: comments, statuses, check runs and deployments.

use serde_json::Value;
use tidegate_model::time::Timestamp;

/// A comment on a pull request, which GitLab calls a note.
#[derive(Debug, Clone)]
pub struct CommentRecord {
    /// Its number.
    pub id: u64,
    /// The number of the pull request.
    pub pull: u64,
    /// The number of the account.
    pub by: u64,
    /// The text.
    pub body: String,
    /// When it was written.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
}

/// A push to a branch.
#[derive(Debug, Clone)]
pub(crate) struct PushRecord {
    /// Its number.
    pub(crate) id: u64,
    /// The branch.
    pub(crate) branch: String,
    /// The commit of the branch after it.
    pub(crate) commit: String,
    /// The number of the account.
    pub(crate) by: u64,
    /// When.
    pub(crate) at: Timestamp,
}

/// A status of a commit.
#[derive(Debug, Clone)]
pub struct StatusRecord {
    /// Its number.
    pub id: u64,
    /// The commit.
    pub commit: String,
    /// The context, which GitLab calls the name.
    pub context: String,
    /// The state, in the forge's words.
    pub state: String,
    /// The description; absent if none was given.
    pub description: Option<String>,
    /// The address of the details; absent if none was given.
    pub target: Option<String>,
    /// The number of the account.
    pub by: u64,
    /// When it was written.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
    /// The branch; only on GitLab.
    pub branch: String,
    /// The pipeline; only on GitLab.
    pub pipeline: u64,
}

/// A check run of a GitHub App.
#[derive(Debug, Clone)]
pub struct CheckRunRecord {
    /// Its number.
    pub id: u64,
    /// The commit.
    pub commit: String,
    /// The fields that the client wrote.
    pub fields: Value,
    /// How many annotations were written.
    pub annotations: usize,
    /// When it was created.
    pub created: Timestamp,
}

/// A deployment.
#[derive(Debug, Clone)]
pub struct DeploymentRecord {
    /// Its number.
    pub id: u64,
    /// The commit.
    pub commit: String,
    /// The branch, tag or commit that the client named.
    pub reference: String,
    /// The environment.
    pub environment: String,
    /// The task; only on GitHub.
    pub task: String,
    /// The description; only on GitHub.
    pub description: String,
    /// The payload; only on GitHub.
    pub payload: Value,
    /// Whether the environment is removed at some time; only on GitHub.
    pub is_transient: bool,
    /// Whether users work with the environment; only on GitHub.
    pub is_production: bool,
    /// The number of the account.
    pub by: u64,
    /// When it was created.
    pub created: Timestamp,
    /// Its states, oldest first. GitLab has only the last.
    pub states: Vec<DeploymentState>,
}

/// A state of a deployment.
#[derive(Debug, Clone)]
pub struct DeploymentState {
    /// Its number.
    pub id: u64,
    /// The state, in the forge's words.
    pub state: String,
    /// The description.
    pub description: String,
    /// The address of the log.
    pub log: String,
    /// The number of the account.
    pub by: u64,
    /// When it was written.
    pub at: Timestamp,
}

impl DeploymentRecord {
    /// Returns the newest state.
    pub fn state(&self) -> &str {
        self.states.last().map_or("", |state| &state.state)
    }
}
