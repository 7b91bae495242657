//! GitHub's people, pull requests and reviews in JSON.

use serde_json::{Value, json};

use super::super::git::{Commit, Identity};
use super::super::instance::Instance;
use super::super::state::{Account, CommentRecord, PullRecord, ReviewRecord, Role, Verdict};

/// Returns an account; null if it was removed.
pub(crate) fn user(forge: &Instance, id: u64) -> Value {
    forge.store.account(id).map_or(Value::Null, |found| account(forge, found))
}

pub(crate) fn account(forge: &Instance, account: &Account) -> Value {
    json!({
        "login": account.login, "id": account.id, "node_id": format!("U_{}", account.id),
        "type": if account.is_bot { "Bot" } else { "User" }, "site_admin": false,
        "url": format!("{}/users/{}", api(forge), account.login), "html_url": format!("{}/{}", forge.origin, account.login),
    })
}

/// Returns a repository; null if the fork was removed.
pub(crate) fn repository(forge: &Instance, owner: &str) -> Value {
    if forge.repository_of(owner).is_none() {
        return Value::Null;
    }
    let full_name = format!("{owner}/{}", forge.name());
    json!({
        "id": forge.project_id(owner), "name": forge.name(), "full_name": full_name, "private": forge.options.is_private,
        "owner": { "login": owner, "id": 1, "type": "Organization" }, "fork": owner != forge.owner(), "archived": false,
        "html_url": format!("{}/{full_name}", forge.origin), "url": format!("{}/repos/{full_name}", api(forge)),
        "clone_url": format!("{}/{full_name}.git", forge.origin), "default_branch": forge.options.default_branch,
        "allow_merge_commit": true, "allow_squash_merge": true, "allow_rebase_merge": true,
    })
}

/// Returns a pull request as in lists.
pub(crate) fn pull(forge: &Instance, pull: &PullRecord, is_newest_version: bool) -> Value {
    let (web, url) = (page(forge, pull.number), format!("{}/pulls/{}", project(forge), pull.number));
    let end = |owner: &str, branch: &str, sha: &str| {
        json!({
            "label": format!("{owner}:{branch}"), "ref": branch, "sha": sha,
            "user": { "login": owner }, "repo": repository(forge, owner),
        })
    };
    let mut body = json!({
        "id": forge.project_id(forge.owner()) + pull.number, "number": pull.number, "url": url, "html_url": web,
        "state": pull.state_name(), "locked": false, "draft": pull.is_draft, "title": pull.title,
        "body": if pull.body.is_empty() { Value::Null } else { json!(pull.body) },
        "user": user(forge, pull.author), "author_association": association(forge, pull.author),
        "created_at": pull.created.to_string(), "updated_at": pull.updated.to_string(),
        "closed_at": pull.closed_at().map(|at| at.to_string()), "merged_at": pull.merged_at().map(|at| at.to_string()),
        "merge_commit_sha": pull.merge_commit(), "assignee": null, "assignees": [],
        "requested_reviewers": [], "requested_teams": [], "labels": [],
        "head": end(&pull.head_owner, &pull.head_branch, &pull.head),
        "base": end(forge.owner(), &pull.base_branch, &pull.base),
    });
    if let Some(fields) = body.as_object_mut().filter(|_| is_newest_version) {
        fields.remove("merge_commit_sha");
        fields.remove("assignee");
    }
    body
}

pub(crate) fn review(forge: &Instance, pull: &PullRecord, review: &ReviewRecord) -> Value {
    let state = match review.verdict {
        _ if review.is_dismissed => "DISMISSED",
        Verdict::Approve => "APPROVED",
        Verdict::RequestChanges => "CHANGES_REQUESTED",
        Verdict::Comment => "COMMENTED",
    };
    let commit = if forge.options.behavior.loses_commits { Value::Null } else { json!(review.commit) };
    json!({
        "id": review.id, "node_id": format!("PRR_{}", review.id), "user": user(forge, review.by), "body": review.body,
        "state": state, "commit_id": commit, "submitted_at": review.at.to_string(),
        "author_association": association(forge, review.by),
        "html_url": format!("{}#pullrequestreview-{}", page(forge, pull.number), review.id),
        "pull_request_url": format!("{}/pulls/{}", project(forge), pull.number),
    })
}

pub(crate) fn comment(forge: &Instance, comment: &CommentRecord) -> Value {
    let app = forge.store.apps.iter().find(|app| app.account == comment.by);
    json!({
        "id": comment.id, "user": user(forge, comment.by), "body": comment.body,
        "author_association": association(forge, comment.by),
        "created_at": comment.created.to_string(), "updated_at": comment.updated.to_string(),
        "url": format!("{}/issues/comments/{}", project(forge), comment.id),
        "html_url": format!("{}#issuecomment-{}", page(forge, comment.pull), comment.id),
        "issue_url": format!("{}/issues/{}", project(forge), comment.pull),
        "performed_via_github_app": app.map(|app| json!({ "id": app.id, "slug": app.slug, "client_id": app.client_id })),
    })
}

pub(crate) fn commit(forge: &Instance, commit: &Commit) -> Value {
    let by = |email: &str| forge.account_with_email(email).map(|found| account(forge, found));
    let person = |identity: &Identity| json!({ "name": identity.name, "email": identity.email, "date": identity.at.to_string() });
    json!({
        "sha": commit.sha, "html_url": format!("{}/{}/commit/{}", forge.origin, forge.options.project, commit.sha),
        "author": by(&commit.author.email), "committer": by(&commit.committer.email),
        "commit": {
            "message": commit.message, "tree": { "sha": commit.tree },
            "author": person(&commit.author), "committer": person(&commit.committer),
        },
        "parents": commit.parents.iter().map(|sha| json!({ "sha": sha })).collect::<Vec<_>>(),
    })
}

/// Returns the address of the API.
pub(crate) fn api(forge: &Instance) -> String {
    format!("{}/api/v3", forge.origin)
}

/// Returns the address of the project in the API.
pub(crate) fn project(forge: &Instance) -> String {
    format!("{}/repos/{}", api(forge), forge.options.project)
}

fn page(forge: &Instance, number: u64) -> String {
    format!("{}/{}/pull/{number}", forge.origin, forge.options.project)
}

fn association(forge: &Instance, account: u64) -> &'static str {
    match forge.role(account) {
        Role::None => "NONE",
        Role::Read => "CONTRIBUTOR",
        Role::Triage => "COLLABORATOR",
        Role::Write | Role::Maintain | Role::Admin => "MEMBER",
    }
}
