//! A notification as a message in a room of Matrix.
//!
//! # Source
//! Matrix client-server API: `PUT /_matrix/client/v3/rooms/{roomId}/send/{eventType}/{txnId}`, which delivers a transaction once;
//! an empty `m.mentions` mentions no one.

use serde_json::json;

use super::request::{Method, Request};
use super::text::{Letter, Text};
use crate::reconciler::notification::receiver::{Receiver, Secrets};
use tidegate_review::presentation::escaped_html;

/// Returns the request.
pub(super) fn request(letter: &Letter<'_>, text: &Text, receiver: &Receiver, secrets: &Secrets) -> Request {
    let mut url = secrets.address.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty();
        path.extend(["_matrix", "client", "v3", "rooms", &receiver.room, "send", "m.room.message", letter.id]);
    }
    let authorization = secrets.token.iter().map(|token| ("authorization", format!("Bearer {token}")));
    let body = json!({
        "msgtype": "m.notice",
        "body": text.plain(),
        "format": "org.matrix.custom.html",
        "formatted_body": html(text),
        "m.mentions": {},
    });
    Request { method: Method::Put, url, headers: authorization.collect(), body: body.to_string().into_bytes() }
}

fn html(text: &Text) -> String {
    let title = format!("<strong>{}</strong>", escaped_html(&text.title));
    let facts = text.facts.iter().map(|(name, value)| format!("{name}: {}", escaped_html(value)));
    let sentences = text.sentences.iter().map(|sentence| escaped_html(sentence));
    let link = text.link.iter().map(|link| format!("<a href=\"{}\">Status</a>", escaped_html(link.as_str())));
    [title].into_iter().chain(facts).chain(sentences).chain(link).collect::<Vec<_>>().join("<br>")
}
