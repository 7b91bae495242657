//! A request for the API, and its answer.

use axum::http::HeaderMap;
use serde_json::Value;

use super::super::act::Refusal;
use super::super::git::GitError;

/// A request for the API.
pub(crate) struct Call {
    pub(crate) method: String,
    /// The path below the root of the API, in decoded segments.
    pub(crate) segments: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

/// An answer of the API.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the forge does not have the requested route.
    pub(crate) is_unknown: bool,
}

/// Why a request is not done: an answer, or a reason that each forge words in its own way.
pub(crate) enum Stop {
    Answer(Answer),
    Refusal(Refusal),
}

/// The result of a request.
pub(crate) type Outcome = Result<Answer, Stop>;

impl Call {
    /// Returns a parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| &**value)
    }

    /// Returns a parameter of the query that is a number.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.query(name)?.parse().ok()
    }

    /// Returns a string of the body; empty if it is absent.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.optional(field).unwrap_or_default()
    }

    /// Returns a string of the body.
    pub(crate) fn optional(&self, field: &str) -> Option<&str> {
        self.body.get(field).and_then(Value::as_str)
    }

    /// Returns a boolean of the body.
    pub(crate) fn flag(&self, field: &str) -> Option<bool> {
        self.body.get(field).and_then(Value::as_bool)
    }

    /// Returns a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Returns `true` if the request does not change anything.
    pub(crate) fn is_read(&self) -> bool {
        matches!(&*self.method, "GET" | "HEAD")
    }
}

impl Answer {
    /// Returns an answer in JSON.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json; charset=utf-8".to_owned())];
        Self { status, headers, body: body.to_string().into_bytes(), is_unknown: false }
    }

    /// Returns an answer in plain text.
    pub(crate) fn text(status: u16, body: &str) -> Self {
        let headers = vec![("content-type".to_owned(), "text/plain; charset=utf-8".to_owned())];
        Self { status, headers, body: body.as_bytes().to_vec(), is_unknown: false }
    }

    /// Returns an answer without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), is_unknown: false }
    }

    /// Adds a header.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Marks the answer to a request for a route that does not exist.
    pub(crate) fn unknown(mut self) -> Self {
        self.is_unknown = true;
        self
    }
}

impl From<Answer> for Stop {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<GitError> for Stop {
    fn from(error: GitError) -> Self {
        Self::Refusal(Refusal::Git(error))
    }
}
