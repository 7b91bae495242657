//! Answers: their headers, and compression.

use std::io::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Nothing but the own style and script is loaded, nothing is sent anywhere, and no other page may show this one.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'";

/// Texts shorter than this are not compressed.
const SHORT: usize = 1_024;

/// Something to answer with, also compressed.
#[derive(Debug, Clone)]
pub(super) struct Content {
    status: StatusCode,
    kind: &'static str,
    plain: Bytes,
    zipped: Option<Bytes>,
}

impl Content {
    /// Compresses a text.
    pub(super) fn new(status: StatusCode, kind: &'static str, text: String) -> Self {
        let zipped = (text.len() >= SHORT).then(|| zip(text.as_bytes())).flatten();
        Self { status, kind, plain: Bytes::from(text), zipped }
    }

    /// Returns `true` if it is not the answer to a mistake.
    pub(super) fn is_found(&self) -> bool {
        self.status == StatusCode::OK
    }

    /// Returns how much memory it takes, in bytes.
    pub(super) fn size(&self) -> usize {
        self.plain.len() + self.zipped.as_ref().map_or(0, Bytes::len)
    }
}

fn zip(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Returns the answer to a request, or that the reader has it already. `tag` identifies a text that was found.
pub(super) fn answer(content: &Content, tag: &str, request: &HeaderMap) -> Response<Body> {
    let tag = Some(tag).filter(|tag| content.status == StatusCode::OK && !tag.is_empty());
    let text = |name: header::HeaderName| request.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_known = tag.is_some_and(|tag| {
        text(header::IF_NONE_MATCH).split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
    });
    let wants_zipped = text(header::ACCEPT_ENCODING).split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("gzip") && !parts.any(|part| part == "q=0" || part == "q=0.0")
    });
    let zipped = content.zipped.as_ref().filter(|_| wants_zipped);
    let body = match zipped {
        _ if is_known => Body::empty(),
        Some(zipped) => Body::from(zipped.clone()),
        None => Body::from(content.plain.clone()),
    };
    let mut response = Response::new(body);
    *response.status_mut() = if is_known { StatusCode::NOT_MODIFIED } else { content.status };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content.kind));
    headers.insert(header::VARY, HeaderValue::from_static("accept, accept-encoding, authorization"));
    if zipped.is_some() && !is_known {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    safe(headers);
    response
}

/// Adds the headers that every answer has.
pub(super) fn safe(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "private, no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
