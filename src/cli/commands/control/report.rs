//! What a command reports about its commit.

use crate::cli::own_git::{Delivered, Place, Target};

/// Returns what was committed, and where it is.
pub(crate) fn delivered(place: &Place, target: &Target, subject: &str, delivered: &Delivered) -> String {
    let signed = if delivered.is_signed { ", signed" } else { "" };
    let (commit, repository) = (delivered.commit.short(), place.shown());
    let place = match target {
        Target::Followed => format!("pushed to {} of {repository}", place.branch),
        Target::Branch(name) => format!("pushed to the new branch {name} of {repository}"),
        Target::Local(name) => format!("on the new local branch {name}, and not pushed"),
    };
    format!("commit {commit} \"{subject}\"{signed}\n{place}\n")
}

/// Returns when the daemon acts on a commit.
pub(crate) fn acts(place: &Place, target: &Target) -> String {
    let branch = &place.branch;
    match target {
        Target::Followed => "The daemon acts when it polls Git next: at once if a webhook notifies it or the repository is on its machine, \
                             otherwise within its --poll (10s if not set).\n"
            .to_owned(),
        Target::Branch(name) => format!("Nothing happens before {name} is merged into {branch}.\n"),
        Target::Local(name) => {
            format!("Nothing happens before it is on {branch}: git push {} {name}:{branch}\n", place.remote())
        }
    }
}
