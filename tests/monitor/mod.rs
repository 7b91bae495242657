//! Tests of `monitor` over a socket.

mod webhook;

use std::sync::Arc;

use tidegate::monitor;
use tidegate::reconciler::{Snapshot, metrics};
use tidegate::telemetry::metrics::Metrics;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_cluster_can_ask_for_health_readiness_and_metrics() {
    let registry = Metrics::default();
    registry.register(metrics::Metrics::register);
    let snapshots = watch::Sender::new(Arc::new(Snapshot::default()));
    let stop = CancellationToken::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served =
        tokio::spawn(monitor::serve(listener, monitor::router(registry, snapshots.subscribe(), None), stop.clone()));
    let get = |path: &'static str| async move {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    assert!(get("/healthz").await.starts_with("HTTP/1.0 200"));
    assert!(get("/readyz").await.starts_with("HTTP/1.0 503"));
    snapshots.send_replace(Arc::new(Snapshot { tick: 1, ..Snapshot::default() }));
    assert!(get("/readyz").await.starts_with("HTTP/1.0 200"));
    let metrics = get("/metrics").await;
    assert!(metrics.contains("application/openmetrics-text"));
    assert!(metrics.contains("tidegate_ticks_total 0") && metrics.trim_end().ends_with("# EOF"));
    stop.cancel();
    served.await.unwrap().unwrap();
}
