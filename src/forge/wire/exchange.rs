//! One request and its answer, with redirects, limits and the budget.

use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, USER_AGENT,
};
use reqwest::{Request, Url};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;

use super::address::Address;
use super::body::{NoAnswer, read};
use super::call::Call;
use super::failure::garbage;
use super::limits::pause;
use super::reply::Reply;
use super::token::Token;
use super::traffic::{Traffic, Usage};
use super::transport::Transport;
use crate::error::{Error, Result};
use crate::settings::Clock;

/// The most redirects of one request. A renamed project needs one.
const REDIRECTS: usize = 5;

/// The time for a request and its whole answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The version of GitHub's API. Version 2026-03-10 leaves out `merge_commit_sha`, which is not used.
const VERSION: HeaderValue = HeaderValue::from_static("2022-11-28");

/// The connection to a forge. It sends what it is given, one request at a time if its caller does so.
pub(crate) struct Wire {
    pub(crate) kind: ForgeKind,
    pub(crate) address: Address,
    transport: Transport,
    clock: Clock,
    traffic: Mutex<Traffic>,
}

impl Wire {
    pub(crate) fn new(kind: ForgeKind, address: Address, transport: Transport, budget: u32, clock: Clock) -> Self {
        Self { kind, address, transport, clock, traffic: Mutex::new(Traffic::new(budget)) }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub(crate) fn usage(&self) -> Usage {
        let now = self.now();
        self.traffic.lock().usage(now)
    }

    /// Returns `Ok` if a request may be sent now.
    pub(crate) fn check(&self, call: &Call) -> Result<()> {
        let now = self.now();
        self.traffic.lock().check(now, call.operation)
    }

    /// Sends a request and returns its answer, whatever its status is.
    ///
    /// # Errors
    /// [`Error::Limited`] and [`Error::Budget`] without a request; [`Error::Limited`] if the answer asks for a pause;
    /// [`Error::Unreachable`] without a complete answer; [`Error::Garbage`] for redirects that are not followed.
    pub(crate) async fn send(&self, call: &Call, token: &Token, etag: Option<&HeaderValue>) -> Result<Reply> {
        let mut url = call.url.clone();
        for _ in 0..=REDIRECTS {
            let reply = self.once(call, url, token, etag).await?;
            if !matches!(reply.status, 301 | 302 | 307 | 308) {
                return Ok(reply);
            }
            let Some(location) = reply.header(LOCATION.as_str()) else {
                return Err(garbage(call, "it is a redirect to nowhere"));
            };
            url = self.address.same_origin(&reply.url, location, "a redirect")?;
        }
        Err(garbage(call, "there are more than 5 redirects"))
    }

    async fn once(&self, call: &Call, url: Url, token: &Token, etag: Option<&HeaderValue>) -> Result<Reply> {
        self.check(call)?;
        let mut request = Request::new(call.method.clone(), url.clone());
        *request.headers_mut() = self.headers(token, etag)?;
        if let Some(body) = &call.body {
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Some(body.to_string().into());
        }
        let exchange = async {
            let mut response = self.transport.send(request).await?;
            let body = read(&mut response).await?;
            Ok((response.status().as_u16(), response.headers().clone(), body))
        };
        let answer = tokio::time::timeout(TIMEOUT, exchange).await;
        let answer = answer.unwrap_or(Err(NoAnswer::Late(TIMEOUT)));
        let now = self.now();
        let mut traffic = self.traffic.lock();
        traffic.count(now, call.operation, answer.as_ref().ok().map(|(status, ..)| *status));
        let (status, headers, body) = answer.map_err(|why| {
            Error::Unreachable(format!("cannot {} at {}: {why}", call.operation, self.address.origin()))
        })?;
        match pause(self.kind, status, &headers, &body, now, traffic.strikes()) {
            Some(until) if status >= 400 => {
                traffic.pause(until, true);
                return Err(Error::Limited { until });
            }
            Some(until) => traffic.pause(until, false),
            None => traffic.answered(),
        }
        Ok(Reply { status, headers, body, url })
    }

    fn headers(&self, token: &Token, etag: Option<&HeaderValue>) -> Result<HeaderMap> {
        let (scheme, accept) = match self.kind {
            ForgeKind::GitHub => ("Bearer", "application/vnd.github+json"),
            ForgeKind::GitLab => ("Bearer", "application/json"),
            ForgeKind::Gitea => ("token", "application/json"),
        };
        let value = HeaderValue::try_from(format!("{scheme} {}", token.reveal()));
        let mut value = value.map_err(|_| Error::Settings("the token cannot be sent in a header".to_owned()))?;
        value.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value);
        headers.insert(USER_AGENT, HeaderValue::from_static("tidegate"));
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        if self.kind == ForgeKind::GitHub {
            headers.insert("x-github-api-version", VERSION);
        }
        if let Some(etag) = etag {
            headers.insert(IF_NONE_MATCH, etag.clone());
        }
        Ok(headers)
    }
}
