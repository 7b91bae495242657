//! The messages of each protocol.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;
use tidegate_daemon::reconciler::news::Kind;
use tidegate_daemon::reconciler::notification::message::{Letter, Method, Request, request};
use tidegate_daemon::reconciler::notification::{Notice, Protocol, Secrets, parse_address};
use tidegate_daemon::reconciler::standard_webhook;

use super::{at, instance, notice, receiver};

fn sent(protocol: Protocol, notice: &Notice, omitted: usize) -> Request {
    let secrets = Secrets {
        address: parse_address("https://chat.example.com/hooks/secret").unwrap(),
        key: Some(b"key".to_vec()),
        token: Some("token".to_owned()),
    };
    let instance = instance();
    let letter = Letter { notice, omitted, instance: &instance, id: "4f1c", at: at(0) };
    request(&letter, &receiver(protocol, "nowhere".as_ref()), &secrets)
}

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

fn pretty(protocol: Protocol) -> String {
    let request = sent(protocol, &notice(Kind::RolloutStopped, "istio"), 12);
    serde_json::to_string_pretty(&body(&request)).unwrap()
}

#[test]
fn a_webhook_gets_every_field() {
    insta::assert_snapshot!(pretty(Protocol::Webhook));
}

#[test]
fn the_example_of_the_documentation_is_the_body_of_a_webhook() {
    let page = std::fs::read_to_string(crate::root::path("docs/notifications.md")).unwrap();
    let example = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let request = sent(Protocol::Webhook, &notice(Kind::RolloutStopped, "istio"), 12);
    assert_eq!(serde_json::from_str::<Value>(example).unwrap(), body(&request));
}

#[test]
fn slack_gets_blocks() {
    insta::assert_snapshot!(pretty(Protocol::Slack));
}

#[test]
fn teams_gets_a_card() {
    insta::assert_snapshot!(pretty(Protocol::Teams));
}

#[test]
fn matrix_gets_a_notice_that_mentions_no_one() {
    insta::assert_snapshot!(pretty(Protocol::Matrix));
    let request = sent(Protocol::Matrix, &notice(Kind::RolloutStopped, "istio"), 0);
    assert_eq!(
        (request.method, request.url.path()),
        (Method::Put, "/hooks/secret/_matrix/client/v3/rooms/!fleet%2F1:example.org/send/m.room.message/4f1c")
    );
    assert_eq!(request.headers, [("authorization", "Bearer token".to_owned())]);
}

#[test]
fn a_webhook_is_signed_in_both_ways() {
    let request = sent(Protocol::Webhook, &notice(Kind::RolloutStopped, "istio"), 0);
    let header = |wanted: &str| request.headers.iter().find(|(name, _)| *name == wanted).unwrap().1.clone();
    let mut code = Hmac::<Sha256>::new_from_slice(b"key").unwrap();
    code.update(&request.body);
    let digits: String = code.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(header("x-tidegate-signature-256"), format!("sha256={digits}"));
    assert_eq!((header("webhook-id"), header("webhook-timestamp")), ("4f1c".to_owned(), "1795435200".to_owned()));
    let mut code = standard_webhook::started(b"key", b"4f1c", b"1795435200");
    code.update(&request.body);
    assert_eq!(header("webhook-signature"), standard_webhook::signature(code));
}

#[test]
fn no_name_mentions_anyone_or_is_formatted() {
    let mut hostile = notice(Kind::RolloutStopped, "istio");
    let names = "<!channel> <@U1> @room (@here) @@all *b* _i_ `c` [x](https://evil) <b>x</b> {{DATE(1)}} a\u{202e}b\nc & ada@example.com";
    hostile.why = names.to_owned();
    for protocol in [Protocol::Slack, Protocol::Teams, Protocol::Matrix] {
        let request = sent(protocol, &hostile, 0);
        let text = String::from_utf8(request.body.clone()).unwrap();
        for ping in ["@room", "@here", "@@all", "@all", "{{", "\u{202e}", "\\n c"] {
            assert!(!text.contains(ping), "{protocol}: {ping}: {text}");
        }
        assert!(text.contains("ada@example.com"), "{protocol}: an address is left as it is");
        assert_eq!(
            text.contains("<!channel>"),
            protocol == Protocol::Teams || protocol == Protocol::Matrix,
            "{protocol}"
        );
    }
    let slack = body(&sent(Protocol::Slack, &hostile, 0));
    let formatted = slack["blocks"].as_array().unwrap().iter().filter(|block| block["text"]["type"] == "mrkdwn");
    assert_eq!(formatted.count(), 1, "only the link is formatted");
    let teams = body(&sent(Protocol::Teams, &hostile, 0)).to_string();
    assert!(!teams.contains("\"TextBlock\"") && !teams.contains("\"FactSet\""), "{teams}");
    let matrix = body(&sent(Protocol::Matrix, &hostile, 0));
    let html = matrix["formatted_body"].as_str().unwrap();
    assert!(html.contains("&lt;b&gt;x&lt;/b&gt;") && !html.contains("<b>"), "{html}");
    assert_eq!(matrix["m.mentions"], serde_json::json!({}));
}

#[test]
fn a_message_is_short_even_if_its_reason_is_not() {
    let mut long = notice(Kind::AddonHeld, "istio");
    long.why = "x".repeat(1_000_000);
    for protocol in [Protocol::Slack, Protocol::Teams, Protocol::Matrix] {
        assert!(sent(protocol, &long, 0).body.len() < 8_000, "{protocol}");
    }
}
