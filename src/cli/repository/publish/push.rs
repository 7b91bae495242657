//! Commits a change on the tip of a branch and pushes it, again if another push was faster.

use std::collections::BTreeMap;

use super::clone::Clone;
use crate::cli::failure::Failure;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// Maximum number of pushes that may lose the race against another one.
const MAX_ATTEMPTS: usize = 8;

/// Whether the commit is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signing {
    /// It must be. Without a key, nothing is pushed.
    Required,
    /// It is if the user's configuration has `commit.gpgsign`.
    AsConfigured,
}

/// Where the commit goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where<'a> {
    /// To the branch that it is based on.
    Branch,
    /// To a new branch of the remote, for a pull request.
    New(&'a str),
    /// Nowhere: the clone keeps it, and no branch of the remote moves.
    Nowhere,
}

/// What to publish.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The branch that the commit is based on.
    pub(crate) branch: &'a str,
    /// Where the commit goes.
    pub(crate) to: Where<'a>,
    /// Whether it is signed.
    pub(crate) signing: Signing,
}

/// The tip of a branch of the remote.
#[derive(Debug)]
pub(crate) struct Tip {
    /// The commit.
    pub(crate) commit: CommitId,
    /// All of its files.
    pub(crate) tree: Tree,
}

/// A change of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// The changed files, by path: the new content, or `None` to remove the file.
    pub(crate) files: BTreeMap<String, Option<Vec<u8>>>,
    /// The message of the commit: a subject, and usually an empty line and a body.
    pub(crate) message: String,
}

/// The result of publishing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Published {
    /// Every file is already as it should be, so nothing was committed.
    Unchanged,
    /// The commit was made, and pushed unless it goes nowhere.
    Commit {
        /// The commit.
        commit: CommitId,
        /// The branch that it was pushed to; `None` if it was not pushed.
        branch: Option<String>,
    },
}

/// Makes a change on the tip of a branch of the remote. If another push was faster, the change is made again on the new tip.
///
/// `edit` receives the tip and returns the change. An edit that changes nothing is not committed. Blocks.
///
/// # Errors
/// [`Failure::Usage`] if there is no such branch, or if Git refuses to commit or to push; [`Failure::Unreachable`] if the remote
/// cannot be read; the error of `edit`.
pub(crate) fn publish(
    clone: &Clone,
    request: &Request<'_>,
    edit: &mut dyn FnMut(&Tip) -> Result<Edit, Failure>,
) -> Result<Published, Failure> {
    let target = target(clone, request)?;
    let mut tip = clone.tip(request.branch)?;
    for _ in 0..MAX_ATTEMPTS {
        let commit = tip.ok_or_else(|| no_branch(clone, request.branch))?;
        let tree = clone.objects.tree(&commit, "").map_err(|error| {
            Failure::Usage(format!("commit {} cannot be read: {}", commit.short(), ErrorChain(&error)))
        })?;
        let base = Tip { commit, tree };
        let Edit { mut files, message } = edit(&base)?;
        files.retain(|path, content| base.tree.files.get(path) != content.as_ref());
        if files.is_empty() {
            return Ok(Published::Unchanged);
        }
        let made = clone.commit(&base, &files, &message, request)?;
        let Some(branch) = &target else { return Ok(Published::Commit { commit: made, branch: None }) };
        let refused = push(clone, &made, branch, (request.to == Where::Branch).then_some(&base.commit))?;
        let Some(why) = refused else { return Ok(Published::Commit { commit: made, branch: target }) };
        tip = clone.tip(request.branch)?;
        let is_done = clone.tip(branch)?.as_ref() == Some(&made);
        if is_done {
            return Ok(Published::Commit { commit: made, branch: target });
        }
        if request.to != Where::Branch || tip.as_ref() == Some(&base.commit) {
            return Err(refusal(clone, branch, request, &why));
        }
    }
    Err(Failure::Unfinished(format!(
        "the branch {} of {} moved {MAX_ATTEMPTS} times during the push; run the command again",
        request.branch,
        clone.remote()
    )))
}

/// Returns the branch to push to.
fn target(clone: &Clone, request: &Request<'_>) -> Result<Option<String>, Failure> {
    let name = match request.to {
        Where::Branch => request.branch,
        Where::New(name) => name,
        Where::Nowhere if clone.is_temporary() => {
            let message = "a commit that is not pushed needs a clone to keep it in; run the command in one";
            return Err(Failure::Usage(message.to_owned()));
        }
        Where::Nowhere => return Ok(None),
    };
    for name in [request.branch, name] {
        if !clone.git.output(&["check-ref-format", &format!("refs/heads/{name}")])?.is_success {
            return Err(Failure::Usage(format!("{name:?} is not the name of a branch")));
        }
    }
    Ok(Some(name.to_owned()))
}

/// Pushes a commit to a branch that is at the expected commit, or does not exist. Returns why it was refused.
fn push(clone: &Clone, commit: &CommitId, branch: &str, expect: Option<&CommitId>) -> Result<Option<String>, Failure> {
    let expect = expect.map_or("", CommitId::as_str);
    let lease = format!("--force-with-lease=refs/heads/{branch}:{expect}");
    let moves = format!("{commit}:refs/heads/{branch}");
    let pushed = clone.git.output(&["push", "--quiet", "--no-follow-tags", &lease, "--", clone.remote(), &moves])?;
    Ok((!pushed.is_success).then_some(pushed.message))
}

fn no_branch(clone: &Clone, branch: &str) -> Failure {
    Failure::Usage(format!("{} has no branch {branch}; name the followed branch with --ref", clone.remote()))
}

fn refusal(clone: &Clone, branch: &str, request: &Request<'_>, why: &str) -> Failure {
    let hint = match request.to {
        Where::New(_) => "if the branch exists, choose another name or delete it",
        _ => "if the branch is protected, push another branch with --branch, and open a pull request",
    };
    Failure::Usage(format!("{} refused the push to {branch}: {why}; {hint}", clone.remote()))
}
