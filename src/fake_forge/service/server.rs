//! The web server of a forge: its connections.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Response};
use bytes::Bytes;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::dispatch::Received;
use super::respond::{HungUp, Sent, respond, response};
use super::shared::Shared;

/// The largest body of a request, in bytes: a push.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

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
    let Sent { answer, limit } = respond(&shared, received).await?;
    let length = answer.body.len();
    let mut response = response(answer)?.map(Bytes::from);
    let Some(limit) = limit else { return Ok(response.map(Body::from)) };
    response.headers_mut().insert("content-length", HeaderValue::from(length));
    let part = |body: Bytes| futures::stream::iter([Ok::<_, Infallible>(body.slice(..limit))]);
    Ok(response.map(|body| Body::from_stream(part(body))))
}
