//! The web server of a forge: connections, the failures that a test asks for, and the log.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use bytes::Bytes;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::super::request::Answer;
use super::super::traffic::{Fault, RequestRecord};
use super::dispatch::{self, Received};
use super::shared::Shared;

/// The largest body of a request, in bytes: a push.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// The connection ends without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection ends without an answer")]
struct HungUp;

/// Serves the forge until `stop` is cancelled.
pub(crate) async fn serve(shared: Arc<Shared>, listener: TcpListener, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return,
        };
        // A connection that fails concerns only its client.
        let Ok((stream, _)) = accepted else { continue };
        let (shared, stop) = (Arc::clone(&shared), stop.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = connection(shared, stream) => {}
                () = stop.cancelled() => {}
            }
        });
    }
}

async fn connection(shared: Arc<Shared>, stream: TcpStream) {
    let service = service_fn(move |request| handle(Arc::clone(&shared), request));
    // The client notices if its connection ends early.
    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.ok();
}

async fn handle(shared: Arc<Shared>, request: Request<hyper::body::Incoming>) -> Result<Response<Body>, HungUp> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or_else(String::new, ToString::to_string);
    let body = to_bytes(Body::new(body), BODY_LIMIT).await.map_err(|_| HungUp)?;
    let received = Received { method: parts.method.to_string(), target, headers: parts.headers, body };
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
            let headers = headers.clone();
            let body = body.clone().into_bytes();
            return response(Answer { status: *status, headers, body, is_unknown: false }, None);
        }
        Some(Fault::Garbage) => {
            record(Some(200), None);
            let page = Answer::text(200, "<html><body>Please sign in</body></html>");
            return response(page, None);
        }
        Some(Fault::Slow(gate)) => gate.pass().await,
        Some(Fault::HangUpAfterWrite | Fault::Truncate(_)) | None => {}
    }
    let (worker, asked) = (Arc::clone(&shared), received.clone());
    let answer = tokio::task::spawn_blocking(move || dispatch::answer(&worker, &asked)).await.map_err(|_| HungUp)?;
    match fault {
        Some(Fault::HangUpAfterWrite) => {
            record(None, Some(&answer));
            Err(HungUp)
        }
        Some(Fault::Truncate(bytes)) => {
            record(Some(answer.status), Some(&answer));
            response(answer, Some(bytes))
        }
        _ => {
            record(Some(answer.status), Some(&answer));
            response(answer, None)
        }
    }
}

/// Returns a response, of which only the first bytes are sent if there is a limit.
fn response(answer: Answer, limit: Option<usize>) -> Result<Response<Body>, HungUp> {
    let length = answer.body.len();
    let body = match limit {
        None => Body::from(answer.body),
        Some(limit) => {
            let sent = Bytes::from(answer.body).slice(..limit.min(length));
            Body::from_stream(futures::stream::iter([Ok::<_, Infallible>(sent)]))
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(answer.status).map_err(|_| HungUp)?;
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    if limit.is_some() {
        response.headers_mut().insert("content-length", HeaderValue::from(length));
    }
    Ok(response)
}
