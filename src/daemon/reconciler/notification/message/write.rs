//! Writes the request that delivers a letter, in the protocol of its receiver.

use serde_json::Value;

use super::request::{Method, Request};
use super::text::{Letter, Text};
use super::{matrix, slack, teams, webhook};
use crate::reconciler::notification::receiver::{Protocol, Receiver, Secrets};

/// Returns the request that delivers a letter to a receiver.
pub fn request(letter: &Letter<'_>, receiver: &Receiver, secrets: &Secrets) -> Request {
    let text = Text::of(letter, receiver);
    let post = |body: Value| Request {
        method: Method::Post,
        url: secrets.address.clone(),
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    };
    match receiver.protocol {
        Protocol::Webhook => webhook::request(letter, &text, secrets),
        Protocol::Slack => post(slack::body(&text)),
        Protocol::Teams => post(teams::body(&text)),
        Protocol::Matrix => matrix::request(letter, &text, receiver, secrets),
    }
}
