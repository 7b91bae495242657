//! Can the forge be used, and do its settings fit? Each problem has a line of its own.

mod access;
mod followed;
mod journal;
mod names;
mod scopes;
mod version;

use crate::doctor::facts::{Answers, Forge, Known, Purpose};
use crate::doctor::line::{Level, Line, line};

/// Returns the lines for the forge.
pub(super) fn lines(forge: &Known<Forge>) -> Vec<Line> {
    match forge {
        Err(unknown) => vec![line("forge", unknown)],
        Ok(Forge::None) => vec![fine("forge", "none is configured: reviews do not count as approvals")],
        Ok(Forge::Unusable(trouble)) => vec![fail("forge", &trouble.why, &trouble.fix)],
        Ok(Forge::Answers(answers)) => of(answers),
    }
}

fn of(answers: &Answers) -> Vec<Line> {
    let branches = answers.branches.iter().flat_map(|branch| match branch.purpose {
        Purpose::Followed => followed::lines(branch, answers),
        Purpose::Journal => journal::lines(branch, answers),
    });
    let mut lines = access::lines(answers);
    lines.extend(version::lines(answers));
    lines.extend(scopes::lines(answers));
    lines.extend(branches);
    lines.extend(names::lines(answers));
    if !answers.has_webhook {
        let detail = format!(
            "no secret is configured in [webhook]: reviews are seen at the next look, at most {} s later",
            answers.poll
        );
        lines.push(fine("forge webhook", &detail));
    }
    lines
}

fn fine(check: &'static str, detail: &str) -> Line {
    Line { check, level: Level::Ok, detail: detail.to_owned(), fix: None }
}

fn warn(check: &'static str, detail: &str, fix: &str) -> Line {
    Line { check, level: Level::Warn, detail: detail.to_owned(), fix: Some(fix.to_owned()) }
}

fn fail(check: &'static str, detail: &str, fix: &str) -> Line {
    Line { check, level: Level::Fail, detail: detail.to_owned(), fix: Some(fix.to_owned()) }
}
