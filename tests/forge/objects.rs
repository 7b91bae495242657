//! Objects as forges send them.

use serde_json::{Value, json};

/// Returns a pull request of Gitea into `main`.
pub(crate) fn gitea_pull(number: u64) -> Value {
    json!({
        "id": 900 + number, "number": number, "state": "open", "draft": false, "title": "Upgrade", "is_locked": false,
        "user": { "id": 2, "login": "ada", "full_name": "" },
        "head": { "label": "up", "ref": "up", "sha": "a".repeat(40), "repo_id": 1, "repo": { "id": 1 } },
        "base": { "label": "main", "ref": "main", "sha": "b".repeat(40), "repo_id": 1, "repo": { "id": 1 } },
        "mergeable": true, "merged": false, "merged_at": null, "merge_commit_sha": null, "merged_by": null,
        "updated_at": "2026-11-22T10:30:00Z", "html_url": format!("https://h/platform/fleet/pulls/{number}"),
    })
}

/// Returns a pull request of GitHub into `main`.
pub(crate) fn github_pull(number: u64) -> Value {
    json!({
        "number": number, "state": "open", "draft": false, "title": "Upgrade",
        "user": { "login": "ada", "id": 583_231, "type": "User" },
        "head": { "ref": "up", "sha": "a".repeat(40), "repo": { "full_name": "platform/fleet", "fork": false } },
        "base": { "ref": "main", "sha": "b".repeat(40) },
        "merged_at": null, "updated_at": "2026-11-22T10:30:00Z", "html_url": format!("https://h/platform/fleet/pull/{number}"),
        "mergeable": null, "author_association": "MEMBER",
    })
}

/// Returns a merge request of GitLab into `main`.
pub(crate) fn gitlab_pull(number: u64) -> Value {
    json!({
        "id": 7000 + number, "iid": number, "title": "Upgrade", "state": "opened", "draft": null,
        "author": { "id": 2, "username": "ada", "name": "Ada", "state": "active" },
        "source_branch": "up", "target_branch": "main", "source_project_id": 6, "target_project_id": 6,
        "sha": "a".repeat(40), "merge_commit_sha": null, "squash_commit_sha": null, "merged_at": null, "merge_user": null,
        "updated_at": "2026-11-22T10:30:00.000Z", "web_url": format!("https://h/platform/fleet/-/merge_requests/{number}"),
        "has_conflicts": null,
    })
}

/// Returns an object with some fields replaced.
pub(crate) fn with(mut object: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        object[name] = value.clone();
    }
    object
}

/// Returns an object without a field.
pub(crate) fn without(mut object: Value, field: &str) -> Value {
    object.as_object_mut().unwrap().remove(field).unwrap();
    object
}
