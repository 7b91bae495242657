//! GitHub's pull requests.

use serde_json::{Value, json};

use super::super::act::{NewPull, Refusal};
use super::super::git::{ChangedFile, Method};
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{PullRecord, Role};
use super::{answers, json as render};

/// The most commits and files that GitHub lists.
const MAX_COMMITS: usize = 250;
const MAX_FILES: usize = 3000;

/// Answers `GET /repos/{owner}/{repo}/pulls`.
pub(crate) fn list(exchange: &Exchange<'_>) -> Answer {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let state = call.query("state").unwrap_or("open");
    let wanted = |pull: &&PullRecord| {
        (state == "all" || pull.state_name() == state)
            && call.query("base").is_none_or(|base| pull.base_branch == base)
            && call.query("head").is_none_or(|head| format!("{}:{}", pull.head_owner, pull.head_branch) == head)
    };
    let mut pulls: Vec<&PullRecord> = forge.store.pulls.values().filter(wanted).collect();
    if call.query("sort") == Some("updated") {
        pulls.sort_by_key(|pull| pull.updated);
    }
    // By default, the newest is the first, and with another order than by creation the last.
    let is_descending = match call.query("direction") {
        Some(direction) => direction == "desc",
        None => call.query("sort").is_none_or(|sort| sort == "created"),
    };
    if is_descending {
        pulls.reverse();
    }
    answers::page(exchange, pulls.into_iter().map(|pull| rendered(exchange, pull)).collect())
}

/// Answers `POST .../pulls`.
pub(crate) fn create(exchange: &mut Exchange<'_>) -> Outcome {
    let author = exchange.account_with(Role::Read)?;
    let call = exchange.call;
    let (owner, head, base) = (exchange.forge.owner().to_owned(), call.text("head"), call.text("base"));
    let (head_owner, head_branch) = head.split_once(':').unwrap_or((&owner, head));
    let (title, body, is_draft) = (call.text("title"), call.text("body"), call.flag("draft") == Some(true));
    let new = NewPull { author, head_owner, head_branch, base_branch: base, title, body, is_draft };
    let number = match exchange.forge.open_pull(&new) {
        Err(Refusal::Missing(field @ ("base" | "head"))) => {
            let error = json!([{ "resource": "PullRequest", "field": field, "code": "invalid" }]);
            return Ok(answers::invalid_with(&error));
        }
        opened => opened?,
    };
    let pull = exchange.forge.pull(number)?;
    Ok(Answer::json(201, &rendered(exchange, pull))
        .with("location", format!("{}/pulls/{number}", render::project(exchange.forge))))
}

/// Answers `GET .../pulls/{number}`. After a push, the first answer does not contain whether there are conflicts.
pub(crate) fn one(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?.clone();
    let is_known = pull.is_mergeable_known || !exchange.forge.options.behavior.computes_mergeable;
    let fits = if pull.is_open() && is_known { Some(exchange.forge.fits(&pull)?) } else { None };
    exchange.forge.pull_mut(pull.number)?.is_mergeable_known = true;
    let mut body = rendered(exchange, &pull);
    if fits == Some(true) && body.get("merge_commit_sha").is_some() {
        body["merge_commit_sha"] = json!(exchange.forge.write_test_merge(&pull)?);
    }
    let forge = &*exchange.forge;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let is_blocked = forge.approvals(&pull) < forge.options.protection.required_approvals;
    body["mergeable"] = json!(fits);
    body["mergeable_state"] = json!(match fits {
        None => "unknown",
        Some(false) => "dirty",
        Some(true) if is_blocked => "blocked",
        Some(true) => "clean",
    });
    body["merged"] = json!(pull.merged_at().is_some());
    body["merged_by"] = pull.merged_by().map_or(Value::Null, |by| render::user(forge, by));
    body["commits"] = json!(forge.main.commits_between(base, &pull.head)?.len());
    body["changed_files"] = json!(forge.main.changed_files(base, &pull.head)?.len());
    body["comments"] = json!(forge.store.comments_of(pull.number).count());
    Ok(Answer::json(200, &body))
}

