//! Commits a change on the tip of the followed branch, and pushes it. If someone else was faster, the change is made again on the new
//! tip.

use super::commit::NewCommit;
use super::place::Place;
use super::push::Pushed;
use crate::cli::failure::Failure;
use tidegate_git::Reference;
use tidegate_model::revision::CommitId;
use tidegate_model::tree::Tree;

/// How often a change is made again. A branch that moves more often than that is not moved by people.
const ATTEMPTS: usize = 10;

/// Where a commit goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// To the followed branch.
    Followed,
    /// To a new branch of the remote, for a pull request.
    Branch(String),
    /// To a new local branch.
    Local(String),
}

/// A commit that was made.
#[derive(Debug)]
pub(crate) struct Delivered {
    /// The commit.
    pub commit: CommitId,
    /// Whether it is signed.
    pub is_signed: bool,
}

/// Makes a change of the followed branch. `change` receives the tip and its files, and returns the commit; `None` if nothing changes.
///
/// # Errors
/// Those of `change`; [`Failure::Usage`] if a new branch exists already, and as for pushes.
pub(crate) fn deliver(
    place: &Place,
    target: &Target,
    mut change: impl FnMut(&CommitId, &Tree) -> Result<Option<NewCommit>, Failure>,
) -> Result<Option<Delivered>, Failure> {
    check(place, target)?;
    for _ in 0..ATTEMPTS {
        let tip = place.tip()?;
        let Some(new) = change(&tip, &place.tree(&tip)?)? else { return Ok(None) };
        let (commit, is_signed) = place.commit(&tip, &new)?;
        let exists =
            |name: &str| Failure::Usage(format!("there is a branch {name} already; name a new one with --branch"));
        match target {
            Target::Followed if place.push(&commit, &place.branch, false)? == Pushed::Moved => continue,
            Target::Branch(name) if place.push(&commit, name, true)? == Pushed::Moved => return Err(exists(name)),
            Target::Local(name) if !place.keep(&commit, name)? => return Err(exists(name)),
            Target::Followed | Target::Branch(_) | Target::Local(_) => {}
        }
        return Ok(Some(Delivered { commit, is_signed }));
    }
    Err(Failure::Unfinished(format!(
        "branch {} of {} moved {ATTEMPTS} times while the commit was made; run the command again",
        place.branch,
        place.shown()
    )))
}

fn check(place: &Place, target: &Target) -> Result<(), Failure> {
    let name = match target {
        Target::Followed => return Ok(()),
        Target::Branch(name) | Target::Local(name) => name,
    };
    let is_branch = matches!(name.parse(), Ok(Reference::Branch(found) | Reference::Named(found)) if found == *name);
    if !is_branch || name.starts_with('-') {
        return Err(Failure::Usage(format!(
            "--branch {name:?} is not the name of a branch; write one such as tidegate/pause"
        )));
    }
    if *name == place.branch {
        return Err(Failure::Usage(format!(
            "--branch {name} is the followed branch; leave the option out to push to it"
        )));
    }
    if matches!(target, Target::Local(_)) && !place.is_kept() {
        return Err(Failure::Usage(
            "--no-push leaves the commit in a repository on this machine; name a clone with --source".to_owned(),
        ));
    }
    Ok(())
}
