//! GitHub's deployments.

use serde_json::{Value, json};

use super::super::act::Refusal;
use super::super::instance::Instance;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{DeploymentRecord, DeploymentState, Role};
use super::{answers, json as render};

/// Answers `POST .../deployments`.
///
/// Unless the client asks otherwise, GitHub merges the default branch first, and wants all statuses to be good.
pub(crate) fn create(exchange: &mut Exchange<'_>) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    let reference = call.text("ref");
    let Some(commit) = exchange.forge.main.resolve(reference)? else {
        return Ok(answers::error(422, &format!("No ref found for: {reference}")));
    };
    if let Some(answer) = answers::check_length("Deployment", "description", call.text("description"), 140) {
        return Ok(answer);
    }
    if let Some(answer) = surprise(exchange, reference, &commit)? {
        return Ok(answer);
    }
    let (id, now) = (exchange.forge.store.next_id(), exchange.forge.now);
    let environment = call.optional("environment").unwrap_or("production");
    let deployment = DeploymentRecord {
        id,
        commit,
        reference: reference.to_owned(),
        environment: environment.to_owned(),
        task: call.optional("task").unwrap_or("deploy").to_owned(),
        description: call.text("description").to_owned(),
        payload: call.body.get("payload").cloned().unwrap_or_else(|| json!({})),
        is_transient: call.flag("transient_environment").unwrap_or(false),
        is_production: call.flag("production_environment").unwrap_or(environment == "production"),
        by,
        created: now,
        states: Vec::new(),
    };
    exchange.forge.store.deployments.push(deployment.clone());
    Ok(Answer::json(201, &rendered(exchange.forge, &deployment)))
}

/// Answers `GET .../deployments`, newest first.
pub(crate) fn list(exchange: &Exchange<'_>) -> Outcome {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let is = |name: &str, value: &str| call.query(name).is_none_or(|wanted| wanted == value || wanted == "none");
    let wanted = |deployment: &&DeploymentRecord| {
        is("sha", &deployment.commit)
            && is("ref", &deployment.reference)
            && is("environment", &deployment.environment)
            && is("task", &deployment.task)
    };
    let found = forge.store.deployments.iter().rev().filter(wanted);
    Ok(answers::page(exchange, found.map(|deployment| rendered(forge, deployment)).collect()))
}

/// Answers `GET .../deployments/{id}`.
pub(crate) fn one(exchange: &Exchange<'_>, id: &str) -> Outcome {
    Ok(Answer::json(200, &rendered(exchange.forge, find(exchange, id)?)))
}

/// Answers `GET .../deployments/{id}/statuses`, newest first.
pub(crate) fn statuses(exchange: &Exchange<'_>, id: &str) -> Outcome {
    let deployment = find(exchange, id)?;
    let states = deployment.states.iter().rev().map(|state| state_json(exchange.forge, deployment, state)).collect();
    Ok(answers::page(exchange, states))
}

/// Answers `POST .../deployments/{id}/statuses`. A success can make earlier deployments inactive.
pub(crate) fn post_status(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    let state = call.text("state");
    if !matches!(state, "queued" | "pending" | "in_progress" | "success" | "failure" | "error" | "inactive") {
        return Ok(answers::invalid("DeploymentStatus", "state", "state is not included in the list"));
    }
    if let Some(answer) = answers::check_length("DeploymentStatus", "description", call.text("description"), 140) {
        return Ok(answer);
    }
    let id = find(exchange, id)?.id;
    let forge = &mut *exchange.forge;
    let (status_id, at) = (forge.store.next_id(), forge.now);
    let new = |id: u64, state: &str| DeploymentState {
        id,
        state: state.to_owned(),
        description: call.text("description").to_owned(),
        log: call.text("log_url").to_owned(),
        by,
        at,
    };
    let (mut environment, mut added) = (String::new(), None);
    for deployment in forge.store.deployments.iter_mut().filter(|deployment| deployment.id == id) {
        deployment.states.push(new(status_id, state));
        environment.clone_from(&deployment.environment);
        added = Some(deployment.clone());
    }
    if state == "success" && call.flag("auto_inactive") != Some(false) {
        let earlier = forge.store.deployments.iter_mut().filter(|other| {
            other.id < id
                && other.environment == environment
                && other.state() == "success"
                && !other.is_transient
                && !other.is_production
        });
        earlier.for_each(|other| other.states.push(new(status_id, "inactive")));
    }
    let deployment = added.ok_or(Refusal::Missing("deployment"))?;
    let state = new(status_id, state);
    Ok(Answer::json(201, &state_json(forge, &deployment, &state)))
}

/// Returns what GitHub does if the client did not turn it off: 202 after a merge, or 409 if statuses are not good.
fn surprise(exchange: &mut Exchange<'_>, reference: &str, commit: &str) -> Result<Option<Answer>, Refusal> {
    let call = exchange.call;
    let forge = &mut *exchange.forge;
    let default = forge.options.default_branch.clone();
    let branches = forge.main.branches()?;
    let tip = branches.get(&default).map_or("", String::as_str);
    let is_behind = branches.contains_key(reference) && !forge.main.is_ancestor(tip, commit)?;
    if call.flag("auto_merge") != Some(false) && is_behind {
        let message = format!("Auto-merged {default} into {reference} on deployment.");
        return Ok(Some(Answer::json(202, &json!({ "message": message }))));
    }
    let required = call.body.get("required_contexts").and_then(Value::as_array);
    let latest = forge.store.latest_statuses(commit);
    let is_bad = latest.iter().any(|status| {
        status.state != "success" && required.is_none_or(|contexts| contexts.contains(&json!(status.context)))
    });
    Ok(is_bad.then(|| {
        let message = format!("Conflict: Commit status checks failed for {reference}.");
        let error = json!({ "resource": "Deployment", "field": "required_contexts", "code": "invalid" });
        Answer::json(409, &json!({ "message": message, "errors": [error], "status": "409" }))
    }))
}

fn find<'a>(exchange: &'a Exchange<'_>, id: &str) -> Result<&'a DeploymentRecord, Refusal> {
    let id = request::id(id, "deployment")?;
    let found = exchange.forge.store.deployments.iter().find(|deployment| deployment.id == id);
    found.ok_or(Refusal::Missing("deployment"))
}

fn rendered(forge: &Instance, deployment: &DeploymentRecord) -> Value {
    let url = format!("{}/deployments/{}", render::project(forge), deployment.id);
    let updated = deployment.states.last().map_or(deployment.created, |state| state.at);
    json!({
        "id": deployment.id, "sha": deployment.commit, "ref": deployment.reference, "task": deployment.task,
        "environment": deployment.environment, "original_environment": deployment.environment,
        "payload": deployment.payload, "description": deployment.description,
        "transient_environment": deployment.is_transient, "production_environment": deployment.is_production,
        "creator": render::user(forge, deployment.by), "created_at": deployment.created.to_string(),
        "updated_at": updated.to_string(), "statuses_url": format!("{url}/statuses"), "url": url,
    })
}

fn state_json(forge: &Instance, deployment: &DeploymentRecord, state: &DeploymentState) -> Value {
    let url = format!("{}/deployments/{}", render::project(forge), deployment.id);
    json!({
        "id": state.id, "state": state.state, "description": state.description, "log_url": state.log,
        "environment": deployment.environment, "environment_url": "", "creator": render::user(forge, state.by),
        "created_at": state.at.to_string(), "updated_at": state.at.to_string(),
        "deployment_url": url, "url": format!("{url}/statuses/{}", state.id),
    })
}
