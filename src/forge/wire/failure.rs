//! What an answer that is not a success means.

use std::fmt;

use serde_json::Value;
use tidegate_model::line::brief;

use super::call::Call;
use super::reply::Reply;
use crate::error::Error;

/// Most characters of a message of a forge that are repeated.
const LONGEST: usize = 300;

/// Returns the error of an answer that is not a success.
pub(crate) fn failure(call: &Call, reply: &Reply) -> Error {
    let said = said(&reply.body);
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    let text = |why: &str| format!("cannot {} ({}): {why}{said}", call.operation, call.path());
    match reply.status {
        400 | 405 | 406 | 413 | 415 | 422 => Error::Invalid {
            what: format!("cannot {} ({})", call.operation, call.path()),
            why: format!("the forge refuses the request (status {}){said}", reply.status),
        },
        401 => Error::Denied(text("the forge does not accept the token; renew it")),
        402 | 403 | 423 | 451 => Error::Denied(text(&format!(
            "the forge does not allow it (status {}); check the permissions of the token",
            reply.status
        ))),
        404 | 410 => Error::NotFound(text("it does not exist, or the token may not see it")),
        409 | 412 => Error::Conflict(text("its state does not allow that now")),
        408 | 425 | 500..=599 => {
            Error::Unreachable(text(&format!("the forge has a problem (status {}); a retry follows", reply.status)))
        }
        status => Error::Garbage(text(&format!("the answer has the unexpected status {status}"))),
    }
}

/// Returns the error of an answer with the wrong content.
pub(crate) fn garbage(call: &Call, why: impl fmt::Display) -> Error {
    let why = brief(&why.to_string(), LONGEST);
    Error::Garbage(format!(
        "cannot {} ({}): the answer is not what the API describes: {why}",
        call.operation,
        call.path()
    ))
}

/// Returns the message of an error document as one line. `message` and `errors` are strings, arrays or objects, depending on
/// the forge and the mistake.
fn said(body: &[u8]) -> String {
    let Ok(document) = serde_json::from_slice::<Value>(body) else {
        let is_page = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<');
        return if is_page { String::new() } else { brief(&String::from_utf8_lossy(body), LONGEST) };
    };
    let mut parts = Vec::new();
    for key in ["message", "error", "error_description", "errors"] {
        if let Some(value) = document.get(key) {
            phrases(value, &mut parts);
        }
    }
    parts.dedup();
    brief(&parts.join("; "), LONGEST)
}

/// Collects the phrases of an error: strings as they are, and of an object its field with what is wrong.
fn phrases(value: &Value, parts: &mut Vec<String>) {
    match value {
        Value::String(text) => parts.push(text.clone()),
        Value::Array(items) => items.iter().take(10).for_each(|item| phrases(item, parts)),
        Value::Object(fields) => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            match (text("field"), text("message").or_else(|| text("code"))) {
                (Some(field), Some(what)) => parts.push(format!("{field}: {what}")),
                (None, Some(what)) => parts.push(what.to_owned()),
                _ => fields.iter().take(10).for_each(|(field, why)| parts.push(format!("{field}: {why}"))),
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_an_error_is_read() {
        let rows = [
            (r#"{"message":"Not Found","status":"404"}"#, "Not Found"),
            (
                r#"{"message":"Validation Failed","errors":[{"resource":"Status","code":"custom","field":"description","message":"description is too long (maximum is 140 characters)"}]}"#,
                "Validation Failed; description: description is too long (maximum is 140 characters)",
            ),
            (
                r#"{"message":"Validation Failed","errors":"Validation failed: This SHA and context has reached the maximum number of statuses."}"#,
                "Validation Failed; Validation failed: This SHA and context has reached the maximum number of statuses.",
            ),
            (r#"{"message":{"base":["is locked"]}}"#, r#"base: ["is locked"]"#),
            (r#"{"error":"insufficient_scope","error_description":"needs api"}"#, "insufficient_scope; needs api"),
            ("Retry later", "Retry later"),
            ("<html>proxy</html>", ""),
            ("", ""),
            ("[1, 2]", ""),
        ];
        for (body, expected) in rows {
            assert_eq!(said(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn a_long_or_deep_error_is_short() {
        let deep = format!("{{\"message\":{}1{}}}", "[".repeat(100), "]".repeat(100));
        assert!(said(deep.as_bytes()).len() < 1300);
        let long = serde_json::json!({ "errors": vec!["x".repeat(1000); 1000] }).to_string();
        assert!(said(long.as_bytes()).chars().count() <= LONGEST);
    }

    proptest::proptest! {
        #[test]
        fn any_body_becomes_one_short_line(body in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..2000)) {
            let said = said(&body);
            assert!(said.chars().count() <= LONGEST && !said.contains(char::is_control), "{said:?}");
        }
    }
}
