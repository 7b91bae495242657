//! Tests of `monitor` over a socket.

mod gather;
mod gitlab;
mod page;
mod strangers;
mod tls;
mod webhook;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use tidegate_daemon::monitor;
use tidegate_daemon::reconciler::absence::Absences;
use tidegate_daemon::reconciler::absence::Part;
use tidegate_daemon::reconciler::{Snapshot, Stage, metrics};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_model::time::Timestamp;

#[tokio::test]
async fn health_readiness_and_metrics_are_served() {
    let registry = Metrics::default();
    let absences = registry.register(metrics::Metrics::register).absences;
    let snapshots = watch::Sender::new(Arc::new(Snapshot::default()));
    let stages = watch::Sender::new(Stage::Starting);
    let stop = CancellationToken::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tokio::spawn(monitor::serve(
        listener,
        monitor::router(registry, stages.subscribe(), absences),
        monitor::Limits::pages(),
        stop.clone(),
    ));
    let get = |path: &'static str| async move {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    assert!(get("/healthz").await.starts_with("HTTP/1.0 200"));
    assert!(get("/readyz").await.starts_with("HTTP/1.0 503"));
    stages.send_replace(Stage::StandingBy);
    assert!(get("/readyz").await.starts_with("HTTP/1.0 200"));
    stages.send_replace(Stage::Running(snapshots.subscribe()));
    assert!(get("/readyz").await.starts_with("HTTP/1.0 503"));
    snapshots.send_replace(Arc::new(Snapshot { tick: 1, ..Snapshot::default() }));
    assert!(get("/readyz").await.starts_with("HTTP/1.0 200"));
    let metrics = get("/metrics").await;
    assert!(metrics.contains("application/openmetrics-text"));
    assert!(metrics.contains("tidegate_ticks_total 0") && metrics.trim_end().ends_with("# EOF"));
    stop.cancel();
    served.await.unwrap();
}

/// Returns the router of a daemon that has ticked, and its absent parts.
fn ticked() -> (Router, Absences) {
    let registry = Metrics::default();
    let absences = registry.register(metrics::Metrics::register).absences;
    let snapshots = watch::Sender::new(Arc::new(Snapshot { tick: 1, ..Snapshot::default() }));
    let stage = watch::Sender::new(Stage::Running(snapshots.subscribe()));
    (monitor::router(registry, stage.subscribe(), absences.clone()), absences)
}

async fn asked(router: &Router, path: &str) -> (u16, String) {
    let answer = router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_daemon_is_not_ready_if_the_hub_or_git_has_been_unavailable_for_longer_than_a_minute() {
    let (router, absences) = ticked();
    let now = Timestamp::from_second(1_000).unwrap();
    absences.lost(Part::Hub, "connection refused", now);
    tokio::time::advance(Duration::from_secs(59)).await;
    assert_eq!(asked(&router, "/readyz").await.0, 200, "a restart of the hub takes that long");
    tokio::time::advance(Duration::from_secs(2)).await;
    absences.lost(Part::Hub, "still\nrefused", now);
    absences.lost(Part::Journal, "the disk is full", now);
    let expected = "the hub has been unavailable for 61 s: still\u{fffd}refused\n".to_owned();
    assert_eq!(asked(&router, "/readyz").await, (503, expected));
    assert_eq!(asked(&router, "/healthz").await.0, 200, "a restart of the daemon would not help");
    let metrics = asked(&router, "/metrics").await.1;
    assert!(metrics.contains("tidegate_away_since_timestamp_seconds{part=\"Hub\"} 1000"), "{metrics}");
    assert!(metrics.contains("tidegate_away_since_timestamp_seconds{part=\"Source\"} 0"), "{metrics}");
    absences.back(Part::Hub);
    assert_eq!(asked(&router, "/readyz").await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn an_absence_that_is_noticed_late_counts_from_its_beginning() {
    let (router, absences) = ticked();
    let (since, now) = (tokio::time::Instant::now(), Timestamp::from_second(1_000).unwrap());
    tokio::time::advance(Duration::from_secs(26)).await;
    absences.lost_since(Part::Hub, "connection refused", (since, now));
    tokio::time::advance(Duration::from_secs(35)).await;
    assert_eq!(asked(&router, "/readyz").await.0, 503);
    let metrics = asked(&router, "/metrics").await.1;
    assert!(metrics.contains("tidegate_away_since_timestamp_seconds{part=\"Hub\"} 974"), "{metrics}");
}

#[tokio::test]
async fn connections_that_never_finish_a_header_are_closed_and_block_no_one() {
    let (router, _) = ticked();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let limits = monitor::Limits { header: Duration::from_millis(100), ..monitor::Limits::pages() };
    let served = tokio::spawn(monitor::serve(listener, router, limits, stop.clone()));
    let mut halves = Vec::new();
    // More than are served at a time.
    for _ in 0..300 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: ").await.unwrap();
        halves.push(stream);
    }
    let answered = tokio::time::timeout(Duration::from_secs(60), async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        for half in &mut halves {
            let mut rest = Vec::new();
            // Whether reset or ended, it is closed.
            half.read_to_end(&mut rest).await.ok();
        }
        answer
    });
    assert!(answered.await.expect("every connection ends").starts_with("HTTP/1.0 200"));
    stop.cancel();
    served.await.unwrap();
}
