//! Can changes be merged into the followed branch, and only after a review?

use tidegate_model::forge::ForgeKind;
use tidegate_model::glob::matches;

use super::{fail, fine, warn};
use crate::doctor::facts::{Answers, Branch};
use crate::doctor::line::Line;

const CHECK: &str = "followed branch";
/// The contexts of the checks that a pull request gets.
const CHECKS: [&str; 2] = ["tidegate/plan", "tidegate/approvals"];

/// Judges the protection of the followed branch.
pub(super) fn lines(branch: &Branch, answers: &Answers) -> Vec<Line> {
    let Branch { name, is_protected, required, dismisses_stale, .. } = branch;
    let is_protected = match is_protected {
        Ok(is_protected) => *is_protected,
        Err(why) => return vec![warn(CHECK, &format!("{name}: not visible: {why}"), &by_hand(branch))],
    };
    if !is_protected {
        let why = format!("{name} is not protected: everyone with write access can push to it without a review");
        return vec![warn(CHECK, &why, &format!("protect {name}, so that every change needs a pull request"))];
    }
    let mut lines = match required {
        Ok(required) => deadlocks(name, required, answers.writes.checks),
        Err(why) => vec![fine(CHECK, &format!("{name}: required checks are not listed: {why}"))],
    };
    let stale = match dismisses_stale {
        Ok(true) => "approvals are dismissed when commits are added".to_owned(),
        Ok(false) => {
            let binds = match answers.kind {
                ForgeKind::GitHub | ForgeKind::Gitea => "an approval only counts for the contents of its commit",
                ForgeKind::GitLab => "an approval only counts for the contents that were there when it was seen",
            };
            format!("approvals stay when commits are added; {binds}")
        }
        Err(why) => format!("whether approvals are dismissed when commits are added is not visible: {why}"),
    };
    lines.push(fine(CHECK, &format!("{name} is protected; {stale}")));
    lines
}

/// Returns a line for each required check that never comes.
fn deadlocks(name: &str, required: &[String], has_checks: bool) -> Vec<Line> {
    let own = required.iter().filter(|context| context.to_lowercase().starts_with("tidegate/"));
    let line = |context: &String| {
        // Gitea allows patterns. GitHub ignores case.
        let is_check = CHECKS.iter().any(|check| matches(&context.to_lowercase(), check));
        if is_check && has_checks {
            return None;
        }
        let (why, fix) = if is_check {
            (
                "it is never written, because [forge.publish] check is \"off\"",
                "set check = \"status\", or do not require it",
            )
        } else {
            let fix = "do not require it; require tidegate/plan instead";
            ("it is written only after the merge, when the rollout starts", fix)
        };
        let why = format!("{name} requires {context} before a merge, so that nothing can be merged: {why}");
        Some(fail(CHECK, &why, fix))
    };
    own.filter_map(line).collect()
}

/// Returns what to do about protection that the token does not see.
pub(super) fn by_hand(branch: &Branch) -> String {
    format!("look at the protection of {} as an administrator of the project", branch.name)
}
