//! GitLab's objects in JSON.

use serde_json::{Value, json};

use super::super::git::Commit;
use super::super::instance::Instance;
use super::super::state::{Account, CommentRecord, DeploymentRecord, PullRecord, PullStatus, PushRecord, StatusRecord};
use tidegate_model::time::Timestamp;

/// Returns an account, or that of the ghost if it was removed.
pub(crate) fn user(forge: &Instance, id: u64) -> Value {
    match forge.store.account(id) {
        Some(found) => account(forge, found),
        None => json!({
            "id": 1_000_000, "username": "ghost", "name": "Ghost User", "state": "active",
            "web_url": format!("{}/ghost", forge.origin),
        }),
    }
}

pub(crate) fn account(forge: &Instance, account: &Account) -> Value {
    json!({
        "id": account.id, "username": account.login, "name": account.login, "state": "active", "locked": false,
        "avatar_url": null, "web_url": format!("{}/{}", forge.origin, account.login), "bot": account.is_bot,
    })
}

pub(crate) fn project(forge: &Instance) -> Value {
    let path = &forge.options.project;
    json!({
        "id": forge.project_id(forge.owner()), "name": forge.name(), "path": forge.name(), "path_with_namespace": path,
        "default_branch": forge.options.default_branch, "web_url": format!("{}/{path}", forge.origin),
        "http_url_to_repo": format!("{}/{path}.git", forge.origin), "archived": false, "merge_method": "merge",
        "visibility": if forge.options.is_private { "private" } else { "public" }, "squash_option": "default_off",
        "namespace": { "id": 1, "path": forge.owner(), "kind": "group", "full_path": forge.owner() },
        "only_allow_merge_if_pipeline_succeeds": !forge.options.protection.required_contexts.is_empty(),
    })
}

/// Returns a merge request as in lists.
pub(crate) fn pull(forge: &Instance, pull: &PullRecord) -> Value {
    let (state, merge_commit, squashed) = match &pull.state {
        PullStatus::Open => ("opened", None, None),
        PullStatus::Closed { .. } => ("closed", None, None),
        PullStatus::Merged { commit, squashed, is_merge_commit, .. } => {
            ("merged", Some(commit).filter(|_| *is_merge_commit), squashed.as_ref())
        }
    };
    let merged_by = pull.merged_by().map(|by| user(forge, by));
    let target = forge.project_id(forge.owner());
    let source = forge.repository_of(&pull.head_owner).map(|_| forge.project_id(&pull.head_owner));
    let detailed = match () {
        () if !pull.is_open() => "not_open",
        () if pull.is_draft => "draft_status",
        () if forge.approvals(pull) < forge.options.protection.required_approvals => "not_approved",
        () => "mergeable",
    };
    json!({
        "id": target + pull.number, "iid": pull.number, "project_id": target, "title": pull.title,
        "description": pull.body, "state": state, "draft": pull.is_draft, "work_in_progress": pull.is_draft,
        "author": user(forge, pull.author), "assignees": [], "reviewers": [], "labels": [],
        "source_branch": pull.head_branch, "target_branch": pull.base_branch,
        "source_project_id": source, "target_project_id": target, "sha": pull.head,
        "merge_commit_sha": merge_commit, "squash_commit_sha": squashed, "squash": squashed.is_some(),
        "created_at": time(pull.created), "updated_at": time(pull.updated), "merged_at": pull.merged_at().map(time),
        "closed_at": pull.closed_at().filter(|_| state == "closed").map(time),
        "merged_by": merged_by, "merge_user": merged_by, "detailed_merge_status": detailed,
        "merge_status": if pull.is_open() { "can_be_merged" } else { "cannot_be_merged" }, "has_conflicts": false,
        "user_notes_count": forge.store.comments_of(pull.number).count(),
        "web_url": format!("{}/{}/-/merge_requests/{}", forge.origin, forge.options.project, pull.number),
        "references": { "short": format!("!{}", pull.number), "full": format!("{}!{}", forge.options.project, pull.number) },
    })
}

pub(crate) fn note(forge: &Instance, comment: &CommentRecord) -> Value {
    json!({
        "id": comment.id, "body": comment.body, "author": user(forge, comment.by), "system": false, "type": null,
        "created_at": time(comment.created), "updated_at": time(comment.updated), "noteable_iid": comment.pull,
        "noteable_type": "MergeRequest", "project_id": forge.project_id(forge.owner()), "internal": false,
        "resolvable": false,
    })
}

/// Returns the note that GitLab writes about a push to the branch of a merge request.
pub(crate) fn note_of_push(forge: &Instance, pull: u64, push: &PushRecord) -> Value {
    let (id, by, created, updated) = (push.id, push.by, push.at, push.at);
    let body = format!("added 1 commit\n\n<ul><li>{}</li></ul>", push.commit);
    let mut note = note(forge, &CommentRecord { id, pull, by, body, created, updated });
    note["system"] = json!(true);
    note
}

pub(crate) fn status(forge: &Instance, status: &StatusRecord) -> Value {
    let is_over = !matches!(&*status.state, "pending" | "running");
    json!({
        "id": status.id, "sha": status.commit, "ref": status.branch, "name": status.context, "status": status.state,
        "description": status.description, "target_url": status.target, "allow_failure": false, "coverage": null,
        "created_at": time(status.created), "started_at": null, "finished_at": is_over.then(|| time(status.updated)),
        "pipeline_id": status.pipeline, "author": user(forge, status.by),
    })
}

pub(crate) fn deployment(forge: &Instance, deployment: &DeploymentRecord) -> Value {
    let updated = deployment.states.last().map_or(deployment.created, |state| state.at);
    let same = |other: &&DeploymentRecord| other.environment == deployment.environment;
    let environment = forge.store.deployments.iter().find(same).map_or(deployment.id, |first| first.id);
    json!({
        "id": deployment.id, "iid": deployment.id, "ref": deployment.reference, "sha": deployment.commit,
        "status": deployment.state(), "created_at": time(deployment.created), "updated_at": time(updated),
        "user": user(forge, deployment.by), "deployable": null,
        "environment": { "id": environment, "name": deployment.environment, "external_url": null },
    })
}

pub(crate) fn commit(forge: &Instance, commit: &Commit) -> Value {
    json!({
        "id": commit.sha, "short_id": commit.sha.get(..8), "message": commit.message,
        "title": commit.message.lines().next().unwrap_or_default(), "parent_ids": commit.parents,
        "author_name": commit.author.name, "author_email": commit.author.email, "authored_date": time(commit.author.at),
        "committer_name": commit.committer.name, "committer_email": commit.committer.email,
        "committed_date": time(commit.committer.at), "created_at": time(commit.committer.at),
        "web_url": format!("{}/{}/-/commit/{}", forge.origin, forge.options.project, commit.sha),
    })
}

/// Returns an instant with milliseconds.
pub(crate) fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}
