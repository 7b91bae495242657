//! Is the token accepted, does it see the project, and may its account push?

use tidegate_model::forge::ForgeKind;

use super::{fail, fine, warn};
use crate::doctor::facts::Answers;
use crate::doctor::line::Line;

const CHECK: &str = "forge";

/// Judges the access to the project.
pub(super) fn lines(answers: &Answers) -> Vec<Line> {
    let Answers { kind, project, account, sees_project, may_push, .. } = answers;
    let account = match account {
        Ok(account) => account,
        Err(why) => return vec![fail(CHECK, &format!("the token is not accepted: {why}"), &new_token(answers))],
    };
    match sees_project {
        Ok(true) => {}
        Ok(false) => {
            let why = format!("{} does not see the project {project}", account.login);
            return vec![fail(CHECK, &why, &membership(answers))];
        }
        Err(why) => {
            let why = format!("the project {project} cannot be read: {why}");
            return vec![fail(CHECK, &why, &membership(answers))];
        }
    }
    let mut lines = vec![fine(CHECK, &format!("{kind} knows this token as {}, which sees {project}", account.login))];
    let needs_push = answers.writes.statuses || answers.writes.deployments || answers.writes.requests;
    // The permissions of an App are checked one by one.
    if needs_push && *may_push == Ok(false) && !answers.is_app {
        let why = format!(
            "{} may not push to {project}: statuses, deployments and requests for approvals are refused",
            account.login
        );
        lines.push(warn(CHECK, &why, &push_role(answers)));
    }
    lines
}

fn new_token(answers: &Answers) -> String {
    if answers.is_app {
        return "check client_id and key_file of [forge] app, and that the App is installed for the project".to_owned();
    }
    match answers.kind {
        ForgeKind::GitHub => "create a token for the project and write it into the token_file of [forge]".to_owned(),
        ForgeKind::GitLab => {
            "create a project access token with the scope api and write it into the token_file of [forge]".to_owned()
        }
        ForgeKind::Gitea => {
            "create a token with the scope read:user among others and write it into the token_file of [forge]"
                .to_owned()
        }
    }
}

fn membership(answers: &Answers) -> String {
    let project = &answers.project;
    if answers.is_app {
        return format!("install the App for {project}, or correct `project` in [forge]");
    }
    format!("check `project` in [forge], and give the account of the token access to {project}")
}

fn push_role(answers: &Answers) -> String {
    let role = match answers.kind {
        ForgeKind::GitHub => "Write",
        ForgeKind::GitLab => "Developer",
        ForgeKind::Gitea => "the permission Write",
    };
    format!("give the account {role} in the project, or turn these off in [forge.publish]")
}
