//! Gitea's objects in JSON.

use serde_json::{Value, json};

use super::super::git::Commit;
use super::super::instance::Instance;
use super::super::state::{Account, CommentRecord, PullRecord, ReviewRecord, StatusRecord, Team, Verdict};
use tidegate_model::time::Timestamp;

/// Returns an account; that of a ghost, or null, if it was removed.
pub(crate) fn user(forge: &Instance, id: u64) -> Value {
    match forge.store.account(id) {
        Some(found) => account(forge, found),
        None if forge.options.behavior.hides_ghosts => Value::Null,
        None => json!({ "id": -1, "login": "Ghost", "username": "Ghost", "full_name": "", "email": "" }),
    }
}

pub(crate) fn account(forge: &Instance, account: &Account) -> Value {
    json!({
        "id": account.id, "login": account.login, "username": account.login, "login_name": "", "full_name": "",
        "email": format!("{}@noreply.example.com", account.login), "is_admin": false, "active": true,
        "html_url": format!("{}/{}", forge.origin, account.login),
    })
}

/// Returns a repository; null if the fork was removed.
pub(crate) fn repository(forge: &Instance, owner: &str) -> Value {
    if forge.repository_of(owner).is_none() {
        return Value::Null;
    }
    let full_name = format!("{owner}/{}", forge.name());
    json!({
        "id": forge.project_id(owner), "name": forge.name(), "full_name": full_name, "owner": { "login": owner },
        "private": forge.options.is_private, "fork": owner != forge.owner(), "archived": false,
        "default_branch": forge.options.default_branch, "html_url": format!("{}/{full_name}", forge.origin),
        "clone_url": format!("{}/{full_name}.git", forge.origin), "has_pull_requests": true,
        "allow_merge_commits": true, "allow_squash_merge": true, "allow_rebase": true,
    })
}

pub(crate) fn pull(forge: &Instance, pull: &PullRecord) -> Value {
    let is_merged = pull.merged_at().is_some();
    let web = page(forge, pull);
    let merge_base = pull.versions.last().map(|version| &version.base);
    json!({
        "id": forge.project_id(forge.owner()) + pull.number, "number": pull.number, "url": web, "html_url": web,
        "user": user(forge, pull.author), "title": pull.title, "body": pull.body, "labels": [], "assignee": null,
        "state": pull.state_name(), "draft": pull.is_draft, "is_locked": false,
        "comments": forge.store.comments_of(pull.number).count(),
        "mergeable": pull.is_open(), "merged": is_merged, "merged_at": pull.merged_at().map(time),
        "merge_commit_sha": pull.merge_commit(), "merged_by": pull.merged_by().map(|by| user(forge, by)),
        "merge_base": merge_base, "allow_maintainer_edit": false,
        "base": {
            "label": pull.base_branch, "ref": pull.base_branch, "sha": pull.base,
            "repo_id": forge.project_id(forge.owner()), "repo": repository(forge, forge.owner()),
        },
        "head": {
            "label": pull.head_branch, "ref": pull.head_branch, "sha": pull.head,
            "repo_id": forge.project_id(&pull.head_owner), "repo": repository(forge, &pull.head_owner),
        },
        "created_at": time(pull.created), "updated_at": time(pull.updated), "closed_at": pull.closed_at().map(time),
        "due_date": null, "diff_url": format!("{web}.diff"), "patch_url": format!("{web}.patch"),
    })
}

pub(crate) fn review(forge: &Instance, pull: &PullRecord, review: &ReviewRecord) -> Value {
    let state = match review.verdict {
        Verdict::Approve => "APPROVED",
        Verdict::RequestChanges => "REQUEST_CHANGES",
        Verdict::Comment => "COMMENT",
    };
    let web = page(forge, pull);
    json!({
        "id": review.id, "user": user(forge, review.by), "team": null, "state": state, "body": review.body,
        "commit_id": review.commit, "stale": review.is_stale, "official": review.is_official,
        "dismissed": review.is_dismissed, "comments_count": 0,
        "submitted_at": time(review.at), "updated_at": time(review.updated),
        "html_url": format!("{web}#issuecomment-{}", review.id), "pull_request_url": web,
    })
}

pub(crate) fn comment(forge: &Instance, comment: &CommentRecord) -> Value {
    let web = format!("{}/{}/pulls/{}", forge.origin, forge.options.project, comment.pull);
    json!({
        "id": comment.id, "html_url": format!("{web}#issuecomment-{}", comment.id), "pull_request_url": web,
        "issue_url": "", "user": user(forge, comment.by), "original_author": "", "original_author_id": 0,
        "body": comment.body, "assets": [],
        "created_at": time(comment.created), "updated_at": time(comment.updated),
    })
}

/// Returns a status. Its state is in the field `status`.
pub(crate) fn status(forge: &Instance, status: &StatusRecord) -> Value {
    json!({
        "id": status.id, "status": status.state, "target_url": status.target.as_deref().unwrap_or_default(),
        "description": status.description.as_deref().unwrap_or_default(), "context": status.context,
        "url": format!("{}/api/v1/repos/{}/statuses/{}", forge.origin, forge.options.project, status.commit),
        "creator": user(forge, status.by), "created_at": time(status.created), "updated_at": time(status.updated),
    })
}

pub(crate) fn commit(forge: &Instance, commit: &Commit) -> Value {
    let by = |email: &str| forge.account_with_email(email).map(|found| account(forge, found));
    let person = |identity: &super::super::git::Identity| json!({ "name": identity.name, "email": identity.email, "date": time(identity.at) });
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

pub(crate) fn team(forge: &Instance, team: &Team) -> Value {
    json!({
        "id": team.id, "name": team.name, "description": "", "permission": "write",
        "organization": { "id": 1, "name": forge.owner(), "username": forge.owner() },
        "includes_all_repositories": true, "can_create_org_repo": false, "units": [],
    })
}

pub(crate) fn time(at: Timestamp) -> String {
    at.to_string()
}

fn page(forge: &Instance, pull: &PullRecord) -> String {
    format!("{}/{}/pulls/{}", forge.origin, forge.options.project, pull.number)
}
