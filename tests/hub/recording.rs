//! Replays exchanges recorded from a real API server against a server under test.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use axum::http::Request;
use futures::{AsyncBufReadExt as _, StreamExt as _, TryStreamExt as _};
use kube::client::Body;
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::difference::difference;
use crate::recorded::recorded;

/// Fields whose values change: any non-empty string is treated as equal to any other.
const VOLATILE: [&str; 7] =
    ["uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "time", "continue", "storageVersionHash"];

/// Messages that quote internals of Go's decoder: only code and reason are compared.
const QUOTING: [&str; 2] = ["invalid continue token: ", "the object provided is unrecognized (must be of type "];

/// How long a server may take for one event of a watch.
const PATIENCE: Duration = Duration::from_secs(10);

static SAVED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\$\{([^}]+)\}").unwrap());
static UUID: LazyLock<Regex> = LazyLock::new(|| Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap());
static REVISION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"in record \(\d+\)").unwrap());

/// The result of a replay.
pub(crate) struct Outcome {
    pub(crate) total: usize,
    /// Which answers differ, and how.
    pub(crate) differences: Vec<String>,
}

/// Sends every recorded request to a server in order, and compares the answers.
pub(crate) async fn replay(client: &kube::Client) -> Outcome {
    let mut outcome = Outcome { total: 0, differences: Vec::new() };
    for line in recorded("kube-api").lines() {
        let scenario: Value = serde_json::from_str(line).unwrap();
        let mut answers = BTreeMap::new();
        for (number, step) in scenario["steps"].as_array().unwrap().iter().enumerate() {
            outcome.total += 1;
            let answer = if step["watch"].is_string() {
                follow(client, step, &answers).await
            } else {
                ask(client, step, &mut answers).await
            };
            if let Some(found) = difference(&comparable(&step["expect"]), &comparable(&answer)) {
                let name = scenario["name"].as_str().unwrap();
                outcome.differences.push(format!("{name}, step {}: {found}", number + 1));
            }
        }
    }
    outcome
}

/// Inserts strings from earlier answers into a path or a body.
fn filled(text: &str, answers: &BTreeMap<String, Value>) -> String {
    let found = |captures: &regex::Captures<'_>| {
        let mut steps = captures[1].split('.');
        let answer = &answers[steps.next().unwrap()];
        steps.fold(answer, |value, step| &value[step]).as_str().unwrap_or_default().to_owned()
    };
    SAVED.replace_all(text, found).into_owned()
}

async fn ask(client: &kube::Client, step: &Value, answers: &mut BTreeMap<String, Value>) -> Value {
    let text = |member: &str, default: &str| step[member].as_str().unwrap_or(default).to_owned();
    let body = match &step["body"] {
        Value::Null => String::new(),
        Value::String(raw) => raw.clone(),
        body => body.to_string(),
    };
    let request = Request::builder()
        .method(text("method", "GET").as_str())
        .uri(filled(&text("path", ""), answers))
        .header("content-type", text("type", "application/json"))
        .header("accept", text("accept", "application/json"));
    let body = Body::from(filled(&body, answers).into_bytes());
    let response = client.send(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect_bytes().await.unwrap();
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes)));
    if let Some(name) = step["save"].as_str() {
        answers.insert(name.to_owned(), body.clone());
    }
    json!({ "status": status, "body": body })
}

async fn follow(client: &kube::Client, step: &Value, answers: &BTreeMap<String, Value>) -> Value {
    let request = Request::get(filled(step["watch"].as_str().unwrap(), answers)).body(Body::empty()).unwrap();
    let response = client.send(request).await.unwrap();
    let status = response.status().as_u16();
    let chunks = axum::body::Body::new(response.into_body()).into_data_stream().map_err(std::io::Error::other);
    let mut lines = chunks.into_async_read().lines().boxed();
    let mut events = Vec::new();
    while events.len() < usize::try_from(step["until"].as_u64().unwrap()).unwrap() {
        match tokio::time::timeout(PATIENCE, lines.next()).await {
            Ok(Some(line)) => events.push(serde_json::from_str::<Value>(&line.unwrap()).unwrap()),
            Ok(None) => break,
            Err(_) => {
                events.push(json!("nothing more came in time"));
                break;
            }
        }
    }
    json!({ "status": status, "events": events })
}

fn comparable(answer: &Value) -> Value {
    let quotes = |message: &str| QUOTING.iter().any(|start| message.starts_with(start));
    if answer["body"]["message"].as_str().is_some_and(quotes) {
        return json!({ "code": answer["body"]["code"], "reason": answer["body"]["reason"] });
    }
    masked("", answer)
}

fn masked(key: &str, value: &Value) -> Value {
    match value {
        Value::String(text) if VOLATILE.contains(&key) && !text.is_empty() => json!(format!("<{key}>")),
        Value::String(text) if key == "message" => {
            let text = UUID.replace_all(text, "<uid>");
            json!(REVISION.replace_all(&text, "in record (<resourceVersion>)"))
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(|item| masked("", item)).collect();
            let text = |item: &Value, member: &str| item[member].as_str().unwrap_or_default().to_owned();
            match key {
                "resources" => items.sort_by_key(|item| text(item, "name")),
                "managedFields" => {
                    items.sort_by_key(|item| ["manager", "operation", "subresource"].map(|member| text(item, member)));
                }
                _ => {}
            }
            Value::Array(items)
        }
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), masked(key, value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        value => value.clone(),
    }
}
