//! GitHub's statuses and check runs.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{CheckRunRecord, Role, StatusRecord};
use super::{answers, json as render};

/// The most annotations of a request.
const MAX_ANNOTATIONS: usize = 50;

/// Answers `POST .../statuses/{sha}`. Each one is a new row; the case of the context is ignored.
pub(crate) fn post(exchange: &mut Exchange<'_>, sha: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    let context = call.optional("context").unwrap_or("default");
    if !matches!(call.text("state"), "error" | "failure" | "pending" | "success") {
        return Ok(answers::invalid("Status", "state", "state is not included in the list"));
    }
    let too_long = answers::check_length("Status", "description", call.text("description"), 140)
        .or_else(|| answers::check_length("Status", "context", context, 255));
    if let Some(answer) = too_long {
        return Ok(answer);
    }
    if exchange.forge.main.commit(sha)?.is_none() {
        return Ok(answers::error(422, &format!("No commit found for SHA: {sha}")));
    }
    let same = |status: &&StatusRecord| status.context.eq_ignore_ascii_case(context);
    if exchange.forge.store.statuses_of(sha).filter(same).count() >= exchange.forge.options.behavior.max_statuses {
        let message = "Validation failed: This SHA and context has reached the maximum number of statuses.";
        return Ok(answers::invalid_with(&json!(message)));
    }
    let (id, now) = (exchange.forge.store.next_id(), exchange.forge.now);
    let status = StatusRecord {
        id,
        commit: sha.to_owned(),
        context: context.to_owned(),
        state: call.text("state").to_owned(),
        description: call.optional("description").map(str::to_owned),
        target: call.optional("target_url").map(str::to_owned),
        by,
        created: now,
        updated: now,
        branch: String::new(),
        pipeline: 0,
    };
    exchange.forge.store.statuses.push(status.clone());
    Ok(Answer::json(201, &rendered(exchange.forge, &status)))
}

/// Answers `GET .../commits/{ref}/statuses`, newest first.
pub(crate) fn list(exchange: &Exchange<'_>, reference: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.resolve(reference)?.ok_or(Refusal::Missing("commit"))?;
    Ok(answers::page(exchange, forge.store.statuses_of(&sha).map(|status| rendered(forge, status)).collect()))
}

/// Answers `GET .../commits/{ref}/status`: the newest of each context, and their common state.
pub(crate) fn combined(exchange: &Exchange<'_>, reference: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.resolve(reference)?.ok_or(Refusal::Missing("commit"))?;
    let latest = forge.store.latest_statuses(&sha);
    let has = |states: &[&str]| latest.iter().any(|status| states.contains(&&*status.state));
    let state = match () {
        () if has(&["error", "failure"]) => "failure",
        () if latest.is_empty() || has(&["pending"]) => "pending",
        () => "success",
    };
    let all = latest.iter().map(|status| rendered(forge, status)).collect();
    let answer = answers::counted_page(exchange, "statuses", all);
    let mut body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    body["state"] = json!(state);
    body["sha"] = json!(sha);
    body["repository"] = render::repository(forge, forge.owner());
    body["url"] = json!(format!("{}/commits/{sha}/status", render::project(forge)));
    Ok(Answer { body: body.to_string().into_bytes(), ..answer })
}

/// Answers `POST .../check-runs`, which only Apps may use.
pub(crate) fn create_run(exchange: &mut Exchange<'_>) -> Outcome {
    exchange.account_with(Role::Write)?;
    let sha = exchange.call.text("head_sha");
    if let Some(answer) = check_run(exchange) {
        return Ok(answer);
    }
    if exchange.call.text("name").is_empty() || exchange.forge.main.commit(sha)?.is_none() {
        return Ok(answers::error(422, &format!("No commit found for SHA: {sha}")));
    }
    let (id, now) = (exchange.forge.store.next_id(), exchange.forge.now);
    let mut fields = exchange.call.body.clone();
    let annotations = take_annotations(&mut fields);
    let run = CheckRunRecord { id, commit: sha.to_owned(), fields, annotations, created: now };
    exchange.forge.store.check_runs.push(run.clone());
    Ok(Answer::json(201, &run_json(exchange.forge, &run)))
}

