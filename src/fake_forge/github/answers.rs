//! GitHub's errors, pages and conditional answers.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{Answer, Call, Exchange, Page, Sizes};

const PAGE: usize = 30;
const MAX_PAGE: usize = 100;

/// Returns an error.
pub(crate) fn error(status: u16, message: &str) -> Answer {
    let url = "https://docs.github.com/rest";
    Answer::json(status, &json!({ "message": message, "documentation_url": url, "status": status.to_string() }))
}

/// Returns the error for a wrong field.
pub(crate) fn invalid(resource: &str, field: &str, message: &str) -> Answer {
    let error = json!({ "resource": resource, "code": "custom", "field": field, "message": message });
    invalid_with(&json!([error]))
}

/// Returns a validation error. GitHub's `errors` is a list of objects, a list of strings, or a string.
pub(crate) fn invalid_with(errors: &Value) -> Answer {
    let url = "https://docs.github.com/rest";
    let body = json!({ "message": "Validation Failed", "errors": errors, "documentation_url": url, "status": "422" });
    Answer::json(422, &body)
}

/// Returns the error for a string that is too long.
pub(crate) fn check_length(resource: &str, field: &str, text: &str, max: usize) -> Option<Answer> {
    let message = format!("{field} is too long (maximum is {max} characters)");
    (text.chars().count() > max).then(|| invalid(resource, field, &message))
}

/// Returns the answer for a reason.
pub(crate) fn refused(exchange: &Exchange<'_>, refusal: &Refusal) -> Answer {
    match refusal {
        Refusal::Missing(_) => error(404, "Not Found"),
        Refusal::Forbidden if exchange.caller.account.is_none() => error(401, "Requires authentication"),
        Refusal::Forbidden if exchange.caller.is_installation => error(403, "Resource not accessible by integration"),
        Refusal::Forbidden => error(403, "Resource not accessible by personal access token"),
        Refusal::OwnPull(is_approval) => {
            let what = if *is_approval { "approve" } else { "request changes on" };
            let message = format!("Can not {what} your own pull request");
            let url = "https://docs.github.com/rest";
            Answer::json(
                422,
                &json!({
                    "message": "Unprocessable Entity", "errors": [message], "documentation_url": url, "status": "422",
                }),
            )
        }
        Refusal::Closed | Refusal::Conflict => error(405, "Pull Request is not mergeable"),
        Refusal::NotClosed => invalid("PullRequest", "state", "Cannot change the state of a merged pull request"),
        Refusal::HeadMoved => error(409, "Head branch was modified. Review and try the merge again."),
        Refusal::AlreadyOpen => {
            let head = exchange.call.text("head");
            let head = if head.contains(':') { head.to_owned() } else { format!("{}:{head}", exchange.forge.owner()) };
            let message = format!("A pull request already exists for {head}.");
            invalid_with(&json!([{ "resource": "PullRequest", "code": "custom", "message": message }]))
        }
        Refusal::NoCommits => {
            let (base, head) = (exchange.call.text("base"), exchange.call.text("head"));
            let message = format!("No commits between {base} and {head}");
            invalid_with(&json!([{ "resource": "PullRequest", "code": "custom", "message": message }]))
        }
        Refusal::Protected(why) => error(405, why),
        Refusal::Git(failed) => error(500, &failed.to_string()),
    }
}

/// Returns a page with `Link`, which leads to the number of the repository instead of its name.
pub(crate) fn page(exchange: &Exchange<'_>, all: Vec<Value>) -> Answer {
    let page = cut(exchange.forge, exchange.call, all);
    let link = page.link(exchange.call, &address(exchange));
    with_link(page.answer(), link)
}

/// Returns a page of a list that is in a field of an object, beside the number of all its items.
pub(crate) fn counted_page(exchange: &Exchange<'_>, field: &str, all: Vec<Value>) -> Answer {
    let page = cut(exchange.forge, exchange.call, all);
    let link = page.link(exchange.call, &address(exchange));
    let mut body = json!({ "total_count": page.total });
    body[field] = Value::Array(page.items);
    with_link(Answer::json(200, &body), link)
}

/// Adds `ETag`, and answers 304 if the client has this answer already.
pub(crate) fn conditional(call: &Call, answer: Answer) -> Answer {
    if call.method != "GET" || answer.status != 200 {
        return answer;
    }
    let mut hash = Sha256::new();
    hash.update(&answer.body);
    for (name, value) in answer.headers.iter().filter(|(name, _)| name == "link") {
        hash.update(name);
        hash.update(value);
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let etag = format!("W/\"{digest}\"");
    let strong = etag.trim_start_matches("W/");
    let known = call.header("if-none-match").unwrap_or_default();
    if known.split(',').any(|known| known.trim().trim_start_matches("W/") == strong) {
        return Answer::empty(304).with("etag", etag);
    }
    answer.with("etag", etag).with("cache-control", "private, max-age=60, s-maxage=60")
}

fn cut(forge: &Instance, call: &Call, all: Vec<Value>) -> Page {
    let max = forge.options.behavior.page_limit.unwrap_or(MAX_PAGE).min(MAX_PAGE);
    Page::of(call, all, &Sizes { parameter: "per_page", default: PAGE.min(max), max })
}

fn address(exchange: &Exchange<'_>) -> String {
    let root = format!("{}/api/v3", exchange.forge.origin);
    let id = exchange.forge.project_id(exchange.forge.owner());
    match exchange.call.segments.as_slice() {
        [first, _, _, rest @ ..] if first == "repos" => format!("{root}/repositories/{id}/{}", rest.join("/")),
        segments => format!("{root}/{}", segments.join("/")),
    }
}

fn with_link(answer: Answer, link: Option<String>) -> Answer {
    match link {
        Some(link) => answer.with("link", link),
        None => answer,
    }
}
