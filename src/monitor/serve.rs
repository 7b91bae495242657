//! Serving on a socket: connections are bounded in number, and one that never finishes a request is closed.

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

/// A header that has not come in by then never comes in. Also the longest time for which a connection stays open between requests.
const HEADER: Duration = Duration::from_secs(15);
/// A kubelet, a few scrapers and a forge need a handful of connections; more wait until one is closed.
const CONNECTIONS: usize = 256;
/// The system has no room for another connection: waiting is all that helps.
const NO_ROOM: Duration = Duration::from_secs(1);

/// Serves the routes until told to stop; requests that are under way are answered.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) {
    serve_patiently(listener, router, stop, HEADER).await;
}

/// Serves as [`serve`] does, and waits so long for a header.
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
                tracing::debug!(%error, "a connection was not accepted");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
        // The finished ones need not be kept until the end.
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
