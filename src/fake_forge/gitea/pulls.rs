//! Gitea's pull requests.

use serde_json::{Value, json};

use super::super::act::{NewPull, Refusal};
use super::super::git::Method;
use super::super::request::{Answer, Exchange, Outcome};
use super::super::state::{PullRecord, Role};
use super::{answers, json as render};

/// Answers `GET /repos/{owner}/{repo}/pulls`.
pub(crate) fn list(exchange: &Exchange<'_>) -> Answer {
    let (forge, call) = (&*exchange.forge, exchange.call);
    let state = call.query("state").unwrap_or("open");
    let base = call.query("base_branch").filter(|base| forge.options.behavior.filters_base && !base.is_empty());
    let wanted = |pull: &&PullRecord| {
        (state == "all" || pull.state_name() == state) && base.is_none_or(|base| pull.base_branch == base)
    };
    let mut pulls: Vec<&PullRecord> = forge.store.pulls.values().filter(wanted).collect();
    pulls.reverse();
    match call.query("sort") {
        Some("recentupdate") => pulls.sort_by_key(|pull| std::cmp::Reverse(pull.updated)),
        Some("leastupdate") => pulls.sort_by_key(|pull| pull.updated),
        Some("oldest") => pulls.reverse(),
        _ => {}
    }
    answers::page(exchange, pulls.into_iter().map(|pull| render::pull(forge, pull)).collect())
}

/// Answers `POST .../pulls`.
pub(crate) fn create(exchange: &mut Exchange<'_>) -> Outcome {
    let author = exchange.account_with(Role::Read)?;
    let head = exchange.call.text("head").to_owned();
    let owner = exchange.forge.owner().to_owned();
    let (head_owner, head_branch) = head.split_once(':').unwrap_or((&owner, &head));
    let title = exchange.call.text("title");
    let new = NewPull {
        author,
        head_owner,
        head_branch,
        base_branch: exchange.call.text("base"),
        title,
        body: exchange.call.text("body"),
        is_draft: title.starts_with("WIP:") || title.starts_with("[WIP]"),
    };
    let number = exchange.forge.open_pull(&new)?;
    Ok(Answer::json(201, &render::pull(exchange.forge, exchange.forge.pull(number)?)))
}

/// Answers `GET .../pulls/{number}`.
pub(crate) fn one(exchange: &Exchange<'_>, number: &str) -> Outcome {
    Ok(Answer::json(200, &render::pull(exchange.forge, exchange.pull_at(number)?)))
}

/// Answers `PATCH .../pulls/{number}`.
pub(crate) fn edit(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let (number, author) = (pull.number, pull.author);
    let by = exchange.account_with(Role::Read)?;
    if by != author && exchange.role() < Role::Write {
        return Err(Refusal::Forbidden.into());
    }
    if let Some(state) = exchange.call.optional("state") {
        exchange.forge.set_open(by, number, state == "open")?;
    }
    let (title, body, now) = (exchange.call.optional("title"), exchange.call.optional("body"), exchange.forge.now);
    let pull = exchange.forge.pull_mut(number)?;
    if title.is_some() || body.is_some() {
        title.unwrap_or(&pull.title.clone()).clone_into(&mut pull.title);
        body.unwrap_or(&pull.body.clone()).clone_into(&mut pull.body);
        pull.updated = now;
    }
    Ok(Answer::json(201, &render::pull(exchange.forge, exchange.forge.pull(number)?)))
}

/// Answers `POST .../pulls/{number}/merge`.
pub(crate) fn merge(exchange: &mut Exchange<'_>, number: &str) -> Outcome {
    let by = exchange.account_with(Role::Write)?;
    let pull = exchange.pull_at(number)?;
    let number = pull.number;
    let expected = exchange.call.text("head_commit_id");
    if !expected.is_empty() && expected != pull.head {
        return Err(Refusal::HeadMoved.into());
    }
    if !pull.is_open() || pull.is_draft {
        return Ok(answers::error(exchange.forge, 405, "The PR is not open, or is work in progress"));
    }
    let method = match exchange.call.text("Do") {
        "squash" => Method::Squash,
        "rebase" => Method::Rebase,
        _ => Method::Merge,
    };
    exchange.forge.merge(by, number, method, exchange.call.text("MergeTitleField"))?;
    Ok(Answer::empty(200))
}

/// Answers `GET .../pulls/{number}/merge`: 204 if it is merged.
pub(crate) fn is_merged(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let is_merged = exchange.pull_at(number)?.merged_at().is_some();
    if is_merged { Ok(Answer::empty(204)) } else { Err(Refusal::Missing("merge").into()) }
}

/// Answers `GET .../pulls/{number}/commits`, newest first.
pub(crate) fn commits(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let commits = exchange.forge.main.commits_between(base, &pull.head)?;
    let commits = commits.iter().rev().map(|commit| render::commit(exchange.forge, commit)).collect();
    Ok(answers::page(exchange, commits))
}

/// Answers `GET .../pulls/{number}/files`.
pub(crate) fn files(exchange: &Exchange<'_>, number: &str) -> Outcome {
    let pull = exchange.pull_at(number)?;
    let base = pull.versions.last().map_or(&pull.base, |version| &version.base);
    let file = |file: &super::super::git::ChangedFile| -> Value {
        let status = match &*file.change {
            "A" => "added",
            "D" => "deleted",
            _ => "changed",
        };
        json!({ "filename": file.path, "status": status })
    };
    let files = exchange.forge.main.changed_files(base, &pull.head)?.iter().map(file).collect();
    Ok(answers::page(exchange, files))
}

/// Answers `GET .../commits/{sha}/pull`: only the commit of the merge leads to its pull request. In versions without this address, the
/// router answers.
pub(crate) fn of_commit(exchange: &Exchange<'_>, sha: &str) -> Outcome {
    let forge = &*exchange.forge;
    if !forge.options.behavior.has_commit_pull {
        return Ok(Answer::text(404, "404 page not found\n"));
    }
    let found = forge.store.pulls.values().find(|pull| pull.merge_commit() == Some(sha));
    let pull = found.ok_or(Refusal::Missing("pull"))?;
    Ok(Answer::json(200, &render::pull(forge, pull)))
}
