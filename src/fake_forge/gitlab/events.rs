//! What GitLab's webhook says.

use serde_json::{Value, json};

use super::super::instance::{Event, EventKind, Instance};
use super::super::state::Verdict;
use super::super::webhooks::Payload;
use super::json as render;

/// Returns the message about an event.
pub(crate) fn payload(forge: &Instance, event: &Event) -> Option<Payload> {
    let (name, mut body) = match &event.kind {
        EventKind::Push { branch, before, after } => {
            let reference = format!("refs/heads/{branch}");
            let body = json!({ "object_kind": "push", "ref": reference, "before": before, "after": after });
            ("Push Hook", body)
        }
        EventKind::Opened { pull } => ("Merge Request Hook", of_pull(forge, *pull, "open")?),
        EventKind::Closed { pull } => {
            let is_merged = forge.store.pulls.get(pull)?.merged_at().is_some();
            ("Merge Request Hook", of_pull(forge, *pull, if is_merged { "merge" } else { "close" })?)
        }
        EventKind::Reopened { pull } => ("Merge Request Hook", of_pull(forge, *pull, "reopen")?),
        EventKind::Synchronized { pull, before } => {
            let mut body = of_pull(forge, *pull, "update")?;
            body["object_attributes"]["oldrev"] = json!(before);
            ("Merge Request Hook", body)
        }
        EventKind::Reviewed { pull, review } => {
            let record = forge.store.pulls.get(pull)?;
            let review = record.reviews.iter().find(|one| one.id == *review)?;
            if review.verdict != Verdict::Approve {
                return None;
            }
            let is_complete = forge.approvals(record) >= forge.options.protection.required_approvals;
            ("Merge Request Hook", of_pull(forge, *pull, if is_complete { "approved" } else { "approval" })?)
        }
        EventKind::Dismissed { pull, .. } => ("Merge Request Hook", of_pull(forge, *pull, "unapproved")?),
        EventKind::Commented { pull, comment } => {
            let comment = forge.store.comments.iter().find(|one| one.id == *comment)?;
            let note = json!({ "id": comment.id, "note": comment.body, "noteable_type": "MergeRequest" });
            let merge_request = render::pull(forge, forge.store.pulls.get(pull)?);
            let body = json!({ "object_kind": "note", "object_attributes": note, "merge_request": merge_request });
            ("Note Hook", body)
        }
    };
    body["project"] = render::project(forge);
    body["user"] = render::user(forge, event.actor);
    Some(Payload { event: name, event_type: name, body })
}

fn of_pull(forge: &Instance, number: u64, action: &str) -> Option<Value> {
    let mut attributes = render::pull(forge, forge.store.pulls.get(&number)?);
    attributes["action"] = json!(action);
    attributes["last_commit"] = json!({ "id": attributes["sha"] });
    Some(json!({ "object_kind": "merge_request", "event_type": "merge_request", "object_attributes": attributes }))
}
