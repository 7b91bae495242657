//! Gitea's reviews.

use super::super::act::Refusal;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{Role, Verdict};
use super::{answers, json as render};

/// Answers `GET .../pulls/{number}/reviews`, oldest first.
pub(crate) fn list(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let reviews = pull.reviews.iter().map(|review| render::review(exchange.forge, pull, review)).collect();
    Ok(answers::counted_page(exchange, reviews))
}

/// Answers `POST .../pulls/{number}/reviews`.
pub(crate) fn create(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let pull = exchange.pull_at(number)?;
    let number = pull.number;
    let verdict = match exchange.call.text("event") {
        "APPROVED" | "APPROVE" => Verdict::Approve,
        "REQUEST_CHANGES" => Verdict::RequestChanges,
        _ => Verdict::Comment,
    };
    let body = exchange.call.text("body");
    if body.is_empty() && verdict != Verdict::Approve {
        return Ok(answers::error(exchange.forge, 422, "review event COMMENT requires a body or a comment"));
    }
    if !pull.is_open() && verdict != Verdict::Comment {
        return Ok(answers::error(exchange.forge, 422, "pull request is closed"));
    }
    let id = exchange.forge.review(by, number, verdict, exchange.call.optional("commit_id"), body)?;
    one(exchange, &number.to_string(), &id.to_string())
}

/// Answers `GET .../pulls/{number}/reviews/{id}`.
pub(crate) fn one(exchange: &Exchange<'_>, number: &str, review: &str) -> Outcome {
    let id = request::id(review, "review")?;
    let pull = exchange.pull_at(number)?;
    let review = pull.reviews.iter().find(|review| review.id == id).ok_or(Refusal::Missing("review"))?;
    Ok(Answer::json(200, &render::review(exchange.forge, pull, review)))
}

/// Answers `POST .../reviews/{id}/dismissals` and `/undismissals`.
pub(crate) fn dismiss(exchange: &mut Exchange<'_>, number: &str, review: &str, is_dismissed: bool) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let pull = exchange.pull_at(number)?.number;
    exchange.forge.set_dismissed(by, pull, request::id(review, "review")?, is_dismissed)?;
    one(exchange, number, review)
}

/// Answers `DELETE .../pulls/{number}/reviews/{id}`.
pub(crate) fn remove(exchange: &mut Exchange<'_>, number: &str, review: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let id = request::id(review, "review")?;
    let number = exchange.pull_at(number)?.number;
    let pull = exchange.forge.pull_mut(number)?;
    let before = pull.reviews.len();
    pull.reviews.retain(|review| review.id != id || review.by != by);
    if pull.reviews.len() == before { Err(Refusal::Missing("review").into()) } else { Ok(Answer::empty(204)) }
}
