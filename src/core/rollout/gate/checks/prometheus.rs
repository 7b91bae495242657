//! What the answer of a Prometheus server means.
//!
//! # Source
//! Prometheus HTTP API, "Instant queries" and "Expression query result formats" (2026-11).

use serde_json::Value;

use super::answer::Answer;
use super::observation::Measured;
use super::threshold::{Threshold, written};

/// Returns the address that answers a query of a server.
pub(super) fn address(url: &str, query: &str) -> String {
    let mut address = format!("{}/api/v1/query?query=", url.trim_end_matches('/'));
    for byte in query.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => address.push(char::from(byte)),
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// Why an answer is not one number.
#[derive(Debug, thiserror::Error)]
enum NoNumber {
    #[error("status {status}: {why}")]
    Refused { status: u16, why: String },
    #[error("status {0}, without a result")]
    Status(u16),
    #[error("the answer is not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("the query has no result")]
    Empty,
    #[error("the query has {0} results instead of one number; aggregate them")]
    Several(usize),
    #[error("the query gives a result of type {0:?} instead of one number")]
    Type(String),
    #[error("the result of the query has no value")]
    NoValue,
    #[error("the result of the query is not a pair of time and value")]
    NoPair,
    #[error("the value in the result of the query is not a number")]
    NotANumber,
    #[error("the result of the query is {0}")]
    Infinite(f64),
}

/// Judges an answer: it must be one number.
pub(super) fn measured(threshold: Threshold, answer: &Answer) -> Measured {
    match number(answer) {
        Err(why) => Measured::none(&why.to_string()),
        Ok(number) => Measured::new(threshold.holds(number), &format!("{}, must be {threshold}", written(number))),
    }
}

fn number(answer: &Answer) -> Result<f64, NoNumber> {
    let body: Result<Value, _> = serde_json::from_slice(&answer.body);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let body = match (body, answer.status) {
        (Ok(body), 200) if text(&body, "status") == "success" => body,
        (Ok(body), status) if !text(&body, "error").is_empty() => {
            return Err(NoNumber::Refused { status, why: text(&body, "error") });
        }
        (Err(error), 200) => return Err(NoNumber::NotJson(error)),
        (_, status) => return Err(NoNumber::Status(status)),
    };
    let data = body.get("data").unwrap_or(&Value::Null);
    let result = data.get("result").and_then(Value::as_array);
    let sample = match (text(data, "resultType").as_str(), result.map(Vec::as_slice)) {
        ("scalar", Some(sample)) => sample,
        ("vector", Some([])) => return Err(NoNumber::Empty),
        ("vector", Some([one])) => {
            let sample = one.get("value").and_then(Value::as_array);
            sample.map(Vec::as_slice).ok_or(NoNumber::NoValue)?
        }
        ("vector", Some(several)) => return Err(NoNumber::Several(several.len())),
        (type_, _) => return Err(NoNumber::Type(type_.to_owned())),
    };
    let [_, value] = sample else { return Err(NoNumber::NoPair) };
    let number: Option<f64> = value.as_str().and_then(|value| value.parse().ok());
    match number {
        Some(number) if number.is_finite() => Ok(number),
        Some(number) => Err(NoNumber::Infinite(number)),
        None => Err(NoNumber::NotANumber),
    }
}
