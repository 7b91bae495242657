//! A notification as an Adaptive Card, which a workflow of Microsoft Teams posts.
//!
//! # Source
//! learn.microsoft.com, "Create incoming webhooks with Workflows" and "Format cards in Microsoft Teams": a `TextBlock` and a
//! `FactSet` are formatted as Markdown, a `TextRun` is not.

use serde_json::{Value, json};

use super::text::Text;

/// Returns the body of the request.
pub(super) fn body(text: &Text) -> Value {
    let line = |runs: Value| json!({ "type": "RichTextBlock", "inlines": runs });
    let run = |string: &str| json!({ "type": "TextRun", "text": string });
    let bold = |string: &str| json!({ "type": "TextRun", "text": string, "weight": "Bolder" });
    let mut body = vec![line(json!([{ "type": "TextRun", "text": text.title, "weight": "Bolder", "size": "Large" }]))];
    body.extend(text.facts.iter().map(|(name, value)| line(json!([bold(&format!("{name}: ")), run(value)]))));
    body.extend(text.sentences.iter().map(|sentence| line(json!([run(sentence)]))));
    let link =
        text.link.iter().map(|link| json!({ "type": "Action.OpenUrl", "title": "Status", "url": link.as_str() }));
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": body,
                "actions": link.collect::<Vec<_>>(),
            },
        }],
    })
}