/// Answers `PATCH .../pulls/{number}`.
pub(crate) fn edit(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let (number, author) = exchange.pull_at(number).map(|pull| (pull.number, pull.author))?;
    let by = exchange.account_with(Role::Read)?;
    if by != author && exchange.role() < Role::Write {
        return Err(Refusal::Forbidden.into());
    }
    if let Some(state) = exchange.call.optional("state") {
        exchange.forge.set_open(by, number, state == "open")?;
    }
    let (title, body, now) = (exchange.call.optional("title"), exchange.call.optional("body"), exchange.forge.now);
    let pull = exchange.forge.pull_mut(number)?;
    if let Some(title) = title {
        title.clone_into(&mut pull.title);
        pull.updated = now;
    }
    if let Some(body) = body {
        body.clone_into(&mut pull.body);
        pull.updated = now;
    }
    one(exchange, &number.to_string())
}

/// Answers `PUT .../pulls/{number}/merge`.
pub(crate) fn merge(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let pull = exchange.pull_at(number)?;
    let (number, expected) = (pull.number, exchange.call.text("sha"));
    if !expected.is_empty() && expected != pull.head {
        return Err(Refusal::HeadMoved.into());
    }
    let method = match exchange.call.text("merge_method") {
        "squash" => Method::Squash,
        "rebase" => Method::Rebase,
        _ => Method::Merge,
    };
    let sha = exchange.forge.merge(by, number, method, exchange.call.text("commit_title"))?;
    Ok(Answer::json(200, &json!({ "sha": sha, "merged": true, "message": "Pull Request successfully merged" })))
}

/// Answers `GET .../pulls/{number}/commits`, oldest first.
pub(crate) fn commits(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let commits = exchange.forge.main.commits_between(base, &pull.head)?;
    let commits = commits.iter().take(MAX_COMMITS).map(|commit| render::commit(exchange.forge, commit)).collect();
    Ok(answers::page(exchange, commits))
}

/// Answers `GET /repos/{owner}/{repo}/activity` with the pushes to a branch, newest first.
pub(crate) fn activity(exchange: &Exchange<'_>) -> Answer {
    let (forge, reference) = (&*exchange.forge, exchange.call.query("ref").unwrap_or_default());
    let branch = reference.strip_prefix("refs/heads/").unwrap_or(reference);
    let pushes = forge.store.pushes_to(branch).rev().map(|push| {
        json!({
            "id": push.id, "ref": format!("refs/heads/{branch}"), "after": push.commit, "timestamp": push.at.to_string(),
            "activity_type": "push", "actor": render::user(forge, push.by),
        })
    });
    answers::page(exchange, pushes.collect())
}

/// Answers `GET .../pulls/{number}/files`.
pub(crate) fn files(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let file = |file: &ChangedFile| {
        let status = match &*file.change {
            "A" => "added",
            "D" => "removed",
            _ => "modified",
        };
        json!({ "filename": file.path, "status": status })
    };
    let files = exchange.forge.main.changed_files(base, &pull.head)?;
    Ok(answers::page(exchange, files.iter().take(MAX_FILES).map(file).collect()))
}

/// Answers `GET .../commits/{sha}/pulls`: for a commit of the default branch only merged ones.
pub(crate) fn of_commit(exchange: &Exchange<'_>, sha: &str) -> Outcome {
    let forge = &*exchange.forge;
    let Some(commit) = forge.main.resolve(sha)? else {
        return Ok(answers::error(422, &format!("No commit found for SHA: {sha}")));
    };
    let is_default = forge.main.branches_with(&commit)?.contains(&forge.options.default_branch);
    let pulls = forge.pulls_with(&commit)?;
    let pulls = pulls.into_iter().filter(|pull| !is_default || pull.merged_at().is_some());
    Ok(answers::page(exchange, pulls.map(|pull| rendered(exchange, pull)).collect()))
}

/// Returns a pull request in the version of the API that the client asked for.
fn rendered(exchange: &Exchange<'_>, pull: &PullRecord) -> Value {
    let is_newest = exchange.call.header("x-github-api-version") == Some("2026-03-10");
    render::pull(exchange.forge, pull, is_newest)
}
