//! One download: redirects, credentials, and what the status of an answer means.

use std::time::{Duration, Instant};

use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};
use tidegate_git::{Proxies, PublicOnly, Timeouts, http_client};
use tidegate_model::error_chain::ErrorChain;

use super::address::{Reach, Target, Trust, is_loopback};
use super::body;
use super::credentials::Credentials;
use crate::{Access, Error, Limits};

/// The most redirects of one download. Archives of releases need two.
const REDIRECTS: usize = 5;

/// Clients that differ in where they connect to. Redirects are followed here, where each target is checked.
#[derive(Debug)]
pub(crate) struct Web {
    /// For this machine, which is never behind a proxy.
    local: Client,
    /// For hosts that the repository declares.
    declared: Client,
    /// For hosts that a server named.
    public: Client,
    credentials: Credentials,
    limits: Limits,
    reach: Reach,
    /// Whether a proxy may answer for servers.
    has_proxies: bool,
}

/// How a request is authorized.
#[derive(Clone, Copy)]
pub(crate) enum Authorization<'a> {
    /// With the credentials of the host, if there are any.
    OfHost,
    /// With a token, which is sent to this origin only.
    Bearer { token: &'a str, home: &'a Url },
    /// Not at all.
    None,
}

/// An answer.
pub(crate) struct Reply {
    /// Where it came from, after redirects.
    pub(crate) target: Target,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The body of a success.
    pub(crate) body: Vec<u8>,
    /// What the server said about a failure.
    said: String,
}

impl Web {
    /// Creates the clients.
    pub(crate) fn new(access: &Access) -> Result<Self, Error> {
        let proxies = access.proxies.clone().unwrap_or_else(Proxies::from_environment);
        let timeouts =
            Timeouts { connect: Duration::from_secs(10), request: access.limits.time, ..Timeouts::default() };
        let authority = access.authority.as_deref();
        let builder = |proxies: Option<&Proxies>| -> Result<_, Error> {
            let builder = http_client(timeouts, authority, proxies)?;
            Ok(builder.redirect(Policy::none()).user_agent("tidegate").referer(false))
        };
        let made = |builder: reqwest::blocking::ClientBuilder| {
            builder
                .build()
                .map_err(|error| Error::Address { address: "http".to_owned(), why: ErrorChain(&error).to_string() })
        };
        let hosts = proxies.hosts()?;
        let has_proxies = !hosts.is_empty();
        let resolver = PublicOnly::new(hosts);
        Ok(Self {
            local: made(builder(None)?)?,
            declared: made(builder(Some(&proxies))?)?,
            public: made(builder(Some(&proxies))?.dns_resolver(std::sync::Arc::new(resolver)))?,
            credentials: match access.reach {
                Reach::Declared => access.credentials.clone(),
                Reach::Public => Credentials::default(),
            },
            limits: access.limits,
            reach: access.reach,
            has_proxies,
        })
    }

    /// Parses a declared address.
    ///
    /// # Errors
    /// As [`Target::new`].
    pub(crate) fn target(&self, text: &str) -> Result<Target, Error> {
        Target::new(text, self.reach)
    }

