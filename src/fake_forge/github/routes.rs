//! GitHub's routes, and who may use them.

use serde_json::json;

use super::super::act::Refusal;
use super::super::request::{Answer, BadToken, Exchange, Outcome, Stop};
use super::super::state::Scope;
use super::{answers, deployments, json as render, people, pulls, reviews, statuses};

/// The versions of the API.
const VERSIONS: [&str; 2] = ["2022-11-28", "2026-03-10"];

/// Answers a request below `/api/v3` with a token or without one.
pub(crate) fn answer(exchange: &mut Exchange<'_>) -> Answer {
    if let Some(answer) = forbidden(exchange) {
        return answer;
    }
    let answer = match route(exchange) {
        Ok(answer) | Err(Stop::Answer(answer)) => answer,
        Err(Stop::Refusal(refusal)) => answers::refused(exchange, &refusal),
    };
    let version = exchange.call.header("x-github-api-version").unwrap_or(VERSIONS[0]);
    answers::conditional(exchange.call, answer).with("x-github-api-version-selected", version)
}

/// Returns the answer to a client whose token is unknown or has expired.
pub(crate) fn bad_token(_: &BadToken) -> Answer {
    answers::error(401, "Bad credentials")
}

fn forbidden(exchange: &Exchange<'_>) -> Option<Answer> {
    let call = exchange.call;
    if call.header("user-agent").unwrap_or_default().is_empty() {
        let message =
            "Request forbidden by administrative rules. Please make sure your request has a User-Agent header";
        return Some(Answer::text(403, message));
    }
    if call.header("x-github-api-version").is_some_and(|version| !VERSIONS.contains(&version)) {
        return Some(answers::error(400, "Your request had an unsupported API version"));
    }
    if call.is_read() {
        return None;
    }
    let refusal = exchange.caller.account.is_none() || exchange.caller.scope == Scope::Read;
    refusal.then(|| answers::refused(exchange, &Refusal::Forbidden))
}

fn route(exchange: &mut Exchange<'_>) -> Outcome {
    let call = exchange.call;
    let segments: Vec<&str> = call.segments.iter().map(String::as_str).collect();
    match (&*call.method, segments.as_slice()) {
        ("GET", ["meta"]) => Ok(Answer::json(200, &json!({ "installed_version": "3.19.0" }))),
        ("GET", ["rate_limit"]) => Ok(Answer::json(200, &json!({ "resources": {} }))),
        ("GET", ["user"]) => people::own_user(exchange),
        ("GET", ["users", login]) => people::user(exchange, login),
        ("GET", ["orgs", org, "teams", slug]) => people::team(exchange, org, slug),
        ("GET", ["orgs", org, "teams", slug, "members"]) => people::members(exchange, org, slug),
        ("GET", ["orgs", org, "teams", slug, "memberships", login]) => people::membership(exchange, org, slug, login),
        ("GET", ["installation", "repositories"]) if exchange.caller.is_installation => {
            let repository = render::repository(exchange.forge, exchange.forge.owner());
            Ok(Answer::json(200, &json!({ "total_count": 1, "repositories": [repository] })))
        }
        (method, ["repos", owner, name, rest @ ..]) if exchange.forge.is_project(owner, name) => {
            in_project(exchange, method, rest)
        }
        // Links to further pages name the project by its number.
        (method, ["repositories", id, rest @ ..])
            if *id == exchange.forge.project_id(exchange.forge.owner()).to_string() =>
        {
            in_project(exchange, method, rest)
        }
        ("GET", ["repos" | "repositories", ..]) => Err(Refusal::Missing("repository").into()),
        _ => Ok(answers::error(404, "Not Found").unknown()),
    }
}

fn in_project(exchange: &mut Exchange<'_>, method: &str, path: &[&str]) -> Outcome {
    if !exchange.caller.may_read(exchange.forge) {
        return Err(Refusal::Missing("repository").into());
    }
    match (method, path) {
        ("GET", []) => Ok(people::project(exchange)),
        ("GET", ["activity"]) => Ok(pulls::activity(exchange)),
        ("GET", ["pulls"]) => Ok(pulls::list(exchange)),
        ("POST", ["pulls"]) => pulls::create(exchange),
        ("GET", ["pulls", number]) => pulls::one(exchange, number),
        ("PATCH", ["pulls", number]) => pulls::edit(exchange, number),
        ("PUT", ["pulls", number, "merge"]) => pulls::merge(exchange, number),
        ("GET", ["pulls", number, "commits"]) => pulls::commits(exchange, number),
        ("GET", ["pulls", number, "files"]) => pulls::files(exchange, number),
        ("GET", ["pulls", number, "reviews"]) => reviews::list(exchange, number),
        ("POST", ["pulls", number, "reviews"]) => reviews::create(exchange, number),
        ("GET", ["pulls", number, "reviews", id]) => reviews::one(exchange, number, id),
        ("PUT", ["pulls", number, "reviews", id, "dismissals"]) => reviews::dismiss(exchange, number, id),
        ("GET", ["issues", "comments", id]) => reviews::one_comment(exchange, id),
        ("PATCH", ["issues", "comments", id]) => reviews::edit_comment(exchange, id),
        ("DELETE", ["issues", "comments", id]) => reviews::remove_comment(exchange, id),
        ("GET", ["issues", number, "comments"]) => reviews::comments(exchange, number),
        ("POST", ["issues", number, "comments"]) => reviews::comment(exchange, number),
        ("POST", ["statuses", sha]) => statuses::post(exchange, sha),
        ("POST", ["check-runs"]) => statuses::create_run(exchange),
        ("PATCH", ["check-runs", id]) => statuses::update_run(exchange, id),
        ("GET", ["commits", sha, "pulls"]) => pulls::of_commit(exchange, sha),
        ("GET", ["commits", reference @ .., "status"]) => statuses::combined(exchange, &reference.join("/")),
        ("GET", ["commits", reference @ .., "statuses"]) => statuses::list(exchange, &reference.join("/")),
        ("GET", ["commits", reference @ .., "check-runs"]) => statuses::runs(exchange, &reference.join("/")),
        ("GET", ["deployments"]) => deployments::list(exchange),
        ("POST", ["deployments"]) => deployments::create(exchange),
        ("GET", ["deployments", id]) => deployments::one(exchange, id),
        ("GET", ["deployments", id, "statuses"]) => deployments::statuses(exchange, id),
        ("POST", ["deployments", id, "statuses"]) => deployments::post_status(exchange, id),
        ("GET", ["collaborators", login, "permission"]) => people::permission(exchange, login),
        ("GET", ["branches", name @ .., "protection"]) => people::protection(exchange, &name.join("/")),
        ("GET", ["branches", name @ ..]) if !name.is_empty() => people::branch(exchange, &name.join("/")),
        ("GET", ["rules", "branches", name @ ..]) => people::rules(exchange, &name.join("/")),
        ("GET", ["codeowners", "errors"]) => Ok(Answer::json(200, &json!({ "errors": [] }))),
        _ => Ok(answers::error(404, "Not Found").unknown()),
    }
}
