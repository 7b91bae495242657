//! GitHub's reviews and comments.

use super::super::act::Refusal;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{Role, Verdict};
use super::{answers, json as render};

/// The longest comment, in characters.
const MAX_COMMENT: usize = 65_536;

/// Answers `GET .../pulls/{number}/reviews`, oldest first.
pub(crate) fn list(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let reviews = pull.reviews.iter().map(|review| render::review(exchange.forge, pull, review)).collect();
    Ok(answers::page(exchange, reviews))
}

/// Answers `POST .../pulls/{number}/reviews`.
pub(crate) fn create(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let number = exchange.pull_at(number)?.number;
    let call = exchange.call;
    let verdict = match call.text("event") {
        "APPROVE" => Verdict::Approve,
        "REQUEST_CHANGES" => Verdict::RequestChanges,
        _ => Verdict::Comment,
    };
    if call.text("body").is_empty() && verdict != Verdict::Approve {
        return Ok(answers::error(422, "Unprocessable Entity: a body is required for this event"));
    }
    let id = exchange.forge.review(by, number, verdict, call.optional("commit_id"), call.text("body"))?;
    one(exchange, &number.to_string(), &id.to_string())
}

/// Answers `GET .../pulls/{number}/reviews/{id}`.
pub(crate) fn one(exchange: &Exchange<'_>, number: &str, review: &str) -> Outcome {
    let id = request::id(review, "review")?;
    let pull = exchange.pull_at(number)?;
    let review = pull.reviews.iter().find(|review| review.id == id).ok_or(Refusal::Missing("review"))?;
    Ok(Answer::json(200, &render::review(exchange.forge, pull, review)))
}

/// Answers `PUT .../reviews/{id}/dismissals`.
pub(crate) fn dismiss(exchange: &mut Exchange<'_>, number: &str, review: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let id = request::id(review, "review")?;
    let pull = exchange.pull_at(number)?;
    let found = pull.reviews.iter().find(|review| review.id == id).ok_or(Refusal::Missing("review"))?;
    if found.verdict == Verdict::Comment {
        return Ok(answers::error(422, "Can not dismiss a commented pull request review"));
    }
    let pull = pull.number;
    exchange.forge.set_dismissed(by, pull, id, true)?;
    one(exchange, number, review)
}

/// Answers `GET .../issues/{number}/comments`, oldest first.
pub(crate) fn comments(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let forge = &*exchange.forge;
    let number = exchange.pull_at(number)?.number;
    let comments = forge.store.comments_of(number).map(|comment| render::comment(forge, comment)).collect();
    Ok(answers::page(exchange, comments))
}

/// Answers `POST .../issues/{number}/comments`.
pub(crate) fn comment(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let number = exchange.pull_at(number)?.number;
    if let Some(answer) = check_body(exchange) {
        return Ok(answer);
    }
    let comment = exchange.forge.comment(by, number, exchange.call.text("body"))?;
    let location = format!("{}/issues/comments/{}", render::project(exchange.forge), comment.id);
    Ok(Answer::json(201, &render::comment(exchange.forge, &comment)).with("location", location))
}

/// Answers `GET .../issues/comments/{id}`.
pub(crate) fn one_comment(exchange: &Exchange<'_>, id: &str) -> Outcome {
    let comment = exchange.forge.comment_with(request::id(id, "comment")?)?;
    Ok(Answer::json(200, &render::comment(exchange.forge, comment)))
}

/// Answers `PATCH .../issues/comments/{id}`.
pub(crate) fn edit_comment(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    if let Some(answer) = check_body(exchange) {
        return Ok(answer);
    }
    let body = exchange.call.text("body");
    let comment = exchange.forge.edit_comment(by, request::id(id, "comment")?, body)?;
    Ok(Answer::json(200, &render::comment(exchange.forge, &comment)))
}

/// Answers `DELETE .../issues/comments/{id}`.
pub(crate) fn remove_comment(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    exchange.forge.remove_comment(by, request::id(id, "comment")?)?;
    Ok(Answer::empty(204))
}

fn check_body(exchange: &Exchange<'_>) -> Option<Answer> {
    let body = exchange.call.text("body");
    if body.trim().is_empty() {
        return Some(answers::invalid("IssueComment", "body", "body cannot be blank"));
    }
    answers::check_length("IssueComment", "body", body, MAX_COMMENT)
}
