//! What Gitea's webhook says. Reviews have neither a number nor flags.

use serde_json::{Value, json};

use super::super::instance::{Event, EventKind, Instance};
use super::super::state::Verdict;
use super::super::webhooks::Payload;
use super::json as render;

/// Returns the message about an event.
pub(crate) fn payload(forge: &Instance, event: &Event) -> Option<Payload> {
    let (name, event_type, mut body) = match &event.kind {
        EventKind::Push { branch, before, after } => {
            let reference = format!("refs/heads/{branch}");
            ("push", "push", json!({ "ref": reference, "before": before, "after": after }))
        }
        EventKind::Opened { pull } => ("pull_request", "pull_request", of_pull(forge, *pull, "opened")?),
        EventKind::Closed { pull } => ("pull_request", "pull_request", of_pull(forge, *pull, "closed")?),
        EventKind::Reopened { pull } => ("pull_request", "pull_request", of_pull(forge, *pull, "reopened")?),
        EventKind::Synchronized { pull, .. } => {
            ("pull_request", "pull_request_sync", of_pull(forge, *pull, "synchronized")?)
        }
        EventKind::Reviewed { pull, review } => {
            let review = forge.store.pulls.get(pull)?.reviews.iter().find(|one| one.id == *review)?;
            let (name, event_type) = match review.verdict {
                Verdict::Approve => ("pull_request_approved", "pull_request_review_approved"),
                Verdict::RequestChanges => ("pull_request_rejected", "pull_request_review_rejected"),
                Verdict::Comment => ("pull_request_comment", "pull_request_review_comment"),
            };
            let mut body = of_pull(forge, *pull, "reviewed")?;
            body["review"] = json!({ "type": event_type, "content": review.body });
            body["commit_id"] = json!(review.commit);
            (name, event_type, body)
        }
        // Gitea sends nothing about dismissals.
        EventKind::Dismissed { .. } => return None,
        EventKind::Commented { pull, comment } => {
            let comment = forge.store.comments.iter().find(|one| one.id == *comment)?;
            let issue = json!({ "number": pull, "pull_request": {} });
            let comment = render::comment(forge, comment);
            let body = json!({ "action": "created", "issue": issue, "comment": comment, "is_pull": true });
            ("issue_comment", "pull_request_comment", body)
        }
    };
    body["repository"] = render::repository(forge, forge.owner());
    body["sender"] = render::user(forge, event.actor);
    Some(Payload { event: name, event_type, body })
}

fn of_pull(forge: &Instance, number: u64, action: &str) -> Option<Value> {
    let pull = forge.store.pulls.get(&number)?;
    Some(json!({ "action": action, "number": number, "pull_request": render::pull(forge, pull) }))
}
