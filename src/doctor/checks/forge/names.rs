//! Can the teams and roles be read that rules for approvals name?

use tidegate_model::forge::ForgeKind;

use super::{fail, fine};
use crate::doctor::facts::Answers;
use crate::doctor::line::{Line, few};

const CHECK: &str = "forge teams";

/// Judges the teams and roles.
pub(super) fn lines(answers: &Answers) -> Vec<Line> {
    let mut lines = Vec::new();
    for (name, shown) in &answers.names {
        // Gitea shows the roles of other accounts to administrators only, and the own role to everyone.
        let needs_admin = answers.kind == ForgeKind::Gitea && name.starts_with("role:");
        let why = match (shown, &answers.is_admin) {
            (Err(why), _) => why.as_str(),
            (Ok(()), Ok(false) | Err(_)) if needs_admin => {
                "only administrators of the project may read the roles of others"
            }
            (Ok(()), _) => continue,
        };
        let detail = format!("{name} cannot be read, so that no approval counts because of it: {why}");
        lines.push(fail(CHECK, &detail, fix(answers.kind, name)));
    }
    if lines.is_empty() && !answers.names.is_empty() {
        let names = few(answers.names.iter().map(|(name, _)| name.as_str()));
        lines.push(fine(CHECK, &format!("{names} can be read")));
    }
    lines
}

fn fix(kind: ForgeKind, name: &str) -> &'static str {
    match (kind, name.starts_with("team:")) {
        (ForgeKind::GitHub, true) => {
            "check the name of the team, and give the token members:read (a classic one read:org) in the organization"
        }
        (ForgeKind::GitLab, true) => "check the path of the group, and add the account of the token to the group",
        (ForgeKind::Gitea, true) => {
            "check the name of the team, add the account of the token to it, and give the token read:organization"
        }
        (ForgeKind::Gitea, false) => "make the account an administrator of the project, or name people or a team",
        (_, false) => {
            "write role:read, role:write, role:maintain or role:admin, and give the token access to the project"
        }
    }
}
