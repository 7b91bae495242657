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

/// Judges an answer: it must be one number.
pub(super) fn measured(threshold: Threshold, answer: &Answer) -> Measured {
    match number(answer) {
        Err(why) => Measured::none(&why),
        Ok(number) => Measured::new(threshold.holds(number), &format!("{}, must be {threshold}", written(number))),
    }
}

fn number(answer: &Answer) -> Result<f64, String> {
    let body: Result<Value, _> = serde_json::from_slice(&answer.body);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let body = match (body, answer.status) {
        (Ok(body), 200) if text(&body, "status") == "success" => body,
        (Ok(body), status) if !text(&body, "error").is_empty() => {
            return Err(format!("status {status}: {}", text(&body, "error")));
        }
        (Err(error), 200) => return Err(format!("the answer is not JSON: {error}")),
        (_, status) => return Err(format!("status {status}, without a result")),
    };
    let data = body.get("data").unwrap_or(&Value::Null);
    let result = data.get("result").and_then(Value::as_array);
    let sample = match (text(data, "resultType").as_str(), result.map(Vec::as_slice)) {
        ("scalar", Some(sample)) => sample,
        ("vector", Some([])) => return Err("the query has no result".to_owned()),
        ("vector", Some([one])) => {
            let sample = one.get("value").and_then(Value::as_array);
            sample.map(Vec::as_slice).ok_or_else(|| "the result of the query has no value".to_owned())?
        }
        ("vector", Some(several)) => {
            return Err(format!("the query has {} results instead of one number; aggregate them", several.len()));
        }
        (type_, _) => return Err(format!("the query gives a result of type {type_:?} instead of one number")),
    };
    let [_, value] = sample else { return Err("the result of the query is not a pair of time and value".to_owned()) };
    let number: Option<f64> = value.as_str().and_then(|value| value.parse().ok());
    match number {
        Some(number) if number.is_finite() => Ok(number),
        Some(number) => Err(format!("the result of the query is {number}")),
        None => Err("the value in the result of the query is not a number".to_owned()),
    }
}
