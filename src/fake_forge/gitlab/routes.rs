//! GitLab's routes, and who may use them.

use serde_json::json;

use super::super::act::Refusal;
use super::super::request::{Answer, BadToken, Exchange, Outcome, Stop};
use super::super::state::{Role, Scope};
use super::{answers, approvals, deployments, merge_requests, notes, people, statuses};

/// The version of GitLab whose API this is.
const VERSION: &str = "18.6.0";

/// Answers a request below `/api/v4`.
pub(crate) fn answer(exchange: &mut Exchange<'_>) -> Answer {
    if let Some(answer) = forbidden(exchange) {
        return answer;
    }
    match route(exchange) {
        Ok(answer) | Err(Stop::Answer(answer)) => answer,
        Err(Stop::Refusal(refusal)) => answers::refused(exchange, &refusal),
    }
}

/// Returns the answer to a client whose token is unknown or has expired.
pub(crate) fn bad_token(_: &BadToken) -> Answer {
    answers::error(401, "401 Unauthorized")
}

fn forbidden(exchange: &Exchange<'_>) -> Option<Answer> {
    if exchange.call.is_read() {
        return None;
    }
    if exchange.caller.account.is_none() {
        return Some(answers::error(401, "401 Unauthorized"));
    }
    let description = "The request requires higher privileges than provided by the access token.";
    let body = json!({ "error": "insufficient_scope", "error_description": description, "scope": "api" });
    (exchange.caller.scope == Scope::Read).then(|| Answer::json(403, &body))
}

fn route(exchange: &mut Exchange<'_>) -> Outcome {
    let call = exchange.call;
    let segments: Vec<&str> = call.segments.iter().map(String::as_str).collect();
    match (&*call.method, segments.as_slice()) {
        ("GET", ["version"]) => {
            exchange.account_with(Role::None)?;
            Ok(Answer::json(200, &json!({ "version": VERSION, "revision": "0" })))
        }
        ("GET", ["metadata"]) => {
            exchange.account_with(Role::None)?;
            let is_paid = exchange.forge.options.behavior.is_paid;
            Ok(Answer::json(200, &json!({ "version": VERSION, "revision": "0", "enterprise": is_paid })))
        }
        ("GET", ["user"]) => people::own_user(exchange),
        ("GET", ["users"]) => people::users(exchange),
        ("GET", ["personal_access_tokens", "self"]) => people::own_token(exchange),
        ("GET", ["groups", group, "members", "all"]) => people::group_members(exchange, group),
        ("GET", ["groups", group, "members", "all", user]) => people::group_member(exchange, group, user),
        (method, ["projects", id, rest @ ..]) => {
            let forge = &*exchange.forge;
            let is_own = *id == forge.options.project || *id == forge.project_id(forge.owner()).to_string();
            if !is_own || !exchange.caller.may_read(forge) {
                return Err(Refusal::Missing("project").into());
            }
            in_project(exchange, method, rest)
        }
        _ => Ok(unknown()),
    }
}

fn in_project(exchange: &mut Exchange<'_>, method: &str, path: &[&str]) -> Outcome {
    match (method, path) {
        ("GET", []) => Ok(people::project(exchange)),
        ("GET", ["approvals"]) => approvals::settings(exchange),
        ("GET", ["protected_branches"]) => people::protected(exchange, None),
        ("GET", ["protected_branches", name]) => people::protected(exchange, Some(name)),
        ("GET", ["members", "all"]) => people::project_members(exchange),
        ("GET", ["members", "all", user]) => people::project_member(exchange, user),
        ("GET", ["merge_requests"]) => Ok(merge_requests::list(exchange)),
        ("POST", ["merge_requests"]) => merge_requests::create(exchange),
        (method, ["merge_requests", number, rest @ ..]) => in_merge_request(exchange, method, number, rest),
        ("GET", ["repository", "branches", name]) => people::branch(exchange, name),
        ("GET", ["repository", "commits", sha]) => merge_requests::commit(exchange, sha),
        ("GET", ["repository", "commits", sha, "merge_requests"]) => merge_requests::of_commit(exchange, sha),
        ("GET", ["repository", "commits", sha, "statuses"]) => statuses::list(exchange, sha),
        ("POST", ["statuses", sha]) => statuses::post(exchange, sha),
        ("GET", ["deployments"]) => deployments::list(exchange),
        ("POST", ["deployments"]) => deployments::create(exchange),
        ("GET", ["deployments", id]) => deployments::one(exchange, id),
        ("PUT", ["deployments", id]) => deployments::edit(exchange, id),
        _ => Ok(unknown()),
    }
}

fn in_merge_request(exchange: &mut Exchange<'_>, method: &str, number: &str, path: &[&str]) -> Outcome {
    match (method, path) {
        ("GET", []) => merge_requests::one(exchange, number),
        ("PUT", []) => merge_requests::edit(exchange, number),
        ("PUT", ["merge"]) => merge_requests::merge(exchange, number),
        ("GET", ["commits"]) => merge_requests::commits(exchange, number),
        ("GET", ["versions"]) => merge_requests::versions(exchange, number),
        ("GET", ["approvals"]) => approvals::approvals(exchange, number),
        ("GET", ["approval_state"]) => approvals::state(exchange, number),
        ("POST", ["approve"]) => approvals::approve(exchange, number),
        ("POST", ["unapprove"]) => approvals::unapprove(exchange, number),
        ("PUT", ["reset_approvals"]) => approvals::reset(exchange, number),
        ("GET", ["notes"]) => notes::list(exchange, number),
        ("POST", ["notes"]) => notes::create(exchange, number),
        ("GET", ["notes", id]) => notes::one(exchange, number, id),
        ("PUT", ["notes", id]) => notes::edit(exchange, number, id),
        ("DELETE", ["notes", id]) => notes::remove(exchange, number, id),
        _ => Ok(unknown()),
    }
}

fn unknown() -> Answer {
    Answer::json(404, &json!({ "error": "404 Not Found" })).unknown()
}
