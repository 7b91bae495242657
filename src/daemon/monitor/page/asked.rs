//! A page that was asked for: found, written, and kept for the next reader.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::json;

use super::body::{Content, answer};
use super::pages::Now;
use super::rendered::Rendered;
use tidegate_model::time::Timestamp;
use tidegate_page::{Document, Facts, Links, NotFound, Query, document, html};

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// What was asked for.
pub(super) struct Asked {
    /// What was rendered before.
    pub rendered: Arc<Rendered>,
    /// The journal as it is now.
    pub now: Now,
    /// The journal at the moment that is shown; `None` if there was no entry at the moment that was asked for.
    pub facts: Option<Arc<Facts>>,
    /// The current time, to the minute.
    pub clock: Timestamp,
    /// The path.
    pub path: String,
    /// The query, without what no page reads.
    pub query: Query,
    /// Whether JSON is wanted, and not HTML.
    pub wants_json: bool,
}

impl Asked {
    /// Returns the answer, if the page was rendered before.
    pub(super) fn known(&self, headers: &HeaderMap) -> Option<Response<Body>> {
        let (state, key, tag) = self.names();
        Some(answer(&*self.rendered.known(&state, &key)?, &tag, headers))
    }

    /// Returns the answer, and renders the page if that was not done before. Blocks.
    pub(super) fn answer(&self, headers: &HeaderMap) -> Response<Body> {
        let (state, key, tag) = self.names();
        let content = self.rendered.get(&state, &key, || self.content());
        answer(&content, &tag, headers)
    }

    /// Returns the names of the state, of the page in it, and of its content.
    fn names(&self) -> (String, String, String) {
        let (state, minute) = (self.now.state(), self.clock.as_second());
        let shown = self.facts.as_ref().map(|facts| facts.moment.commit.as_str()).unwrap_or_default();
        let kind = if self.wants_json { "json" } else { "html" };
        let key = format!("{shown} {kind} {} {:?}", self.path, self.query.0);
        let version = env!("CARGO_PKG_VERSION");
        (format!("{state} {minute}"), key, format!("\"{version}-{kind}-{shown}-{state}-{minute}\""))
    }

    fn content(&self) -> Content {
        match self.document() {
            Ok(document) => {
                let status = if document.problem().is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
                if self.wants_json {
                    let text = serde_json::to_string(&document).unwrap_or_else(|error| mistake(&error.to_string()));
                    return Content::new(status, JSON, text);
                }
                Content::new(status, HTML, html::page(&document, &self.frame()))
            }
            Err(NotFound(reason)) if self.wants_json => Content::new(StatusCode::NOT_FOUND, JSON, mistake(&reason)),
            Err(NotFound(reason)) => Content::new(StatusCode::NOT_FOUND, HTML, html::not_found(&reason, &self.frame())),
        }
    }

    fn document(&self) -> Result<Document, NotFound> {
        let at = self.query.get("at");
        let facts = self.facts.as_ref().ok_or_else(|| NotFound(no_entry(at)))?;
        let now = if at.is_empty() { self.clock.max(facts.moment.at) } else { facts.moment.at };
        let document = document(facts, &self.path, &self.query, now)?;
        Ok(Document { stale: self.now.stale.clone(), ..document })
    }

    fn frame(&self) -> html::Frame<'_> {
        let at = Some(self.query.get("at")).filter(|at| !at.is_empty());
        let shown = self.facts.as_ref().unwrap_or(&self.now.facts);
        html::Frame {
            links: Links::served(&self.path, at.filter(|_| self.facts.is_some())),
            path: self.path.trim_matches('/'),
            query: &self.query,
            moments: &self.now.moments,
            is_past: at.is_some(),
            now: if at.is_some() { shown.moment.at } else { self.clock.max(shown.moment.at) },
            instance: shown.instance(),
            stale: self.now.stale.as_deref(),
        }
    }
}

/// Returns the reason if there is no entry at a moment.
pub fn no_entry(at: &str) -> String {
    format!(
        "the journal has no entry {at:?}: give at least seven digits of a commit of it, or a time after its first entry, such as \
         2026-11-20T14:00Z or 2026-11-20"
    )
}

fn mistake(reason: &str) -> String {
    json!({ "error": reason }).to_string()
}