    /// Downloads what is at an address; the answer may be a refusal.
    ///
    /// # Errors
    /// [`Error::Unreachable`], [`Error::TimedOut`] and [`Error::Content`] without a complete answer within the limits;
    /// [`Error::Redirect`] for redirects that are not followed.
    pub(crate) fn get(&self, target: &Target, accept: &str, authorization: Authorization<'_>) -> Result<Reply, Error> {
        let started = Instant::now();
        let mut target = target.clone();
        for _ in 0..=REDIRECTS {
            let response = self.once(&target, accept, authorization, started)?;
            let is_proxied = self.has_proxies && !is_loopback(&target.url);
            target.answered(response.remote_addr().filter(|_| !is_proxied).map(|peer| peer.ip()));
            if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED {
                return self.reply(target, response, started);
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let location = location.ok_or_else(|| target.refused("the redirect names no address"))?;
            target = target.lead(location)?;
        }
        Err(target.refused(&format!("there are more than {REDIRECTS} redirects")))
    }

    fn once(
        &self,
        target: &Target,
        accept: &str,
        authorization: Authorization<'_>,
        started: Instant,
    ) -> Result<Response, Error> {
        let left = self.limits.time.saturating_sub(started.elapsed());
        let client = match target.trust {
            Trust::Declared if is_loopback(&target.url) => &self.local,
            Trust::Declared => &self.declared,
            Trust::Named => &self.public,
        };
        let request = client.get(target.url.clone()).header(ACCEPT, accept).timeout(left.max(Duration::from_millis(1)));
        let request = self.authorized(request, target, authorization);
        request.send().map_err(|error| {
            if error.is_timeout() && started.elapsed() >= self.limits.time {
                return Error::TimedOut { address: target.shown(), limit: self.limits.time };
            }
            let why = ErrorChain(&error.without_url()).to_string();
            Error::Unreachable { address: target.shown(), why: self.credentials.redact(&why) }
        })
    }

    /// Adds the credentials of the host, which are sent only over TLS, or to this machine.
    fn authorized(&self, request: RequestBuilder, target: &Target, authorization: Authorization<'_>) -> RequestBuilder {
        let is_safe = target.url.scheme() == "https" || is_loopback(&target.url);
        match authorization {
            Authorization::OfHost if is_safe => match self.credentials.of(target.url.host_str().unwrap_or_default()) {
                Some(login) => request.basic_auth(&login.user, Some(&login.password)),
                None => request,
            },
            Authorization::Bearer { token, home } if is_safe && home.origin() == target.url.origin() => {
                request.header(AUTHORIZATION, format!("Bearer {token}"))
            }
            _ => request,
        }
    }

    fn reply(&self, target: Target, response: Response, started: Instant) -> Result<Reply, Error> {
        let (status, headers) = (response.status(), response.headers().clone());
        let (body, said) = if status.is_success() {
            (body::read(response, &target.shown(), self.limits, started)?, String::new())
        } else {
            (Vec::new(), self.credentials.redact(&body::message(response)))
        };
        Ok(Reply { target, status, headers, body, said })
    }

    /// Returns the body of a success.
    ///
    /// # Errors
    /// What the status means otherwise.
    pub(crate) fn success(&self, reply: Reply) -> Result<Vec<u8>, Error> {
        let (address, status) = (reply.target.shown(), reply.status.as_u16());
        let said = if reply.said.is_empty() { String::new() } else { format!("; the server says: {}", reply.said) };
        match status {
            200 | 203 => Ok(reply.body),
            401 | 403 | 407 => Err(Error::Denied { address, status, why: self.remedy(&reply.target) + &said }),
            404 | 410 => Err(Error::NotFound { address, status }),
            408 | 425 | 429 | 500..=599 => {
                Err(Error::Unreachable { address, why: format!("the server has a problem (status {status}){said}") })
            }
            _ => Err(Error::Content {
                what: address,
                why: format!("the answer has the unexpected status {status}{said}"),
            }),
        }
    }

    /// Returns what to do if a server denies access.
    fn remedy(&self, target: &Target) -> String {
        let host = target.url.host_str().unwrap_or_default();
        let is_safe = target.url.scheme() == "https" || is_loopback(&target.url);
        match (self.credentials.of(host), is_safe) {
            (Some(_), false) => "credentials are not sent over plain http; write https".to_owned(),
            (Some(_), true) => {
                format!(
                    "check the login and the password of {host} in the file of --credentials-file, and its permissions"
                )
            }
            (None, _) => {
                format!("add `machine {host} login USER password TOKEN` to a file, and name it with --credentials-file")
            }
        }
    }
}
