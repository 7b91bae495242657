//! GitLab's accounts, members, tokens, and the protection of branches.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{Account, Role, Scope, Team};
use super::{answers, json as render};

/// Answers `GET /user`.
pub(crate) fn own_user(exchange: &Exchange<'_>) -> Outcome {
    let id = exchange.account_with(Role::None)?;
    Ok(Answer::json(200, &render::user(exchange.forge, id)))
}

/// Answers `GET /users?username=`.
pub(crate) fn users(exchange: &Exchange<'_>) -> Outcome {
    exchange.account_with(Role::None)?;
    let forge = &*exchange.forge;
    let wanted = exchange.call.query("username");
    let is_wanted =
        |account: &&Account| !account.is_gone && wanted.is_none_or(|login| account.login.eq_ignore_ascii_case(login));
    let users = forge.store.accounts.iter().filter(is_wanted).map(|account| render::account(forge, account)).collect();
    Ok(answers::page(exchange, users))
}

/// Answers `GET /personal_access_tokens/self`.
pub(crate) fn own_token(exchange: &Exchange<'_>) -> Outcome {
    let user = exchange.account_with(Role::None)?;
    let scope = if exchange.caller.scope == Scope::Full { "api" } else { "read_api" };
    Ok(Answer::json(
        200,
        &json!({
            "id": 1, "name": "tidegate", "revoked": false, "active": true, "scopes": [scope], "user_id": user,
            "expires_at": null,
        }),
    ))
}

/// Answers `GET /projects/{id}`, with what the account may do. The scope of its token is not considered.
pub(crate) fn project(exchange: &Exchange<'_>) -> Answer {
    let forge = &*exchange.forge;
    let role = exchange.caller.account.map_or(Role::None, |account| forge.role(account));
    let access = if role == Role::None { Value::Null } else { json!({ "access_level": role.access_level() }) };
    let mut body = render::project(forge);
    body["permissions"] = json!({ "project_access": access, "group_access": null });
    Answer::json(200, &body)
}

/// Answers `GET /projects/{id}/members/all`.
pub(crate) fn project_members(exchange: &Exchange<'_>) -> Outcome {
    exchange.account_with(Role::None)?;
    let forge = &*exchange.forge;
    let accounts = forge.store.accounts.iter().filter(|account| !account.is_gone && account.role > Role::None);
    Ok(answers::page(exchange, wanted(exchange, accounts)))
}

/// Answers `GET /projects/{id}/members/all/{user}`.
pub(crate) fn project_member(exchange: &Exchange<'_>, user: &str) -> Outcome {
    exchange.account_with(Role::None)?;
    let account = exchange.forge.store.account(request::id(user, "member")?);
    let account = account.filter(|account| account.role > Role::None).ok_or(Refusal::Missing("member"))?;
    Ok(Answer::json(200, &member(exchange.forge, account)))
}

/// Answers `GET /groups/{id}/members/all`: those of a team, or of the group of the project.
pub(crate) fn group_members(exchange: &Exchange<'_>, group: &str) -> Outcome {
    exchange.account_with(Role::None)?;
    let forge = &*exchange.forge;
    let accounts: Vec<&Account> = if group.eq_ignore_ascii_case(forge.owner()) || group == "1" {
        forge.store.accounts.iter().filter(|account| !account.is_gone && account.role > Role::None).collect()
    } else {
        team(forge, group)?.iter().filter_map(|id| forge.store.account(*id)).collect()
    };
    Ok(answers::page(exchange, wanted(exchange, accounts.into_iter())))
}

/// Answers `GET /groups/{id}/members/all/{user}`.
pub(crate) fn group_member(exchange: &Exchange<'_>, group: &str, user: &str) -> Outcome {
    exchange.account_with(Role::None)?;
    let forge = &*exchange.forge;
    let user = request::id(user, "member")?;
    let account = forge.store.account(user).ok_or(Refusal::Missing("member"))?;
    if !group.eq_ignore_ascii_case(forge.owner()) && !team(forge, group)?.contains(&user) {
        return Err(Refusal::Missing("member").into());
    }
    Ok(Answer::json(200, &member(forge, account)))
}

/// Answers `GET /projects/{id}/protected_branches` and, with a name, one of them.
pub(crate) fn protected(exchange: &Exchange<'_>, name: Option<&str>) -> Outcome {
    exchange.account_with(Role::Maintain)?;
    let default = &exchange.forge.options.default_branch;
    let level = json!([{ "id": 1, "access_level": 40, "access_level_description": "Maintainers" }]);
    let branch = json!({
        "id": 1, "name": default, "push_access_levels": level, "merge_access_levels": level, "allow_force_push": false,
        "code_owner_approval_required": false,
    });
    match name {
        None => Ok(Answer::json(200, &json!([branch]))),
        Some(name) if name == default => Ok(Answer::json(200, &branch)),
        Some(_) => Err(Refusal::Missing("branch").into()),
    }
}

/// Answers `GET /projects/{id}/repository/branches/{name}`.
pub(crate) fn branch(exchange: &Exchange<'_>, name: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.branch(name)?.ok_or(Refusal::Missing("branch"))?;
    let is_default = name == forge.options.default_branch;
    let commit = forge.main.commit(&sha)?.map(|commit| render::commit(forge, &commit));
    Ok(Answer::json(200, &json!({ "name": name, "commit": commit, "protected": is_default, "default": is_default })))
}

fn wanted<'a>(exchange: &Exchange<'_>, accounts: impl Iterator<Item = &'a Account>) -> Vec<Value> {
    let ids: Vec<&str> =
        exchange.call.query.iter().filter(|(name, _)| name == "user_ids[]").map(|(_, id)| &**id).collect();
    let is_wanted = |account: &&Account| ids.is_empty() || ids.contains(&&*account.id.to_string());
    accounts.filter(is_wanted).map(|account| member(exchange.forge, account)).collect()
}

fn member(forge: &Instance, account: &Account) -> Value {
    let mut body = render::account(forge, account);
    body["access_level"] = json!(account.role.access_level());
    body["expires_at"] = Value::Null;
    body
}

/// Returns the members of a team by its number, its name, or its path below the group of the project.
fn team<'a>(forge: &'a Instance, group: &str) -> Result<&'a [u64], Refusal> {
    let name = group.strip_prefix(forge.owner()).and_then(|rest| rest.strip_prefix('/')).unwrap_or(group);
    let is = |team: &&Team| team.name == name || team.id.to_string() == group;
    let team = forge.store.teams.iter().find(is).ok_or(Refusal::Missing("group"))?;
    Ok(&team.members)
}
