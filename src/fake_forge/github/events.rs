//! What GitHub's webhook says. Unlike in the API, the states of reviews are in lower case.

use serde_json::{Value, json};

use super::super::instance::{Event, EventKind, Instance};
use super::super::state::PullRecord;
use super::super::webhooks::Payload;
use super::json as render;

/// Returns the message about an event.
pub(crate) fn payload(forge: &Instance, event: &Event) -> Option<Payload> {
    let (name, mut body) = match &event.kind {
        EventKind::Push { branch, before, after } => {
            let reference = format!("refs/heads/{branch}");
            ("push", json!({ "ref": reference, "before": before, "after": after }))
        }
        EventKind::Opened { pull } => ("pull_request", of_pull(forge, *pull, "opened")?),
        EventKind::Closed { pull } => ("pull_request", of_pull(forge, *pull, "closed")?),
        EventKind::Reopened { pull } => ("pull_request", of_pull(forge, *pull, "reopened")?),
        EventKind::Synchronized { pull, before } => {
            let mut body = of_pull(forge, *pull, "synchronize")?;
            body["before"] = json!(before);
            body["after"] = json!(forge.store.pulls.get(pull)?.head);
            ("pull_request", body)
        }
        EventKind::Reviewed { pull, review } => ("pull_request_review", of_review(forge, *pull, *review, "submitted")?),
        EventKind::Dismissed { pull, review } => {
            ("pull_request_review", of_review(forge, *pull, *review, "dismissed")?)
        }
        EventKind::Commented { pull, comment } => {
            let comment = forge.store.comments.iter().find(|one| one.id == *comment)?;
            let issue = json!({ "number": pull, "pull_request": {} });
            let body = json!({ "action": "created", "issue": issue, "comment": render::comment(forge, comment) });
            ("issue_comment", body)
        }
    };
    body["repository"] = render::repository(forge, forge.owner());
    body["sender"] = render::user(forge, event.actor);
    Some(Payload { event: name, event_type: name, body })
}

fn of_pull(forge: &Instance, number: u64, action: &str) -> Option<Value> {
    let pull = forge.store.pulls.get(&number)?;
    Some(json!({ "action": action, "number": number, "pull_request": full(forge, pull) }))
}

fn of_review(forge: &Instance, number: u64, id: u64, action: &str) -> Option<Value> {
    let pull = forge.store.pulls.get(&number)?;
    let review = pull.reviews.iter().find(|review| review.id == id)?;
    let mut review = render::review(forge, pull, review);
    review["state"] = json!(review["state"].as_str().unwrap_or_default().to_lowercase());
    Some(json!({ "action": action, "review": review, "pull_request": full(forge, pull) }))
}

fn full(forge: &Instance, pull: &PullRecord) -> Value {
    let mut body = render::pull(forge, pull, false);
    body["merged"] = json!(pull.merged_at().is_some());
    body
}
