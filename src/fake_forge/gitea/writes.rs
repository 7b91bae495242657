//! Gitea's comments and statuses.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{Role, StatusRecord};
use super::{answers, json as render};

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
    let body = exchange.call.text("body");
    if body.is_empty() {
        return Ok(answers::error(exchange.forge, 422, "[Body]: Required"));
    }
    let comment = exchange.forge.comment(by, number, body)?;
    Ok(Answer::json(201, &render::comment(exchange.forge, &comment)))
}

/// Answers `GET .../issues/comments/{id}`.
pub(crate) fn one_comment(exchange: &Exchange<'_>, id: &str) -> Outcome {
    let comment = exchange.forge.comment_with(request::id(id, "comment")?)?;
    Ok(Answer::json(200, &render::comment(exchange.forge, comment)))
}

/// Answers `PATCH .../issues/comments/{id}`.
pub(crate) fn edit_comment(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Read)?;
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

/// Answers `POST .../statuses/{sha}`. Each one is a new row.
pub(crate) fn post_status(exchange: &mut Exchange<'_>, sha: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    let (state, context) = (call.text("state"), call.optional("context").filter(|context| !context.is_empty()));
    if !matches!(state, "pending" | "success" | "error" | "failure" | "warning") {
        return Ok(answers::error(exchange.forge, 422, &format!("unknown state {state:?}")));
    }
    if exchange.forge.main.commit(sha)?.is_none() {
        let status = if exchange.forge.options.behavior.fails_on_unknown_commits { 500 } else { 404 };
        let message = format!("object does not exist [id: {sha}, rel_path: ]");
        return Ok(answers::error(exchange.forge, status, &message));
    }
    let (id, now) = (exchange.forge.store.next_id(), exchange.forge.now);
    let status = StatusRecord {
        id,
        commit: sha.to_owned(),
        context: context.unwrap_or("default").to_owned(),
        state: state.to_owned(),
        description: call.optional("description").map(str::to_owned),
        target: call.optional("target_url").map(str::to_owned),
        by,
        created: now,
        updated: now,
        branch: String::new(),
        pipeline: 0,
    };
    exchange.forge.store.statuses.push(status.clone());
    Ok(Answer::json(201, &render::status(exchange.forge, &status)))
}

/// Answers `GET .../commits/{ref}/statuses` and `.../statuses/{ref}`, newest first.
pub(crate) fn statuses(exchange: &Exchange<'_>, reference: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.resolve(reference)?.ok_or(Refusal::Missing("commit"))?;
    let statuses = forge.store.statuses_of(&sha).map(|status| render::status(forge, status)).collect();
    Ok(answers::page(exchange, statuses))
}

/// Answers `GET .../commits/{ref}/status`: the worst of the newest of each context.
pub(crate) fn combined(exchange: &Exchange<'_>, reference: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.resolve(reference)?.ok_or(Refusal::Missing("commit"))?;
    let latest = forge.store.latest_statuses(&sha);
    let worst = ["error", "failure", "warning", "pending", "success"]
        .into_iter()
        .find(|state| latest.iter().any(|status| status.state == *state));
    let statuses: Vec<Value> = latest.iter().map(|status| render::status(forge, status)).collect();
    let url = format!("{}/api/v1/repos/{}", forge.origin, forge.options.project);
    let body = json!({
        "state": worst.unwrap_or_default(), "sha": sha, "total_count": statuses.len(), "statuses": statuses,
        "repository": render::repository(forge, forge.owner()), "commit_url": format!("{url}/git/commits/{sha}"),
        "url": format!("{url}/commits/{sha}/status"),
    });
    Ok(Answer::json(200, &body))
}
