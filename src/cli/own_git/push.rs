//! Pushes a commit to a branch, and distinguishes a lost race from a refusal.

use super::place::Place;
use crate::cli::failure::Failure;
use tidegate_model::line::brief;
use tidegate_model::revision::CommitId;

/// How a push ended, if it reached the remote.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pushed {
    /// The branch is at the commit.
    Done,
    /// The branch has moved, or a new branch exists already.
    Moved,
}

/// What a remote says if another push was faster.
const RACES: [&str; 8] = [
    "fetch first",
    "non-fast-forward",
    "stale info",
    "already exists",
    "failed to update ref",
    "cannot lock ref",
    "failed to lock",
    "incorrect old value",
];

impl Place {
    /// Removes a branch of the remote, if it is still at a commit.
    ///
    /// # Errors
    /// [`Failure::Unfinished`] if it stays.
    pub(crate) fn remove(&self, branch: &str, at: &CommitId) -> Result<(), Failure> {
        let lease = format!("--force-with-lease=refs/heads/{branch}:{at}");
        let refspec = format!(":refs/heads/{branch}");
        let ran = self.git.run(&["push", "--quiet", "--no-verify", &lease, "--", self.remote.name(), &refspec])?;
        let stays = || Failure::Unfinished(format!("branch {branch} cannot be removed: {}", ran.complaint()));
        if ran.is_success { Ok(()) } else { Err(stays()) }
    }

    /// Pushes a commit to a branch, which must not exist if `is_new`. Commits are never dropped.
    ///
    /// # Errors
    /// [`Failure::Unfinished`] if the remote refuses the push, [`Failure::Unreachable`] if it cannot be reached.
    pub(super) fn push(&self, commit: &CommitId, branch: &str, is_new: bool) -> Result<Pushed, Failure> {
        let refspec = format!("{commit}:refs/heads/{branch}");
        let lease = format!("--force-with-lease=refs/heads/{branch}:");
        // The hooks of the user are about the work tree, which is not what is pushed.
        let mut arguments = vec!["push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no"];
        arguments.extend(is_new.then_some(lease.as_str()));
        arguments.extend(["--", self.remote.name(), &refspec]);
        let ran = self.git.run(&arguments)?;
        if ran.is_success {
            // Two equal commits of the same second have the same id, so that git has nothing to push.
            let is_there = is_new && ran.output.lines().any(|line| line.starts_with("=\t"));
            return Ok(if is_there { Pushed::Moved } else { Pushed::Done });
        }
        let refused = ran.output.lines().find_map(|line| line.strip_prefix("!\t"));
        let Some(refused) = refused.and_then(|line| line.split('\t').nth(1)) else {
            return Err(Failure::Unreachable {
                message: format!("the commit cannot be pushed to {}: {}", self.shown(), ran.complaint()),
                hint: "check the network and your access; nothing has changed, so the same command can be repeated"
                    .to_owned(),
            });
        };
        if RACES.iter().any(|race| refused.contains(race)) {
            return Ok(Pushed::Moved);
        }
        let remedy = if is_new {
            "ask who may push there"
        } else {
            "push a branch for a pull request with --branch NAME, or ask who may push there"
        };
        Err(Failure::Unfinished(format!(
            "{} refused the push to {branch}: {} ({}); {remedy}",
            self.shown(),
            brief(refused, 200),
            ran.complaint()
        )))
    }

    /// Creates a local branch at a commit. Returns `false` if it exists.
    pub(super) fn keep(&self, commit: &CommitId, branch: &str) -> Result<bool, Failure> {
        let name = format!("refs/heads/{branch}");
        if self.git.ask(&["rev-parse", "--verify", "--quiet", &name])?.is_some() {
            return Ok(false);
        }
        // The empty string means that the branch must not exist.
        self.git.run(&["update-ref", &name, commit.as_str(), ""])?.expect("create the branch")?;
        Ok(true)
    }
}
