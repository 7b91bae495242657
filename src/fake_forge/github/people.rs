//! GitHub's accounts, teams and permissions, and the rules of branches.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{Role, Team};
use super::{answers, json as render};

/// Answers `GET /user`. An installation of an App is no user.
pub(crate) fn own_user(exchange: &Exchange<'_>) -> Outcome {
    let id = exchange.account_with(Role::None)?;
    if exchange.caller.is_installation {
        return Err(Refusal::Forbidden.into());
    }
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
        "admin": role == Role::Admin, "maintain": role >= Role::Maintain, "triage": role >= Role::Triage, "push": role >= Role::Write, "pull": true,
    });
    Answer::json(200, &body)
}

/// Answers `GET .../collaborators/{login}/permission`. Everyone can read a public project.
pub(crate) fn permission(exchange: &Exchange<'_>, login: &str) -> Outcome {
    exchange.account_with(Role::Read)?;
    let forge = &*exchange.forge;
    let account = forge.store.account_named(login).ok_or(Refusal::Missing("user"))?;
    let role = if forge.options.is_private { account.role } else { account.role.max(Role::Read) };
    Ok(Answer::json(
        200,
        &json!({
            "permission": role.permission(), "role_name": role.name(), "user": render::account(forge, account),
        }),
    ))
}

/// Answers `GET /orgs/{org}/teams/{slug}`.
pub(crate) fn team(exchange: &Exchange<'_>, org: &str, slug: &str) -> Outcome {
    let team = team_at(exchange, org, slug)?;
    let privacy = json!({ "id": team.id, "slug": team.name, "name": team.name, "privacy": "closed" });
    Ok(Answer::json(200, &privacy))
}

/// Answers `GET /orgs/{org}/teams/{slug}/memberships/{login}`.
pub(crate) fn membership(exchange: &Exchange<'_>, org: &str, slug: &str, login: &str) -> Outcome {
    let team = team_at(exchange, org, slug)?;
    let account = exchange.forge.store.account_named(login).ok_or(Refusal::Missing("user"))?;
    if !team.members.contains(&account.id) {
        return Err(Refusal::Missing("member").into());
    }
    let url = format!("{}/teams/{}/memberships/{}", render::api(exchange.forge), team.id, account.login);
    Ok(Answer::json(200, &json!({ "url": url, "role": "member", "state": "active" })))
}

/// Answers `GET /orgs/{org}/teams/{slug}/members`.
pub(crate) fn members(exchange: &Exchange<'_>, org: &str, slug: &str) -> Outcome {
    let team = team_at(exchange, org, slug)?;
    let members = team.members.iter().map(|id| render::user(exchange.forge, *id)).collect();
    Ok(answers::page(exchange, members))
}

/// Answers `GET .../branches/{name}`.
pub(crate) fn branch(exchange: &Exchange<'_>, name: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.branch(name)?.ok_or(Refusal::Missing("branch"))?;
    let is_protected = name == forge.options.default_branch;
    Ok(Answer::json(200, &json!({ "name": name, "commit": { "sha": sha }, "protected": is_protected })))
}

/// Answers `GET .../branches/{name}/protection`, for administrators.
pub(crate) fn protection(exchange: &Exchange<'_>, name: &str) -> Outcome {
    exchange.account_with(Role::Admin)?;
    let forge = &*exchange.forge;
    if name != forge.options.default_branch {
        return Ok(answers::error(404, "Branch not protected"));
    }
    let settings = &forge.options.protection;
    let reviews = json!({
        "dismiss_stale_reviews": settings.dismisses_stale, "require_code_owner_reviews": false,
        "require_last_push_approval": false, "required_approving_review_count": settings.required_approvals,
    });
    let contexts = &settings.required_contexts;
    let checks: Vec<Value> = contexts.iter().map(|context| json!({ "context": context, "app_id": null })).collect();
    Ok(Answer::json(
        200,
        &json!({
            "url": format!("{}/branches/{name}/protection", render::project(forge)),
            "required_pull_request_reviews": reviews,
            "required_status_checks": { "strict": false, "contexts": contexts, "checks": checks },
        }),
    ))
}

/// Answers `GET .../rules/branches/{name}`.
pub(crate) fn rules(exchange: &Exchange<'_>, name: &str) -> Outcome {
    let forge = &*exchange.forge;
    let settings = &forge.options.protection;
    let mut rules = Vec::new();
    if name == forge.options.default_branch {
        let rule = |kind: &str, parameters: Value| {
            json!({
                "type": kind, "parameters": parameters, "ruleset_source_type": "Repository",
                "ruleset_source": forge.options.project, "ruleset_id": 42,
            })
        };
        if settings.required_approvals > 0 || settings.dismisses_stale {
            rules.push(rule(
                "pull_request",
                json!({
                    "dismiss_stale_reviews_on_push": settings.dismisses_stale, "require_code_owner_review": false,
                    "require_last_push_approval": false, "required_review_thread_resolution": false,
                    "required_approving_review_count": settings.required_approvals,
                }),
            ));
        }
        if !settings.required_contexts.is_empty() {
            let contexts: Vec<Value> =
                settings.required_contexts.iter().map(|context| json!({ "context": context })).collect();
            let parameters =
                json!({ "required_status_checks": contexts, "strict_required_status_checks_policy": false });
            rules.push(rule("required_status_checks", parameters));
        }
    }
    Ok(answers::page(exchange, rules))
}

fn team_at<'a>(exchange: &'a Exchange<'_>, org: &str, slug: &str) -> Result<&'a Team, Refusal> {
    exchange.account_with(Role::None)?;
    let is_own = exchange.forge.owner().eq_ignore_ascii_case(org);
    exchange.forge.store.team_named(slug).filter(|_| is_own).ok_or(Refusal::Missing("team"))
}
