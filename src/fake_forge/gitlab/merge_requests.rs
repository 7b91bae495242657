//! GitLab's merge requests.

use serde_json::{Value, json};

use super::super::act::{NewPull, Refusal};
use super::super::git::Method;
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{PullRecord, Role};
use super::{answers, json as render};

/// Answers `GET /projects/{id}/merge_requests`.
pub(crate) fn list(exchange: &Exchange<'_>) -> Answer {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let is = |name: &str, value: &str| call.query(name).is_none_or(|wanted| wanted == value);
    let wanted = |pull: &&PullRecord| {
        let state = render::pull(forge, pull)["state"].clone();
        call.query("state").is_none_or(|wanted| wanted == "all" || state == wanted)
            && is("target_branch", &pull.base_branch)
            && is("source_branch", &pull.head_branch)
    };
    let mut pulls: Vec<&PullRecord> = forge.store.pulls.values().filter(wanted).collect();
    if call.query("order_by") == Some("updated_at") {
        pulls.sort_by_key(|pull| pull.updated);
    }
    if call.query("sort") != Some("asc") {
        pulls.reverse();
    }
    answers::page(exchange, pulls.into_iter().map(|pull| render::pull(forge, pull)).collect())
}

/// Answers `POST /projects/{id}/merge_requests`.
pub(crate) fn create(exchange: &mut Exchange<'_>) -> Outcome {
    let author = exchange.account_with(Role::Write)?;
    let (call, owner) = (exchange.call, exchange.forge.owner().to_owned());
    let title = call.text("title");
    let new = NewPull {
        author,
        head_owner: &owner,
        head_branch: call.text("source_branch"),
        base_branch: call.text("target_branch"),
        title,
        body: call.text("description"),
        is_draft: title.starts_with("Draft:"),
    };
    let number = match exchange.forge.open_pull(&new) {
        Err(Refusal::Missing("head")) => return Ok(answers::invalid("source_branch", "does not exist")),
        Err(Refusal::Missing("base")) => return Ok(answers::invalid("target_branch", "does not exist")),
        opened => opened?,
    };
    one(exchange, &number.to_string()).map(|answer| Answer { status: 201, ..answer })
}

/// Answers `GET .../merge_requests/{iid}`.
pub(crate) fn one(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?.clone();
    let forge = &mut *exchange.forge;
    let mut body = render::pull(forge, &pull);
    if let Some(version) = pull.versions.last() {
        let files = forge.main.changed_files(&version.base, &pull.head)?;
        body["changes_count"] = json!(files.len().to_string());
        body["diff_refs"] = json!({ "base_sha": version.base, "head_sha": version.head, "start_sha": version.start });
        if exchange.call.query("include_diverged_commits_count") == Some("true") {
            let tip = forge.main.resolve(&pull.base_branch)?.unwrap_or_default();
            body["diverged_commits_count"] = json!(forge.main.commits_between(&pull.head, &tip)?.len());
        }
    }
    if pull.is_open() && !forge.fits(&pull)? {
        body["has_conflicts"] = json!(true);
        body["detailed_merge_status"] = json!("conflict");
        body["merge_status"] = json!("cannot_be_merged");
    }
    if pull.is_open() && !pull.is_mergeable_known && forge.options.behavior.computes_mergeable {
        body["detailed_merge_status"] = json!("checking");
        body["merge_status"] = json!("checking");
    }
    forge.pull_mut(pull.number)?.is_mergeable_known = true;
    Ok(Answer::json(200, &body))
}

/// Answers `PUT .../merge_requests/{iid}`.
pub(crate) fn edit(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let id = exchange.pull_at(number)?.number;
    let (call, now) = (exchange.call, exchange.forge.now);
    match call.text("state_event") {
        "close" => exchange.forge.set_open(by, id, false)?,
        "reopen" => exchange.forge.set_open(by, id, true)?,
        _ => {}
    }
    let pull = exchange.forge.pull_mut(id)?;
    for (field, value) in [("title", &mut pull.title), ("description", &mut pull.body)] {
        if let Some(text) = call.optional(field) {
            text.clone_into(value);
            pull.updated = now;
        }
    }
    one(exchange, number)
}

/// Answers `PUT .../merge_requests/{iid}/merge`.
pub(crate) fn merge(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let pull = exchange.pull_at(number)?;
    let (id, expected) = (pull.number, exchange.call.text("sha"));
    if !expected.is_empty() && expected != pull.head {
        return Err(Refusal::HeadMoved.into());
    }
    let method = if exchange.call.flag("squash") == Some(true) { Method::Squash } else { Method::Merge };
    exchange.forge.merge(by, id, method, exchange.call.text("merge_commit_message"))?;
    one(exchange, number)
}

/// Answers `GET .../merge_requests/{iid}/commits`, newest first.
pub(crate) fn commits(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let commits = exchange.forge.main.commits_between(base, &pull.head)?;
    let commits = commits.iter().rev().map(|commit| render::commit(exchange.forge, commit)).collect();
    Ok(answers::page(exchange, commits))
}

/// Answers `GET .../merge_requests/{iid}/versions`, newest first.
pub(crate) fn versions(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let mut versions: Vec<Value> = Vec::new();
    for version in pull.versions.iter().rev() {
        let files = exchange.forge.main.changed_files(&version.base, &version.head)?;
        let patch = exchange.forge.main.patch_id(&version.base, &version.head)?;
        versions.push(json!({
            "id": version.id, "head_commit_sha": version.head, "base_commit_sha": version.base,
            "start_commit_sha": version.start, "created_at": render::time(version.at),
            "merge_request_id": exchange.forge.project_id(exchange.forge.owner()) + pull.number, "state": "collected",
            "real_size": files.len().to_string(), "patch_id_sha": patch,
        }));
    }
    Ok(answers::page(exchange, versions))
}

/// Answers `GET /projects/{id}/repository/commits/{sha}/merge_requests`.
pub(crate) fn of_commit(exchange: &Exchange<'_>, sha: &str) -> Outcome {
    let forge = &*exchange.forge;
    let commit = forge.main.resolve(sha)?.ok_or(Refusal::Missing("commit"))?;
    let pulls = forge.pulls_with(&commit)?;
    Ok(answers::page(exchange, pulls.into_iter().map(|pull| render::pull(forge, pull)).collect()))
}

/// Answers `GET /projects/{id}/repository/commits/{sha}`.
pub(crate) fn commit(exchange: &Exchange<'_>, sha: &str) -> Outcome {
    let commit = exchange.forge.main.commit(sha)?.ok_or(Refusal::Missing("commit"))?;
    Ok(Answer::json(200, &render::commit(exchange.forge, &commit)))
}
