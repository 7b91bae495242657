//! Does the forge have every route that Tidegate uses?

use tidegate_model::forge::ForgeKind;

use super::{fine, warn};
use crate::doctor::facts::Answers;
use crate::doctor::line::Line;

const CHECK: &str = "forge version";

/// Judges the version of the forge. One without versions has no line, nor one that does not accept the token.
pub(super) fn lines(answers: &Answers) -> Vec<Line> {
    if answers.account.is_err() {
        return Vec::new();
    }
    let found = match &answers.version {
        Ok(None) => return Vec::new(),
        Ok(Some(found)) => found,
        Err(why) => {
            return vec![warn(CHECK, &format!("it is not known: {why}"), "check the version of the forge by hand")];
        }
    };
    let (lowest, lacks) = lowest(answers.kind);
    let [major, minor] = lowest;
    match numbers(found) {
        Some(version) if version < lowest => {
            let why = format!("{} {found} is older than {major}.{minor}: {lacks}", answers.kind);
            vec![warn(CHECK, &why, &format!("upgrade it to {major}.{minor} or later"))]
        }
        _ => vec![fine(CHECK, found)],
    }
}

/// Returns the lowest version of a forge, and what older ones lack.
fn lowest(kind: ForgeKind) -> ([u32; 2], &'static str) {
    match kind {
        ForgeKind::GitHub => ([3, 9], "it does not serve the version 2022-11-28 of the API"),
        ForgeKind::GitLab => ([15, 5], "it does not show the scopes of a token"),
        ForgeKind::Gitea => (
            [1, 22],
            "it does not name the pull request of a commit, so reviews of a merged pull request may not be seen",
        ),
    }
}

/// Returns the first two numbers of a version. Of Forgejo, those of the Gitea that it is compatible with.
fn numbers(version: &str) -> Option<[u32; 2]> {
    let version = version.split_once("+gitea-").map_or(version, |(_, gitea)| gitea);
    let mut parts = version.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some([parts.next()?.ok()?, parts.next()?.ok()?])
}
