//! Gitea's accounts, teams, permissions, and the protection of branches.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{Role, Team};
use super::{answers, json as render};

/// Answers `GET /user`.
pub(crate) fn own_user(exchange: &Exchange<'_>) -> Outcome {
    let id = exchange.account_with(Role::None)?;
    Ok(Answer::json(200, &render::user(exchange.forge, id)))
}

/// Answers `GET /users/{login}`.
pub(crate) fn user(exchange: &Exchange<'_>, login: &str) -> Outcome {
    let account = exchange.forge.store.account_named(login).ok_or(Refusal::Missing("user"))?;
    Ok(Answer::json(200, &render::account(exchange.forge, account)))
}

/// Answers `GET /repos/{owner}/{name}`, with what the client may do.
pub(crate) fn project(exchange: &Exchange<'_>) -> Answer {
    let (forge, role) = (&*exchange.forge, exchange.role());
    let mut body = render::repository(forge, forge.owner());
    body["permissions"] = json!({
        "admin": role == Role::Admin, "push": role >= Role::Write, "pull": true,
    });
    Answer::json(200, &body)
}

/// Answers `GET .../collaborators/{login}/permission`.
pub(crate) fn permission(exchange: &Exchange<'_>, login: &str) -> Outcome {
    let me = exchange.account_with(Role::None)?;
    let account = exchange.forge.store.account_named(login).ok_or(Refusal::Missing("user"))?;
    if account.id != me && exchange.role() < Role::Admin {
        // Only administrators of the project may ask for others.
        let message = "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own";
        return Ok(answers::error(exchange.forge, 403, message));
    }
    let permission = account.role.permission();
    let user = render::account(exchange.forge, account);
    Ok(Answer::json(200, &json!({ "permission": permission, "role_name": permission, "user": user })))
}

/// Answers `GET /orgs/{org}/teams/search`.
pub(crate) fn search_teams(exchange: &Exchange<'_>, org: &str) -> Outcome {
    let wanted = exchange.call.query("q").unwrap_or_default().to_lowercase();
    let teams = visible_teams(exchange, org)?;
    let teams: Vec<Value> = teams
        .filter(|team| team.name.to_lowercase().contains(&wanted))
        .map(|team| render::team(exchange.forge, team))
        .collect();
    Ok(Answer::json(200, &json!({ "ok": true, "data": teams })))
}

/// Answers `GET /orgs/{org}/teams`.
pub(crate) fn teams(exchange: &Exchange<'_>, org: &str) -> Outcome {
    let teams = visible_teams(exchange, org)?.map(|team| render::team(exchange.forge, team)).collect();
    Ok(answers::page(exchange, teams))
}

/// Answers `GET /teams/{id}/members/{login}`.
pub(crate) fn member(exchange: &Exchange<'_>, team: &str, login: &str) -> Outcome {
    let forge = &*exchange.forge;
    let team = team_at(exchange, team)?;
    let account = forge.store.account_named(login).ok_or(Refusal::Missing("user"))?;
    if !team.members.contains(&account.id) {
        return Err(Refusal::Missing("member").into());
    }
    Ok(Answer::json(200, &render::account(forge, account)))
}

/// Answers `GET /teams/{id}/members`.
pub(crate) fn members(exchange: &Exchange<'_>, team: &str) -> Outcome {
    let members = team_at(exchange, team)?.members.iter().map(|id| render::user(exchange.forge, *id)).collect();
    Ok(answers::page(exchange, members))
}

/// Answers `GET .../branch_protections` and, with a name, one of them.
pub(crate) fn protections(exchange: &Exchange<'_>, name: Option<&str>) -> Outcome {
    exchange.account_with(Role::Admin)?;
    let protection = protection(exchange.forge);
    match name {
        None => Ok(Answer::json(200, &json!([protection]))),
        Some(name) if name == exchange.forge.options.default_branch => Ok(Answer::json(200, &protection)),
        Some(_) => Err(Refusal::Missing("protection").into()),
    }
}

/// Answers `GET .../branches/{name}`.
pub(crate) fn branch(exchange: &Exchange<'_>, name: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.branch(name)?.ok_or(Refusal::Missing("branch"))?;
    let is_protected = name == forge.options.default_branch;
    let settings = &forge.options.protection;
    let body = json!({
        "name": name, "commit": { "id": sha }, "protected": is_protected,
        "required_approvals": settings.required_approvals, "enable_status_check": !settings.required_contexts.is_empty(),
        "status_check_contexts": settings.required_contexts, "user_can_push": exchange.role() >= Role::Write,
        "user_can_merge": exchange.role() >= Role::Write, "effective_branch_protection_name": if is_protected { name } else { "" },
    });
    Ok(Answer::json(200, &body))
}

fn protection(forge: &Instance) -> Value {
    let settings = &forge.options.protection;
    let branch = &forge.options.default_branch;
    json!({
        "branch_name": branch, "rule_name": branch, "required_approvals": settings.required_approvals,
        "dismiss_stale_approvals": settings.dismisses_stale, "ignore_stale_approvals": false,
        "enable_approvals_whitelist": false, "approvals_whitelist_username": [], "approvals_whitelist_teams": [],
        "block_on_rejected_reviews": false, "enable_status_check": !settings.required_contexts.is_empty(),
        "status_check_contexts": settings.required_contexts, "enable_push": false, "enable_push_whitelist": false,
        "push_whitelist_usernames": [], "push_whitelist_teams": [], "push_whitelist_deploy_keys": false,
    })
}

fn visible_teams<'a>(exchange: &'a Exchange<'_>, org: &str) -> Result<impl Iterator<Item = &'a Team>, Refusal> {
    if !exchange.forge.owner().eq_ignore_ascii_case(org) {
        return Err(Refusal::Missing("organization"));
    }
    let me = exchange.account_with(Role::None)?;
    let sees_all = exchange.role() == Role::Admin;
    Ok(exchange.forge.store.teams.iter().filter(move |team| sees_all || team.members.contains(&me)))
}

fn team_at<'a>(exchange: &'a Exchange<'_>, id: &str) -> Result<&'a Team, Refusal> {
    let id = request::id(id, "team")?;
    let me = exchange.account_with(Role::None)?;
    let team = exchange.forge.store.teams.iter().find(|team| team.id == id).ok_or(Refusal::Missing("team"))?;
    // Gitea shows a team only to its members and to owners of the organization.
    let is_visible = team.members.contains(&me) || exchange.role() == Role::Admin;
    if is_visible { Ok(team) } else { Err(Refusal::Forbidden) }
}
