//! Gitea's errors and pages.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{Answer, Call, Exchange, Page, Sizes};

const PAGE: usize = 30;
const MAX_PAGE: usize = 50;

/// Returns an error.
pub(crate) fn error(forge: &Instance, status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({ "message": message, "url": format!("{}/api/swagger", forge.origin) }))
}

/// Returns the answer for something that does not exist.
pub(crate) fn not_found(forge: &Instance) -> Answer {
    let url = format!("{}/api/swagger", forge.origin);
    Answer::json(404, &json!({ "errors": [], "message": "The target couldn't be found.", "url": url }))
}

/// Returns the answer for a reason.
pub(crate) fn refused(forge: &Instance, refusal: &Refusal) -> Answer {
    let text = |status, message: &str| error(forge, status, message);
    match refusal {
        Refusal::Missing(_) => not_found(forge),
        Refusal::Forbidden => text(403, "user should have a permission to write to a repo"),
        Refusal::OwnPull(true) => text(422, "approve your own pull is not allowed"),
        Refusal::OwnPull(false) => text(422, "reject your own pull is not allowed"),
        Refusal::Closed => text(403, "not need to dismiss this review because pr is closed"),
        Refusal::NotClosed => text(412, "cannot reopen this pull request because it was merged"),
        Refusal::Conflict => text(409, "merge conflict"),
        Refusal::HeadMoved => text(409, "head out of date"),
        Refusal::AlreadyOpen => text(409, "pull request already exists for these targets"),
        Refusal::NoCommits => text(422, "no changes between the head and the base"),
        Refusal::Protected(_) => text(405, "Does not have enough approvals"),
        Refusal::Git(failed) => text(500, &failed.to_string()),
    }
}

/// Returns a page with `Link` and `X-Total-Count`.
pub(crate) fn page(exchange: &Exchange<'_>, all: Vec<Value>) -> Answer {
    let page = cut(exchange.forge, exchange.call, all);
    let total = page.total.to_string();
    let address = format!("{}/api/v1/{}", exchange.forge.origin, exchange.call.segments.join("/"));
    let link = page.link(exchange.call, &address);
    let answer = page.answer().with("x-total-count", total);
    match link {
        Some(link) => answer.with("link", link),
        None => answer,
    }
}

/// Returns a page with only `X-Total-Count`, as the list of reviews is.
pub(crate) fn counted_page(exchange: &Exchange<'_>, all: Vec<Value>) -> Answer {
    let page = cut(exchange.forge, exchange.call, all);
    let total = page.total.to_string();
    page.answer().with("x-total-count", total)
}

fn cut(forge: &Instance, call: &Call, all: Vec<Value>) -> Page {
    let max = forge.options.behavior.page_limit.unwrap_or(MAX_PAGE).min(MAX_PAGE);
    Page::of(call, all, &Sizes { parameter: "limit", default: PAGE.min(max), max })
}
