//! Deployments, and what is to be created on a forge.

use tidegate_model::revision::CommitId;

use super::status::State;

/// A deployment that is to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// The commit that is deployed.
    pub commit: CommitId,
    /// The branch that it is on. GitLab needs it.
    pub branch: String,
    /// The environment, such as `istio/rest`. The forge creates it if necessary.
    pub environment: String,
    /// What is done, such as `tidegate`. GitLab has no place for it.
    pub task: String,
    /// Data for other programs. GitLab has no place for it.
    pub payload: serde_json::Value,
    /// A short text. GitLab has no place for it.
    pub description: String,
}

/// A deployment that exists.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDeployment {
    /// Its ID.
    pub id: u64,
    /// The commit that is deployed.
    pub commit: CommitId,
    /// Data for other programs; null on GitLab.
    pub payload: serde_json::Value,
    /// Its state; `None` if it has none yet.
    pub state: Option<State>,
    /// Whether another one took its place.
    pub is_replaced: bool,
}

/// A pull request that is to be opened. Its branches are in the project itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPull {
    /// Its title.
    pub title: String,
    /// Its description, in Markdown.
    pub body: String,
    /// The branch with the change, without `refs/heads/`.
    pub head_branch: String,
    /// The branch that it is to be merged into, without `refs/heads/`.
    pub base_branch: String,
}
