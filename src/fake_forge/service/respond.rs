//! What a forge sends for a request: an answer, or the failure that a test asks for. Every request is logged.

use std::sync::Arc;

use axum::http::{HeaderName, HeaderValue, Request, Response, StatusCode};

use super::super::request::Answer;
use super::super::traffic::{Fault, RequestRecord};
use super::dispatch::{self, Received};
use super::shared::Shared;

/// The connection ends without a complete answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the connection ends without a complete answer")]
pub struct HungUp;

/// What is sent for a request.
pub(super) struct Sent {
    pub(super) answer: Answer,
    /// How many bytes of the body are sent before the connection ends, if it ends early.
    pub(super) limit: Option<usize>,
}

/// Answers a request that comes without a connection.
///
/// # Errors
/// If a connection would end without a complete answer.
pub(crate) async fn call(shared: &Arc<Shared>, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, HungUp> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let received = Received { method: parts.method.to_string(), target, headers: parts.headers, body: body.into() };
    match respond(shared, received).await? {
        Sent { answer, limit: None } => response(answer),
        Sent { limit: Some(_), .. } => Err(HungUp),
    }
}

/// Returns what is sent for a request.
///
/// # Errors
/// If nothing is sent.
pub(super) async fn respond(shared: &Arc<Shared>, received: Received) -> Result<Sent, HungUp> {
    let fault = shared.faults.lock().take(&received.method, &received.target);
    let record = |status: Option<u16>, answer: Option<&Answer>| {
        shared.log.lock().add(RequestRecord {
            method: received.method.clone(),
            target: received.target.clone(),
            status,
            is_not_modified: status == Some(304),
            is_unknown: answer.is_some_and(|answer| answer.is_unknown),
        });
    };
    match &fault {
        Some(Fault::HangUp) => {
            record(None, None);
            return Err(HungUp);
        }
        Some(Fault::Status(status, headers, body)) => {
            record(Some(*status), None);
            let (headers, body) = (headers.clone(), body.clone().into_bytes());
            return Ok(Sent { answer: Answer { status: *status, headers, body, is_unknown: false }, limit: None });
        }
        Some(Fault::Garbage) => {
            record(Some(200), None);
            let page = Answer::text(200, "<html><body>Please sign in</body></html>");
            return Ok(Sent { answer: page, limit: None });
        }
        Some(Fault::Slow(gate)) => gate.pass().await,
        Some(Fault::HangUpAfterWrite | Fault::Truncate(_)) | None => {}
    }
    let (worker, asked) = (Arc::clone(shared), received.clone());
    let answer = tokio::task::spawn_blocking(move || dispatch::answer(&worker, &asked)).await.map_err(|_| HungUp)?;
    if let Some(Fault::HangUpAfterWrite) = fault {
        record(None, Some(&answer));
        return Err(HungUp);
    }
    record(Some(answer.status), Some(&answer));
    let limit = if let Some(Fault::Truncate(bytes)) = fault { Some(bytes) } else { None };
    let limit = limit.filter(|limit| *limit < answer.body.len());
    Ok(Sent { answer, limit })
}

/// Returns an answer as a response.
///
/// # Errors
/// If its status is not one of HTTP.
pub(super) fn response(answer: Answer) -> Result<Response<Vec<u8>>, HungUp> {
    let mut response = Response::new(answer.body);
    *response.status_mut() = StatusCode::from_u16(answer.status).map_err(|_| HungUp)?;
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    Ok(response)
}
