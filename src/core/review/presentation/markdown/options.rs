//! What a comment depends on besides the plan.

/// What a comment depends on besides the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The most characters of the comment, as forges count them: Unicode code points.
    pub budget: usize,
    /// The repository, such as `platform/fleet`. It makes the first line unique, by which the comment is found again.
    pub repository: Option<String>,
    /// The number of the pull request.
    pub pull_request: Option<u64>,
    /// The `https` URL of the full plan.
    pub full_plan: Option<String>,
}

impl Options {
    /// The budget for GitHub, which accepts 65,536 characters in a comment. The rest is for what a pipeline adds.
    pub const GITHUB: usize = 60_000;
    /// The budget for GitLab, Gitea and Forgejo, which accept more than people read.
    pub const OTHERS: usize = 200_000;
}

impl Default for Options {
    fn default() -> Self {
        Self { budget: Self::GITHUB, repository: None, pull_request: None, full_plan: None }
    }
}
