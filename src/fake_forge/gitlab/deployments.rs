//! GitLab's deployments.

use serde_json::Value;

use super::super::act::Refusal;
use super::super::request::{self, Answer, Exchange, Outcome};
use super::super::state::{DeploymentRecord, DeploymentState, Role};
use super::{answers, json as render};

/// Answers `POST /projects/{id}/deployments`.
pub(crate) fn create(exchange: &mut Exchange<'_>) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let call = exchange.call;
    if !is_state(call.text("status")) {
        return Ok(answers::error(400, "400 Bad request - status does not have a valid value"));
    }
    let Some(commit) = exchange.forge.main.resolve(call.text("sha"))? else {
        return Ok(answers::invalid("sha", "The commit does not exist"));
    };
    if exchange.forge.main.resolve(call.text("ref"))?.is_none() {
        return Ok(answers::invalid("ref", "The branch or tag does not exist"));
    }
    let state = new_state(exchange, by);
    let deployment = DeploymentRecord {
        id: exchange.forge.store.next_id(),
        commit,
        reference: call.text("ref").to_owned(),
        environment: call.text("environment").to_owned(),
        task: String::new(),
        description: String::new(),
        payload: Value::Null,
        is_transient: false,
        is_production: false,
        by,
        created: exchange.forge.now,
        states: vec![state],
    };
    exchange.forge.store.deployments.push(deployment.clone());
    Ok(Answer::json(201, &render::deployment(exchange.forge, &deployment)))
}

/// Answers `PUT /projects/{id}/deployments/{id}`.
pub(crate) fn edit(exchange: &mut Exchange<'_>, id: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let id = request::id(id, "deployment")?;
    let status = exchange.call.text("status");
    let state = new_state(exchange, by);
    let deployments = &mut exchange.forge.store.deployments;
    let found = deployments.iter_mut().find(|deployment| deployment.id == id).ok_or(Refusal::Missing("deployment"))?;
    if !is_state(status) || found.state() == status || status == "running" {
        let message = format!("Status cannot transition from \"{}\" to \"{status}\"", found.state());
        return Ok(answers::invalid("status", &message));
    }
    found.states = vec![state];
    let deployment = found.clone();
    Ok(Answer::json(200, &render::deployment(exchange.forge, &deployment)))
}

/// Answers `GET /projects/{id}/deployments/{id}`.
pub(crate) fn one(exchange: &Exchange<'_>, id: &str) -> Outcome {
    let id = request::id(id, "deployment")?;
    let found = exchange.forge.store.deployments.iter().find(|deployment| deployment.id == id);
    let deployment = found.ok_or(Refusal::Missing("deployment"))?;
    Ok(Answer::json(200, &render::deployment(exchange.forge, deployment)))
}

/// Answers `GET /projects/{id}/deployments`, oldest first unless the client asks otherwise.
pub(crate) fn list(exchange: &Exchange<'_>) -> Outcome {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let is = |name: &str, value: &str| call.query(name).is_none_or(|wanted| wanted == value);
    let wanted = |one: &&DeploymentRecord| is("environment", &one.environment) && is("status", one.state());
    let mut found: Vec<Value> =
        forge.store.deployments.iter().filter(wanted).map(|one| render::deployment(forge, one)).collect();
    if call.query("sort") == Some("desc") {
        found.reverse();
    }
    Ok(answers::page(exchange, found))
}

fn is_state(state: &str) -> bool {
    matches!(state, "created" | "running" | "success" | "failed" | "canceled" | "blocked")
}

fn new_state(exchange: &mut Exchange<'_>, by: u64) -> DeploymentState {
    let (id, at) = (exchange.forge.store.next_id(), exchange.forge.now);
    let state = exchange.call.text("status").to_owned();
    DeploymentState { id, state, description: String::new(), log: String::new(), by, at }
}
