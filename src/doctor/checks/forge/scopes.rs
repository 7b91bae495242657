//! Has the token the scopes or permissions for what is configured?

use tidegate_model::forge::ForgeKind;

use super::{fail, fine, warn};
use crate::doctor::facts::Answers;
use crate::doctor::line::Line;

const CHECK: &str = "forge permissions";

/// Something that the token must be allowed to do.
struct Need {
    /// The permission of a GitHub App, or of a fine-grained token.
    github: (&'static str, &'static str),
    /// The scope of Gitea.
    gitea: &'static str,
    /// What does not work without it.
    lost: &'static str,
    /// Whether approvals depend on it.
    is_vital: bool,
}

/// Judges the scopes of the token.
pub(super) fn lines(answers: &Answers) -> Vec<Line> {
    if answers.account.is_err() || answers.sees_project != Ok(true) {
        return Vec::new();
    }
    let needs = needs(answers);
    match (&answers.scopes, answers.kind) {
        (Err(why), kind) => {
            let list = listed(kind, &needs);
            vec![fine(CHECK, &format!("not visible ({why}); needed are {list}"))]
        }
        (Ok(granted), ForgeKind::GitHub) if answers.is_app => app(granted, &needs),
        (Ok(granted), ForgeKind::GitHub) => classic(granted, &needs),
        (Ok(granted), ForgeKind::GitLab) => gitlab(granted, &needs),
        (Ok(granted), ForgeKind::Gitea) => vec![fine(CHECK, &granted.join(", "))],
    }
}

/// Returns what the token needs for the configuration.
fn needs(answers: &Answers) -> Vec<Need> {
    let writes = answers.writes;
    let need = |github, gitea, lost, is_vital| Need { github, gitea, lost, is_vital };
    let mut needs =
        vec![need(("contents", "read"), "read:repository", "the pull requests of commits cannot be read", true)];
    needs.push(need(("pull_requests", "read"), "read:user", "reviews cannot be read", true));
    if writes.comments {
        needs.push(need(("pull_requests", "write"), "write:issue", "plans cannot be written as comments", false));
    }
    if writes.requests {
        let lost = "pull requests that ask for approvals cannot be opened";
        needs.push(need(("pull_requests", "write"), "write:repository", lost, false));
    }
    if writes.statuses {
        let lost = "commit statuses cannot be written";
        needs.push(need(("statuses", "write"), "write:repository", lost, false));
    }
    if writes.check_runs {
        needs.push(need(("checks", "write"), "write:repository", "check runs cannot be written", false));
    }
    if writes.deployments {
        let lost = "deployments cannot be written";
        needs.push(need(("deployments", "write"), "write:repository", lost, false));
    }
    if answers.names.iter().any(|(name, _)| name.starts_with("team:")) {
        let lost = "approvals of members of teams do not count";
        needs.push(need(("members", "read"), "read:organization", lost, true));
    }
    needs
}

/// Returns the names of the permissions, each once. A permission to write contains the one to read.
fn listed(kind: ForgeKind, needs: &[Need]) -> String {
    let mut names: Vec<String> = Vec::new();
    for need in needs {
        let name = match kind {
            ForgeKind::GitHub => format!("{}:{}", need.github.0, need.github.1),
            ForgeKind::GitLab => "api".to_owned(),
            ForgeKind::Gitea => need.gitea.to_owned(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let writes = |name: &str| match kind {
        ForgeKind::GitHub => name.strip_suffix(":read").map(|name| format!("{name}:write")),
        _ => name.strip_prefix("read:").map(|name| format!("write:{name}")),
    };
    let is_needed = |name: &&String| !writes(name).is_some_and(|write| names.contains(&write));
    names.iter().filter(is_needed).cloned().collect::<Vec<_>>().join(", ")
}

/// Judges the permissions of an App, such as `statuses:write`.
fn app(granted: &[String], needs: &[Need]) -> Vec<Line> {
    let has = |name: &str, level: &str| {
        let level_of = granted.iter().find_map(|one| one.strip_prefix(name)?.strip_prefix(':'));
        level_of.is_some_and(|has| has == level || has == "write" || has == "admin")
    };
    let missing = needs.iter().filter(|need| !has(need.github.0, need.github.1));
    let lines =
        folded(missing.map(|need| (format!("{}:{}", need.github.0, need.github.1), need)), |permission, lost| {
            let why = format!("the App lacks {permission}: {lost}");
            (why, format!("give the App the permission {permission}, and accept it in the installation"))
        });
    or_fine(lines, granted)
}

/// Judges the scopes of a classic token. One scope contains all permissions in repositories.
fn classic(granted: &[String], needs: &[Need]) -> Vec<Line> {
    let has = |scopes: &[&str]| granted.iter().any(|one| scopes.contains(&one.as_str()));
    let covers = |need: &Need| match need.github {
        ("members", _) => has(&["read:org", "write:org", "admin:org"]),
        ("statuses", _) => has(&["repo", "public_repo", "repo:status"]),
        ("deployments", _) => has(&["repo", "public_repo", "repo_deployment"]),
        // The project was read, so that a public one needs no scope for it.
        (_, "read") => true,
        _ => has(&["repo", "public_repo"]),
    };
    let missing = needs.iter().filter(|need| !covers(need));
    let scope = |need: &Need| if need.github.0 == "members" { "read:org" } else { "repo" };
    let lines = folded(missing.map(|need| (scope(need).to_owned(), need)), |scope, lost| {
        let why = format!("the token lacks the scope {scope}: {lost}");
        (why, format!("give the token the scope {scope}, or use a fine-grained token or an App"))
    });
    or_fine(lines, granted)
}

/// Judges the scopes of a token of GitLab. There is one for reading the API and one for all of it.
fn gitlab(granted: &[String], needs: &[Need]) -> Vec<Line> {
    let has = |scope: &str| granted.iter().any(|one| one == scope);
    if has("api") {
        return vec![fine(CHECK, &granted.join(", "))];
    }
    let fix = "create a token with the scope api, and write it into the token_file of [forge]";
    if !has("read_api") {
        return vec![fail(
            CHECK,
            "the token lacks the scope api: reviews cannot be read, and nothing can be written",
            fix,
        )];
    }
    let lost: Vec<&str> = needs.iter().filter(|need| need.github.1 == "write").map(|need| need.lost).collect();
    if lost.is_empty() {
        return vec![fine(CHECK, &granted.join(", "))];
    }
    vec![warn(CHECK, &format!("the token has read_api and lacks api: {}", lost.join(", ")), fix)]
}

/// Returns a line for each missing permission, with everything that does not work without it.
fn folded<'n>(
    missing: impl Iterator<Item = (String, &'n Need)>,
    told: impl Fn(&str, &str) -> (String, String),
) -> Vec<Line> {
    let mut all: Vec<(String, Vec<&'n Need>)> = Vec::new();
    for (permission, need) in missing {
        match all.iter_mut().find(|(known, _)| *known == permission) {
            Some((_, needs)) => needs.push(need),
            None => all.push((permission, vec![need])),
        }
    }
    let line = |(permission, needs): (String, Vec<&Need>)| {
        let lost = needs.iter().map(|need| need.lost).collect::<Vec<_>>().join(", ");
        let (why, fix) = told(&permission, &lost);
        if needs.iter().any(|need| need.is_vital) { fail(CHECK, &why, &fix) } else { warn(CHECK, &why, &fix) }
    };
    all.into_iter().map(line).collect()
}

fn or_fine(lines: Vec<Line>, granted: &[String]) -> Vec<Line> {
    if lines.is_empty() { vec![fine(CHECK, &granted.join(", "))] } else { lines }
}
