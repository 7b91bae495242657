//! The routes of the page.

use std::convert::Infallible;
use std::sync::{Arc, LazyLock};
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
use tokio::sync::Semaphore;

use super::access::Access;
use super::archive::Unavailable;
use super::asked::Asked;
use super::body::{Content, answer, safe};
use super::pages::Pages;
use super::rendered::Rendered;
use crate::monitor::serve::{Limits, Peer};
use crate::reconciler::clock::Clock;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_page::{Query, html};

const TEXT: &str = "text/plain; charset=utf-8";

/// The parameters that pages read.
const NAMES: [&str; 8] = ["at", "filter", "page", "addon", "cluster", "person", "since", "until"];

/// How many pages are rendered at a time.
const WORKERS: usize = 2;

/// The longest address that is answered, in bytes.
const LONGEST: usize = 4_096;

/// What the routes need.
#[derive(Debug, Clone)]
struct Site {
    pages: Pages,
    rendered: Arc<Rendered>,
    access: Access,
    clock: Clock,
    /// Renders at most so many pages at a time.
    workers: Arc<Semaphore>,
}

/// Returns the routes of the page. All of them only read.
pub fn router(pages: Pages, access: Access, clock: Clock) -> Router {
    let workers = Arc::new(Semaphore::new(WORKERS));
    let site = Site { pages, rendered: Arc::default(), access, clock, workers };
    Router::new()
        .route("/style.css", get(|headers: HeaderMap| async move { STYLE.answer(&headers) }))
        .route("/script.js", get(|headers: HeaderMap| async move { SCRIPT.answer(&headers) }))
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
    let peer = request.extensions().get::<Peer>().copied();
    if peer.is_some_and(|peer| peer.lacks_tls) {
        return refused(StatusCode::FORBIDDEN, "the page is served over HTTPS only: use https://", request.headers());
    }
    match site.access.permit(request.headers(), peer.map(|peer| peer.address)) {
        Ok(()) => {
            let mut response = next.run(request).await;
            safe(response.headers_mut());
            response
        }
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

/// A file that is the same for all pages. It is compressed once.
struct Asset {
    content: Content,
    tag: String,
}

static STYLE: LazyLock<Asset> = LazyLock::new(|| Asset::new("text/css; charset=utf-8", html::style()));
static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("text/javascript; charset=utf-8", html::SCRIPT.to_owned()));

impl Asset {
    fn new(kind: &'static str, text: String) -> Self {
        let tag = format!("\"{}\"", tidegate_model::digest::Digest::of(text.as_bytes()).short());
        Self { content: Content::new(StatusCode::OK, kind, text), tag }
    }

    fn answer(&self, request: &HeaderMap) -> Response<Body> {
        answer(&self.content, &self.tag, request)
    }
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
    let query = Query(pairs.into_iter().filter(|(name, _)| NAMES.contains(&name.as_str())).collect());
    let facts = match site.pages.shown(query.get("at"), &now).await {
        Ok(facts) => facts,
        Err(error) => return unavailable(error),
    };
    let path = path.map(|Path(path)| path).unwrap_or_default();
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let wants_json = accept.contains("application/json") && !accept.contains("text/html");
    let (rendered, clock) = (site.rendered.clone(), minute(site.clock.now()));
    let asked = Asked { rendered, now, facts, clock, path, query, wants_json };
    if let Some(known) = asked.known(&headers) {
        return known;
    }
    // The daemon needs the threads, too.
    let _working = site.workers.acquire().await;
    match tokio::task::spawn_blocking(move || asked.answer(&headers)).await {
        Ok(response) => response,
        Err(error) => {
            tracing::error!(%error, "a page could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Returns the begin of the minute: what a page expects changes once a minute.
fn minute(at: Timestamp) -> Timestamp {
    at.checked_sub(SignedDuration::from_secs(at.as_second().rem_euclid(60)))
        .map(tidegate_model::time::to_seconds)
        .unwrap_or(at)
}

/// Sends the commit of each new entry, also if the journal cannot be read any more. The reader then asks for the page again.
async fn events(State(site): State<Site>, headers: HeaderMap) -> Response<Body> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Sse::new(entries(site.pages, last)).keep_alive(alive).into_response()
}

fn entries(pages: Pages, last: Option<String>) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold((pages, last), |(pages, last)| async move {
        loop {
            let state = pages.now().await.ok().map(|now| now.state());
            if let Some(state) = state.filter(|state| Some(state) != last.as_ref()) {
                let event = Event::default().event("entry").id(&state).retry(Duration::from_secs(3)).data(&state);
                return Some((Ok(event), (pages, Some(state))));
            }
            tokio::time::sleep(pages.pause()).await;
        }
    })
}
