//! Gitea's routes, and who may use them.

use serde_json::json;

use super::super::act::Refusal;
use super::super::request::{Answer, Exchange, Outcome, Stop};
use super::super::state::Scope;
use super::{answers, people, pulls, reviews, writes};

/// The version of Gitea whose API this is.
const VERSION: &str = "1.23.4";

/// Answers a request below `/api/v1`.
pub(crate) fn answer(exchange: &mut Exchange<'_>) -> Answer {
    let outcome = match forbidden(exchange) {
        Some(answer) => Ok(answer),
        None => route(exchange),
    };
    match outcome {
        Ok(answer) | Err(Stop::Answer(answer)) => answer,
        Err(Stop::Refusal(refusal)) => answers::refused(exchange.forge, &refusal),
    }
}

/// Returns the answer to a client that may not change anything.
fn forbidden(exchange: &Exchange<'_>) -> Option<Answer> {
    if exchange.call.is_read() {
        return None;
    }
    if exchange.caller.account.is_none() {
        return Some(answers::error(exchange.forge, 401, "token is required"));
    }
    let category = if exchange.call.segments.iter().any(|part| part == "issues") { "issue" } else { "repository" };
    let message = format!("token does not have at least one of required scope(s): [write:{category}]");
    (exchange.caller.scope == Scope::Read).then(|| answers::error(exchange.forge, 403, &message))
}

fn route(exchange: &mut Exchange<'_>) -> Outcome {
    let call = exchange.call;
    let segments: Vec<&str> = call.segments.iter().map(String::as_str).collect();
    match (&*call.method, segments.as_slice()) {
        ("GET", ["version"]) => Ok(Answer::json(200, &json!({ "version": VERSION }))),
        ("GET", ["settings", "api"]) => Ok(Answer::json(
            200,
            &json!({
                "max_response_items": 50, "default_paging_num": 30, "default_git_trees_per_page": 1000,
                "default_max_blob_size": 10_485_760,
            }),
        )),
        ("GET", ["user"]) => people::own_user(exchange),
        ("GET", ["users", login]) => people::user(exchange, login),
        ("GET", ["orgs", org, "teams", "search"]) => people::search_teams(exchange, org),
        ("GET", ["orgs", org, "teams"]) => people::teams(exchange, org),
        ("GET", ["teams", id, "members"]) => people::members(exchange, id),
        ("GET", ["teams", id, "members", login]) => people::member(exchange, id, login),
        (method, ["repos", owner, name, rest @ ..]) => {
            if !exchange.forge.is_project(owner, name) || !exchange.caller.may_read(exchange.forge) {
                return Err(Refusal::Missing("repository").into());
            }
            in_project(exchange, method, rest)
        }
        _ => Ok(Answer::text(404, "404 page not found\n").unknown()),
    }
}

fn in_project(exchange: &mut Exchange<'_>, method: &str, path: &[&str]) -> Outcome {
    match (method, path) {
        ("GET", []) => Ok(people::project(exchange)),
        ("GET", ["pulls"]) => Ok(pulls::list(exchange)),
        ("POST", ["pulls"]) => pulls::create(exchange),
        ("GET", ["pulls", number]) => pulls::one(exchange, number),
        ("PATCH", ["pulls", number]) => pulls::edit(exchange, number),
        ("GET", ["pulls", number, "merge"]) => pulls::is_merged(exchange, number),
        ("POST", ["pulls", number, "merge"]) => pulls::merge(exchange, number),
        ("GET", ["pulls", number, "commits"]) => pulls::commits(exchange, number),
        ("GET", ["pulls", number, "files"]) => pulls::files(exchange, number),
        ("GET", ["pulls", number, "reviews"]) => reviews::list(exchange, number),
        ("POST", ["pulls", number, "reviews"]) => reviews::create(exchange, number),
        ("GET", ["pulls", number, "reviews", id]) => reviews::one(exchange, number, id),
        ("DELETE", ["pulls", number, "reviews", id]) => reviews::remove(exchange, number, id),
        ("POST", ["pulls", number, "reviews", id, "dismissals"]) => reviews::dismiss(exchange, number, id, true),
        ("POST", ["pulls", number, "reviews", id, "undismissals"]) => reviews::dismiss(exchange, number, id, false),
        ("GET", ["commits", sha, "pull"]) => pulls::of_commit(exchange, sha),
        ("GET", ["commits", reference, "status"]) => writes::combined(exchange, reference),
        ("GET", ["commits", reference, "statuses"]) | ("GET", ["statuses", reference]) => {
            writes::statuses(exchange, reference)
        }
        ("POST", ["statuses", sha]) => writes::post_status(exchange, sha),
        ("GET", ["issues", "comments", id]) => writes::one_comment(exchange, id),
        ("PATCH", ["issues", "comments", id]) => writes::edit_comment(exchange, id),
        ("DELETE", ["issues", "comments", id]) => writes::remove_comment(exchange, id),
        ("GET", ["issues", number, "comments"]) => writes::comments(exchange, number),
        ("POST", ["issues", number, "comments"]) => writes::comment(exchange, number),
        ("GET", ["collaborators", login, "permission"]) => people::permission(exchange, login),
        ("GET", ["branches", name @ ..]) if !name.is_empty() => people::branch(exchange, &name.join("/")),
        ("GET", ["branch_protections"]) => people::protections(exchange, None),
        ("GET", ["branch_protections", name]) => people::protections(exchange, Some(name)),
        _ => Ok(Answer::text(404, "404 page not found\n").unknown()),
    }
}
