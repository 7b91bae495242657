//! GitLab's statuses of commits, after `Ci::CreateCommitStatusService`.

use serde_json::Value;

use super::super::act::Refusal;
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{Role, StatusRecord};
use super::{answers, json as render};

/// Answers `POST /projects/{id}/statuses/{sha}`.
pub(crate) fn post(exchange: &mut Exchange<'_>, sha: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    let too_long = ["ref", "target_url", "description"]
        .into_iter()
        .find_map(|field| answers::check_length(field, call.text(field), 255));
    if let Some(answer) = too_long {
        return Ok(answer);
    }
    if !matches!(call.text("state"), "pending" | "running" | "success" | "failed" | "canceled" | "skipped") {
        let message = "state does not have a valid value";
        return Ok(Answer::json(400, &serde_json::json!({ "error": message })));
    }
    exchange.forge.main.commit(sha)?.ok_or(Refusal::Missing("commit"))?;
    let Some(branch) = branch(exchange, sha)? else {
        return Ok(answers::error(404, "404 References for commit Not Found"));
    };
    let name = call.optional("name").or(call.optional("context")).unwrap_or("default");
    let Some(pipeline) = pipeline(exchange, sha, &branch) else {
        return Ok(answers::error(404, "404 Pipeline Not Found"));
    };
    let now = exchange.forge.now;
    // Only a status of the same account that is not over is updated.
    let same = |status: &StatusRecord| {
        status.commit == sha
            && status.pipeline == pipeline
            && status.branch == branch
            && status.context == name
            && status.by == by
            && matches!(&*status.state, "pending" | "running")
    };
    let found = exchange.forge.store.statuses.iter().position(same);
    let current = found.and_then(|at| exchange.forge.store.statuses.get(at)).map_or("created", |row| &row.state);
    if let Err(message) = transition(current, call.text("state")) {
        return Ok(answers::error(400, &message));
    }
    let id = found.and_then(|at| exchange.forge.store.statuses.get(at)).map(|row| row.id);
    let status = StatusRecord {
        id: id.unwrap_or_else(|| exchange.forge.store.next_id()),
        commit: sha.to_owned(),
        context: name.to_owned(),
        state: call.text("state").to_owned(),
        description: call.optional("description").map(str::to_owned),
        target: call.optional("target_url").map(str::to_owned),
        by,
        created: now,
        updated: now,
        branch,
        pipeline,
    };
    let status = stored(&mut exchange.forge.store.statuses, found, status);
    Ok(Answer::json(201, &render::status(exchange.forge, &status)))
}

/// Stores a status in place of the one that it updates, which keeps what the new one does not name.
fn stored(statuses: &mut Vec<StatusRecord>, found: Option<usize>, mut status: StatusRecord) -> StatusRecord {
    match found.and_then(|at| statuses.get_mut(at)) {
        Some(row) => {
            status.created = row.created;
            status.description = status.description.or_else(|| row.description.take());
            status.target = status.target.or_else(|| row.target.take());
            row.clone_from(&status);
        }
        None => statuses.push(status.clone()),
    }
    status
}

/// Answers `GET /projects/{id}/repository/commits/{sha}/statuses`: without `all` only the newest of each name.
pub(crate) fn list(exchange: &Exchange<'_>, sha: &str) -> Outcome {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let sha = forge.main.resolve(sha)?.ok_or(Refusal::Missing("commit"))?;
    let is = |name: &str, value: &str| call.query(name).is_none_or(|wanted| wanted == value);
    let wanted = |status: &&StatusRecord| is("name", &status.context) && is("ref", &status.branch);
    let mut rows: Vec<&StatusRecord> = Vec::new();
    for status in forge.store.statuses_of(&sha).filter(wanted) {
        let is_older = rows.iter().any(|row| row.context == status.context && row.branch == status.branch);
        if call.query("all") == Some("true") || !is_older {
            rows.push(status);
        }
    }
    rows.sort_by_key(|row| row.id);
    let rows: Vec<Value> = rows.into_iter().map(|row| render::status(forge, row)).collect();
    Ok(answers::page(exchange, rows))
}

/// Checks a transition, with the message of GitLab's state machine.
fn transition(from: &str, to: &str) -> Result<(), String> {
    let event = match (from, to) {
        ("pending" | "running", "pending") => "enqueue",
        ("running", "running") => "run",
        ("running", "skipped") => "skip",
        _ => return Ok(()),
    };
    Err(format!(
        "Cannot transition status via :{event} from :{from} (Reason(s): Status cannot transition via \"{event}\")"
    ))
}

/// Returns the branch that the client named, or one that contains the commit.
fn branch(exchange: &Exchange<'_>, sha: &str) -> Result<Option<String>, Refusal> {
    let named = exchange.call.optional("ref").filter(|name| !name.is_empty());
    let named = named.map(|name| name.trim_start_matches("refs/heads/").to_owned());
    match named {
        Some(name) => Ok(Some(name)),
        None => Ok(exchange.forge.main.branches_with(sha)?.into_iter().next()),
    }
}

/// Returns the newest pipeline of a commit and branch, or a new one; `None` if the client named another one.
fn pipeline(exchange: &mut Exchange<'_>, sha: &str, branch: &str) -> Option<u64> {
    let named = exchange.call.body.get("pipeline_id").and_then(Value::as_u64);
    let of_branch = |status: &&StatusRecord| status.commit == sha && status.branch == branch;
    let newest = exchange.forge.store.statuses.iter().filter(of_branch).map(|status| status.pipeline).max();
    match (named, newest) {
        (Some(named), Some(newest)) if named == newest => Some(newest),
        (Some(_), _) => None,
        (None, Some(newest)) => Some(newest),
        (None, None) => Some(exchange.forge.store.next_id()),
    }
}
