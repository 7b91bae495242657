//! The routes of the page.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query as Pairs, Request, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures::Stream;
use futures::stream::unfold;

use super::access::Access;
use super::archive::Unavailable;
use super::body::{Content, answer, safe};
use super::pages::{Now, Pages};
use super::rendered::Rendered;
use crate::monitor::serve::Limits;
use crate::reconciler::clock::Clock;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_page::{Facts, Links, NotFound, Query, document, html};

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";

/// The longest address that is answered, in bytes.
const LONGEST: usize = 4_096;

/// What the routes need.
#[derive(Debug, Clone)]
struct Site {
    pages: Arc<Pages>,
    rendered: Arc<Rendered>,
    access: Access,
    clock: Clock,
}

/// Returns the routes of the page. All of them only read.
pub fn router(pages: Pages, access: Access, clock: Clock) -> Router {
    let site = Site { pages: Arc::new(pages), rendered: Arc::default(), access, clock };
    Router::new()
        .route(
            "/style.css",
            get(|request: Request| async move { asset("text/css; charset=utf-8", html::style(), &request) }),
        )
        .route(
            "/script.js",
            get(|request: Request| async move {
                asset("text/javascript; charset=utf-8", html::SCRIPT.to_owned(), &request)
            }),
        )
        .route("/events", get(events))
        .route("/", get(page))
        .route("/{*path}", get(page))
        .layer(middleware::from_fn_with_state(site.clone(), permitted))
        .with_state(site)
}

/// Adds the page to the routes of the probes, if there is one, and returns the limits of both.
pub fn beside(probes: Router, page: Option<(Pages, Access)>, clock: &Clock) -> (Router, Limits) {
    match page {
        Some((pages, access)) => (probes.merge(router(pages, access, clock.clone())), Limits::page()),
        None => (probes, Limits::pages()),
    }
}

/// Answers only those who may see the page.
async fn permitted(State(site): State<Site>, request: Request, next: Next) -> Response<Body> {
    if request.uri().to_string().len() > LONGEST {
        return refused(StatusCode::URI_TOO_LONG, "the address is too long", request.headers());
    }
    match site.access.permit(request.headers()) {
        Ok(()) => next.run(request).await,
        Err((status, reason)) => {
            let mut response = refused(status, &reason, request.headers());
            if status == StatusCode::UNAUTHORIZED {
                let challenge = "Basic realm=\"Tidegate\", charset=\"UTF-8\"";
                response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static(challenge));
            }
            response
        }
    }
}

fn refused(status: StatusCode, reason: &str, request: &HeaderMap) -> Response<Body> {
    answer(&Content::new(status, TEXT, format!("{reason}\n")), "", request)
}

fn asset(kind: &'static str, text: String, request: &Request) -> Response<Body> {
    let tag = format!("\"{}\"", tidegate_model::digest::Digest::of(text.as_bytes()).short());
    answer(&Content::new(StatusCode::OK, kind, text), &tag, request.headers())
}

async fn page(
    State(site): State<Site>,
    path: Option<Path<String>>,
    Pairs(pairs): Pairs<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Response<Body> {
    let unavailable = |Unavailable(why): Unavailable| {
        refused(StatusCode::SERVICE_UNAVAILABLE, &format!("the journal cannot be read: {why}"), &headers)
    };
    let now = match site.pages.now().await {
        Ok(now) => now,
        Err(error) => return unavailable(error),
    };
    let query = Query(pairs);
    let at = query.get("at");
    let shown = match at {
        "" => None,
        at => match site.pages.past(at, &now).await {
            Ok(Some(facts)) => Some(facts),
            Ok(None) => {
                let reason =
                    format!("the journal has no entry {at:?}: give a commit of it, or a time after its first entry");
                return refused(StatusCode::NOT_FOUND, &reason, &headers);
            }
            Err(error) => return unavailable(error),
        },
    };
    let path = path.map(|Path(path)| path).unwrap_or_default();
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let wants_json = accept.contains("application/json") && !accept.contains("text/html");
    let is_past = shown.is_some();
    let facts = shown.unwrap_or_else(|| now.facts.clone());
    let clock = if is_past { facts.moment.at } else { minute(site.clock.now()).max(facts.moment.at) };
    let asked = Asked { site, now, facts, is_past, clock, path, query, wants_json };
    match tokio::task::spawn_blocking(move || asked.answer(&headers)).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// What was asked for.
struct Asked {
    site: Site,
    now: Now,
    facts: Arc<Facts>,
    is_past: bool,
    clock: Timestamp,
    path: String,
    query: Query,
    wants_json: bool,
}

impl Asked {
    fn answer(&self, headers: &HeaderMap) -> Response<Body> {
        let commit = &self.facts.moment.commit;
        let stale = if self.now.stale.is_some() { "-stale" } else { "" };
        let state = format!("{}-{}{stale}", self.now.facts.moment.commit, self.clock.as_second());
        let key = format!("{commit} {} {} {:?}", self.wants_json, self.path, self.query);
        let content = self.site.rendered.get(&state, &key, || self.content());
        let kind = if self.wants_json { "json" } else { "html" };
        answer(&content, &format!("\"{kind}-{commit}-{}{stale}\"", self.clock.as_second()), headers)
    }

    fn content(&self) -> Content {
        let document = match document(&self.facts, &self.path, &self.query, self.clock) {
            Ok(document) => document,
            Err(NotFound(reason)) if self.wants_json => {
                return Content::new(StatusCode::NOT_FOUND, TEXT, reason + "\n");
            }
            Err(NotFound(reason)) => {
                return Content::new(StatusCode::NOT_FOUND, HTML, html::not_found(&reason, &self.frame()));
            }
        };
        if !self.wants_json {
            return Content::new(StatusCode::OK, HTML, html::page(&document, &self.frame()));
        }
        match serde_json::to_string(&document) {
            Ok(text) => Content::new(StatusCode::OK, JSON, text),
            Err(error) => Content::new(StatusCode::INTERNAL_SERVER_ERROR, TEXT, format!("{error}\n")),
        }
    }

    fn frame(&self) -> html::Frame<'_> {
        html::Frame {
            links: Links::served(&self.path),
            path: self.path.trim_matches('/'),
            moments: &self.now.moments,
            is_past: self.is_past,
            now: self.clock,
            stale: self.now.stale.as_deref(),
        }
    }
}

/// Returns the begin of the minute: what a page expects changes once a minute.
fn minute(at: Timestamp) -> Timestamp {
    at.checked_sub(SignedDuration::from_secs(at.as_second().rem_euclid(60)))
        .map(tidegate_model::time::to_seconds)
        .unwrap_or(at)
}

/// Sends the commit of each new entry. The reader then asks for the page again.
async fn events(State(site): State<Site>, headers: HeaderMap) -> Response<Body> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    let mut response = Sse::new(entries(site.pages, last)).keep_alive(alive).into_response();
    safe(response.headers_mut());
    response
}

fn entries(pages: Arc<Pages>, last: Option<String>) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold((pages, last), |(pages, last)| async move {
        loop {
            let commit = pages.now().await.ok().map(|now| now.facts.moment.commit.to_string());
            if let Some(commit) = commit.filter(|commit| Some(commit) != last.as_ref()) {
                let event = Event::default().event("entry").id(&commit).retry(Duration::from_secs(3)).data(&commit);
                return Some((Ok(event), (pages, Some(commit))));
            }
            tokio::time::sleep(pages.pause()).await;
        }
    })
}
