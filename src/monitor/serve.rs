//! Serves on a socket. The number of connections is bounded, and a connection that never completes a request is closed.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Timeout for the header of a request. Also limits how long a connection stays open between requests.
const HEADER: Duration = Duration::from_secs(15);
/// Maximum number of connections. A kubelet, a few scrapers and a forge need a handful; more wait until one is closed.
const CONNECTIONS: usize = 256;
/// Pause after a connection could not be accepted, usually because the system has too many open files. Only waiting helps.
const NO_ROOM: Duration = Duration::from_secs(1);

/// Serves the routes until stopped; requests that are under way are still answered.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    serve_patiently(listener, router, stop, HEADER).await;
}

/// Serves like [`serve`], with this timeout for headers.
pub async fn serve_patiently(listener: TcpListener, router: Router, stop: CancellationToken, header: Duration) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            let place = Arc::clone(&room).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let answered = answer(stream, router.clone(), stop.clone(), header);
                connections.spawn(async move {
                    answered.await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::debug!(%error, "failed to accept a connection");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
        // Drop finished connections, instead of keeping them until the end.
        while connections.try_join_next().is_some() {}
    }
    while connections.join_next().await.is_some() {}
}

async fn answer(stream: TcpStream, router: Router, stop: CancellationToken, header: Duration) {
    let service = TowerToHyperService::new(router);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header);
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection broke off");
    }
}
