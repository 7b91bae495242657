//! GitLab's notes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::act::Refusal;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::Role;
use super::{answers, json as render};

/// The longest note, in characters.
const MAX_NOTE: usize = 1_000_000;

/// Answers `GET .../merge_requests/{iid}/notes`, newest first unless the client asks otherwise.
pub(crate) fn list(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let forge = &*exchange.forge;
    let pull = exchange.pull_at(number)?;
    let pushes = forge.store.pushes_to(&pull.head_branch).filter(|push| push.at >= pull.created);
    let pushes = pushes.map(|push| (push.id, render::note_of_push(forge, pull.number, push)));
    let written = forge.store.comments_of(pull.number).map(|note| (note.id, render::note(forge, note)));
    let notes: BTreeMap<u64, Value> = pushes.chain(written).collect();
    let mut notes: Vec<Value> = notes.into_values().collect();
    if exchange.call.query("sort") != Some("asc") {
        notes.reverse();
    }
    Ok(answers::page(exchange, notes))
}

/// Answers `POST .../merge_requests/{iid}/notes`.
pub(crate) fn create(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    let number = exchange.pull_at(number)?.number;
    if let Some(answer) = check(exchange) {
        return Ok(answer);
    }
    let note = exchange.forge.comment(by, number, exchange.call.text("body"))?;
    Ok(Answer::json(201, &render::note(exchange.forge, &note)))
}

/// Answers `GET .../notes/{id}`.
pub(crate) fn one(exchange: &Exchange<'_>, number: &str, id: &str) -> Outcome {
    let number = exchange.pull_at(number)?.number;
    let note = exchange.forge.comment_with(request::id(id, "note")?)?;
    if note.pull != number {
        return Err(Refusal::Missing("note").into());
    }
    Ok(Answer::json(200, &render::note(exchange.forge, note)))
}

/// Answers `PUT .../notes/{id}`.
pub(crate) fn edit(exchange: &mut Exchange<'_>, number: &str, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    one(exchange, number, id)?;
    if let Some(answer) = check(exchange) {
        return Ok(answer);
    }
    let note = exchange.forge.edit_comment(by, request::id(id, "note")?, exchange.call.text("body"))?;
    Ok(Answer::json(200, &render::note(exchange.forge, &note)))
}

/// Answers `DELETE .../notes/{id}`.
pub(crate) fn remove(exchange: &mut Exchange<'_>, number: &str, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
    one(exchange, number, id)?;
    exchange.forge.remove_comment(by, request::id(id, "note")?)?;
    Ok(Answer::empty(204))
}

/// Checks the text, and remembers lines that GitLab would execute.
fn check(exchange: &mut Exchange<'_>) -> Option<Answer> {
    let body = exchange.call.text("body");
    if body.is_empty() {
        return Some(answers::error(400, "400 Bad request - Note {:note=>[\"can't be blank\"]}"));
    }
    if body.chars().count() > MAX_NOTE {
        let message = format!("400 Bad request - Note {{:note=>[\"is too long (maximum is {MAX_NOTE} characters)\"]}}");
        return Some(answers::error(400, &message));
    }
    exchange.log.check_text(body);
    None
}
