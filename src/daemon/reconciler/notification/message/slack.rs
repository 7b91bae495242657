//! A notification as a message of Slack.
//!
//! # Source
//! docs.slack.dev, "Incoming webhooks", "Formatting message text" (`&`, `<` and `>` are escaped; `<!channel>` and `<@U1>` mention
//! people) and "Text object" (`plain_text` is not formatted).

use serde_json::{Value, json};

use super::text::Text;

/// Returns the body of the request.
pub(super) fn body(text: &Text) -> Value {
    let plain = |string: &str| json!({ "type": "plain_text", "text": escaped(string), "emoji": false });
    let mut blocks = vec![json!({ "type": "header", "text": plain(&text.title) })];
    let fields: Vec<Value> = text.facts.iter().map(|(name, value)| plain(&format!("{name}: {value}"))).collect();
    if !fields.is_empty() {
        blocks.push(json!({ "type": "section", "fields": fields }));
    }
    blocks.extend(text.sentences.iter().map(|sentence| json!({ "type": "section", "text": plain(sentence) })));
    if let Some(link) = &text.link {
        let link = escaped(link.as_str()).replace('|', "%7C");
        blocks.push(json!({ "type": "section", "text": { "type": "mrkdwn", "text": format!("<{link}|Status>") } }));
    }
    json!({
        "text": escaped(&text.title),
        "mrkdwn": false,
        "link_names": false,
        "unfurl_links": false,
        "unfurl_media": false,
        "blocks": blocks,
    })
}

/// Returns a string in which no character has a meaning in Slack.
fn escaped(string: &str) -> String {
    string.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