/// Answers `PATCH .../check-runs/{id}`. Annotations are added to those that exist.
pub(crate) fn update_run(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    exchange.account_with(Role::Write)?;
    if let Some(answer) = check_run(exchange) {
        return Ok(answer);
    }
    let id = request::id(id, "check run")?;
    let mut changes = exchange.call.body.clone();
    let annotations = take_annotations(&mut changes);
    let runs = &mut exchange.forge.store.check_runs;
    let run = runs.iter_mut().find(|run| run.id == id).ok_or(Refusal::Missing("check run"))?;
    let is_over = run.fields["status"] == "completed" || run.fields.get("conclusion").is_some();
    if is_over && changes.get("status").is_some_and(|status| status != "completed") {
        return Ok(answers::invalid("CheckRun", "status", "a completed check run cannot be started again"));
    }
    run.annotations += annotations;
    if let (Some(fields), Some(changes)) = (run.fields.as_object_mut(), changes.as_object_mut()) {
        fields.append(changes);
    }
    let run = run.clone();
    Ok(Answer::json(200, &run_json(exchange.forge, &run)))
}

/// Answers `GET .../commits/{ref}/check-runs`.
pub(crate) fn runs(exchange: &Exchange<'_>, reference: &str) -> Outcome {
    let forge = &*exchange.forge;
    let sha = forge.main.resolve(reference)?.ok_or(Refusal::Missing("commit"))?;
    let name = exchange.call.query("check_name");
    let wanted = |run: &&CheckRunRecord| run.commit == sha && name.is_none_or(|name| run.fields["name"] == name);
    let runs = forge.store.check_runs.iter().filter(wanted).map(|run| run_json(forge, run)).collect();
    Ok(answers::counted_page(exchange, "check_runs", runs))
}

fn check_run(exchange: &Exchange<'_>) -> Option<Answer> {
    if !exchange.caller.is_installation {
        return Some(answers::error(403, "You must authenticate via a GitHub App."));
    }
    let body = &exchange.call.body;
    let text = |field: &str| body["output"][field].as_str().unwrap_or_default();
    let annotations = body["output"]["annotations"].as_array().map_or(0, Vec::len);
    if annotations > MAX_ANNOTATIONS {
        let message = format!("No more than {MAX_ANNOTATIONS} annotations are allowed in a request");
        return Some(answers::invalid("CheckRun", "annotations", &message));
    }
    if body.get("details_url").is_some_and(|url| url == "") {
        return Some(answers::invalid("CheckRun", "details_url", "details_url must use http or https scheme"));
    }
    answers::check_length("CheckRun", "summary", text("summary"), 65_535)
        .or_else(|| answers::check_length("CheckRun", "text", text("text"), 65_535))
}

fn take_annotations(fields: &mut Value) -> usize {
    let output = fields.get_mut("output").and_then(Value::as_object_mut);
    let annotations = output.and_then(|output| output.remove("annotations"));
    annotations.and_then(|list| list.as_array().map(Vec::len)).unwrap_or_default()
}

fn run_json(forge: &Instance, run: &CheckRunRecord) -> Value {
    let field = |name: &str| run.fields.get(name).cloned().unwrap_or_default();
    let text = |name: &str| run.fields["output"].get(name).cloned().unwrap_or_default();
    let is_over = run.fields.get("conclusion").is_some();
    let status =
        if is_over { json!("completed") } else { run.fields.get("status").cloned().unwrap_or(json!("queued")) };
    json!({
        "id": run.id, "head_sha": run.commit, "name": field("name"), "external_id": field("external_id"),
        "status": status, "conclusion": field("conclusion"), "details_url": field("details_url"),
        "started_at": run.created.to_string(), "completed_at": field("completed_at"),
        "url": format!("{}/check-runs/{}", render::project(forge), run.id),
        "html_url": format!("{}/{}/runs/{}", forge.origin, forge.options.project, run.id),
        "output": {
            "title": text("title"), "summary": text("summary"), "text": text("text"), "annotations_count": run.annotations,
        },
    })
}

fn rendered(forge: &Instance, status: &StatusRecord) -> Value {
    json!({
        "id": status.id, "state": status.state, "context": status.context, "description": status.description,
        "target_url": status.target, "creator": render::user(forge, status.by),
        "created_at": status.created.to_string(), "updated_at": status.updated.to_string(),
        "url": format!("{}/statuses/{}", render::project(forge), status.commit),
    })
}
