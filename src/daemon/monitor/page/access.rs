//! Who may see the page.

use std::net::IpAddr;
use std::path::PathBuf;

use super::proxy::Proxy;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tidegate_model::digest::Digest;

/// The shortest token that is accepted, in bytes.
const SHORTEST: usize = 16;

/// Who may see the page.
#[derive(Debug, Clone)]
pub enum Access {
    /// Everybody on this machine: the address is a loopback address. The name that a request asks for must be one, too, or else any site could
    /// give its own name this address and read the page in the browser of a visitor.
    Loopback,
    /// Those who know the token in a file, as a bearer token or as the password of any user. The file is read at each request, so that it
    /// may be rotated.
    Token(PathBuf),
    /// Those for whom a proxy vouches.
    Proxy(Proxy),
}

/// The token cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidToken {
    /// The file cannot be read.
    #[error("{path}: {source}; write a token of at least {SHORTEST} characters to it", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The token is too short.
    #[error("{path}: the token has fewer than {SHORTEST} characters; write a longer one, for example from `openssl rand -hex 32`", path = path.display())]
    Short {
        /// The file.
        path: PathBuf,
    },
}

impl Access {
    /// Returns the access with a token, which must be usable now.
    ///
    /// # Errors
    /// [`InvalidToken`] if it is not.
    pub fn token(path: PathBuf) -> Result<Self, InvalidToken> {
        read(&path)?;
        Ok(Self::Token(path))
    }

    /// Returns whether a request may see the page. `peer` is who has connected.
    ///
    /// # Errors
    /// The status and the reason if it may not.
    pub(super) fn permit(&self, headers: &HeaderMap, peer: Option<IpAddr>) -> Result<(), (StatusCode, String)> {
        match self {
            Self::Loopback if is_forwarded(headers) => Err((
                StatusCode::FORBIDDEN,
                "the page is open to this machine only, and a proxy has passed the request on: it needs a token"
                    .to_owned(),
            )),
            Self::Loopback if is_from_another_site(headers) => {
                Err((StatusCode::FORBIDDEN, "another site may not read the page".to_owned()))
            }
            Self::Loopback => match headers.get(header::HOST).and_then(|host| host.to_str().ok()) {
                Some(host) if is_loopback(host) => Ok(()),
                _ => Err((
                    StatusCode::MISDIRECTED_REQUEST,
                    "the page is open to this machine only: ask for 127.0.0.1 or localhost".to_owned(),
                )),
            },
            Self::Proxy(proxy) => proxy.permit(headers, peer),
            Self::Token(path) => match read(path) {
                Ok(token) if given(headers).is_some_and(|given| is_same(&given, &token)) => Ok(()),
                Ok(_) => Err((StatusCode::UNAUTHORIZED, "give the token of this page as the password".to_owned())),
                Err(error) => {
                    tracing::error!(%error, "the page cannot be shown to anyone");
                    Err((
                        StatusCode::SERVICE_UNAVAILABLE,
                        "the token of this page cannot be used; the log of the server has the reason".to_owned(),
                    ))
                }
            },
        }
    }
}

fn read(path: &PathBuf) -> Result<String, InvalidToken> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| InvalidToken::Unreadable { path: path.clone(), source })?;
    let token = text.trim();
    if token.len() < SHORTEST { Err(InvalidToken::Short { path: path.clone() }) } else { Ok(token.to_owned()) }
}

/// Returns the token that a request gives: a bearer token, or the password of basic authentication.
///
/// # Source
/// RFC 6750 section 2.1, RFC 7617 section 2.
fn given(headers: &HeaderMap) -> Option<String> {
    let (scheme, value) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(value.trim().to_owned());
    }
    let pair = scheme.eq_ignore_ascii_case("basic").then(|| STANDARD.decode(value.trim()).ok())??;
    Some(String::from_utf8(pair).ok()?.split_once(':')?.1.to_owned())
}

/// Compares hashes, so that the time of the comparison says nothing about the token.
fn is_same(given: &str, token: &str) -> bool {
    Digest::of(given.as_bytes()) == Digest::of(token.as_bytes())
}

/// Returns `true` if a proxy has passed a request on.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let names = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];
    names.iter().any(|name| headers.contains_key(*name))
}

/// Returns `true` if a page of another site asks, and not the reader who follows a link there.
///
/// # Source
/// Fetch Metadata Request Headers, W3C.
fn is_from_another_site(headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
    is("sec-fetch-site", "cross-site") && !is("sec-fetch-mode", "navigate")
}

fn is_loopback(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let port = host.strip_prefix(authority.host()).unwrap_or("user");
    if !port.is_empty() && port.strip_prefix(':').is_none_or(|port| port.parse::<u16>().is_err()) {
        return false;
    }
    let name = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
    let is_address = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_address || name == "localhost" || name.ends_with(".localhost")
}
