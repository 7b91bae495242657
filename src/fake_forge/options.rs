//! How a forge is set up, and in which of the allowed ways it behaves.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tidegate_model::time::Timestamp;

/// The clock of a forge.
pub(crate) type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How a forge is set up.
#[derive(Clone)]
pub struct Options {
    /// An empty directory for the repositories.
    pub directory: PathBuf,
    /// The owner and the name of the project, such as `platform/fleet`.
    pub project: String,
    /// The default branch.
    pub default_branch: String,
    /// Whether only members of the project may read it.
    pub is_private: bool,
    /// The protection of the default branch.
    pub protection: Protection,
    /// How the forge behaves where forges differ.
    pub behavior: Behavior,
    /// Where events are sent.
    pub webhook: Option<Webhook>,
    pub(crate) clock: Clock,
}

/// The protection of a branch.
#[derive(Debug, Clone, Default)]
pub struct Protection {
    /// The number of approvals that a merge needs.
    pub required_approvals: u64,
    /// Whether a push of other contents dismisses the approvals.
    pub dismisses_stale: bool,
    /// The contexts of the statuses that a merge needs.
    pub required_contexts: Vec<String>,
    /// Whether the author may approve; only on GitLab.
    pub author_may_approve: bool,
}

/// How the forge behaves, where versions or circumstances differ.
#[derive(Debug, Clone)]
pub struct Behavior {
    /// Whether the first answer after a push does not contain whether the pull request can be merged; only on GitHub.
    pub computes_mergeable: bool,
    /// Whether the commits of reviews are gone; only on GitHub.
    pub loses_commits: bool,
    /// Whether approvals contain their time; only on GitLab.
    pub has_approval_times: bool,
    /// Whether `/commits/{sha}/pull` exists; only on Gitea.
    pub has_commit_pull: bool,
    /// Whether the list of pull requests can be filtered by base branch, which Forgejo cannot; only on Gitea.
    pub filters_base: bool,
    /// Whether an unknown commit in a status is an internal error; only on Gitea.
    pub fails_on_unknown_commits: bool,
    /// Whether the forge has the features of a paid edition; only on GitLab.
    pub is_paid: bool,
    /// The largest number of statuses with the same commit and context; only on GitHub.
    pub max_statuses: usize,
    /// The largest page, if it is smaller than the forge's own limit.
    pub page_limit: Option<usize>,
    /// Whether a deleted account is replaced by null in answers, and not by the account of a ghost; only on Gitea.
    pub hides_ghosts: bool,
}

/// Where events are sent, and how the forge proves that it is the sender.
#[derive(Debug, Clone, Default)]
pub struct Webhook {
    /// The address; only `http`.
    pub url: String,
    /// The secret. Without one, Gitea sends empty signatures, and the others none.
    pub secret: Option<String>,
    /// The key of `webhook-signature`, in the form `whsec_<base64>`; only on GitLab.
    pub signing_key: Option<String>,
}

impl Options {
    /// Returns the options of a public project `platform/fleet` with the branch `main`.
    pub fn new(directory: impl Into<PathBuf>, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self {
            directory: directory.into(),
            project: "platform/fleet".to_owned(),
            default_branch: "main".to_owned(),
            is_private: false,
            protection: Protection::default(),
            behavior: Behavior::default(),
            webhook: None,
            clock: Arc::new(clock),
        }
    }
}

impl Default for Behavior {
    fn default() -> Self {
        Self {
            computes_mergeable: true,
            loses_commits: false,
            has_approval_times: true,
            has_commit_pull: true,
            filters_base: true,
            fails_on_unknown_commits: false,
            is_paid: false,
            max_statuses: 1000,
            page_limit: None,
            hides_ghosts: true,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("directory", &self.directory)
            .field("project", &self.project)
            .field("behavior", &self.behavior)
            .finish_non_exhaustive()
    }
}
