//! GitLab's errors and pages.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::request::{Answer, Exchange, Page, Sizes, encoded};

const PAGE: usize = 20;
const MAX_PAGE: usize = 100;

/// Returns an error.
pub(crate) fn error(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({ "message": message }))
}

/// Returns the error for a field with a wrong value.
pub(crate) fn invalid(field: &str, message: &str) -> Answer {
    Answer::json(400, &json!({ "message": { field: [message] } }))
}

/// Returns the error for a string that is too long.
pub(crate) fn check_length(field: &str, text: &str, max: usize) -> Option<Answer> {
    (text.chars().count() > max).then(|| invalid(field, &format!("is too long (maximum is {max} characters)")))
}

/// Returns the answer for a reason.
pub(crate) fn refused(exchange: &Exchange<'_>, refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::Missing("project") => error(404, "404 Project Not Found"),
        Refusal::Missing("commit") => error(404, "404 Commit Not Found"),
        Refusal::Missing(_) => error(404, "404 Not found"),
        Refusal::Forbidden if exchange.caller.account.is_none() => error(401, "401 Unauthorized"),
        Refusal::Forbidden => error(403, "403 Forbidden"),
        Refusal::OwnPull(_) => error(401, "401 Unauthorized"),
        Refusal::Closed | Refusal::NotClosed | Refusal::Protected(_) => error(405, "405 Method Not Allowed"),
        Refusal::Conflict => error(422, "Branch cannot be merged"),
        Refusal::HeadMoved => {
            let sha = exchange.call.text("sha");
            error(409, &format!("SHA does not match HEAD of source branch: {sha}"))
        }
        Refusal::AlreadyOpen => {
            let message = "Another open merge request already exists for this source branch";
            Answer::json(409, &json!({ "message": [message] }))
        }
        Refusal::NoCommits => error(400, "The source branch has no changes"),
        Refusal::Git(failed) => error(500, &failed.to_string()),
    }
}

/// Returns a page with its headers.
pub(crate) fn page(exchange: &Exchange<'_>, all: Vec<Value>) -> Answer {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let max = forge.options.behavior.page_limit.unwrap_or(MAX_PAGE).min(MAX_PAGE);
    let page = Page::of(call, all, &Sizes { parameter: "per_page", default: PAGE.min(max), max });
    let path: Vec<String> = call.segments.iter().map(|segment| encoded(segment)).collect();
    let link = page.link(call, &format!("{}/api/v4/{}", forge.origin, path.join("/")));
    let (number, last) = (page.number, page.last());
    let other = |number: Option<usize>| number.map(|number| number.to_string()).unwrap_or_default();
    let headers = [
        ("x-page", number.to_string()),
        ("x-per-page", page.size.to_string()),
        ("x-next-page", other((number < last).then_some(number + 1))),
        ("x-prev-page", other((number > 1).then(|| number - 1))),
        ("x-total", page.total.to_string()),
        ("x-total-pages", last.to_string()),
    ];
    let answer = headers.into_iter().fold(page.answer(), |answer, (name, value)| answer.with(name, value));
    match link {
        Some(link) => answer.with("link", link),
        None => answer,
    }
}
