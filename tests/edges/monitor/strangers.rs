//! Strangers who hold connections open, or send anything but webhooks.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::ticked;
use super::webhook::Page;
use tidegate_daemon::monitor::{self, Limits};

/// Serves the pages with some limits.
async fn serve(limits: Limits) -> (SocketAddr, CancellationToken, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    (address, stop.clone(), tokio::spawn(monitor::serve(listener, ticked().0, limits, stop)))
}

/// Connects from an address of this machine.
async fn from(own: &str, address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
    socket.connect(address).await.unwrap()
}

/// Asks for a page on a connection that stays open, and returns `true` if it was answered.
async fn is_answered(stream: &mut TcpStream) -> bool {
    let asked = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let mut answer = [0; 15];
    asked.is_ok() && stream.read_exact(&mut answer).await.is_ok() && answer.starts_with(b"HTTP/1.1 200 OK")
}

#[tokio::test]
async fn a_stranger_who_holds_hundreds_of_connections_open_does_not_make_the_probes_fail() {
    let (address, stop, served) = serve(Limits::pages()).await;
    let mut scraper = from("127.0.0.1", address).await;
    assert!(is_answered(&mut scraper).await);
    let mut held = Vec::new();
    for _ in 0..300 {
        let mut stream = from("127.0.0.2", address).await;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap();
        held.push(stream);
    }
    let probes = tokio::time::timeout(Duration::from_secs(30), async {
        for probe in ["127.0.0.1", "127.0.0.3"] {
            assert!(is_answered(&mut from(probe, address).await).await, "a probe from {probe}");
        }
    });
    probes.await.expect("a probe is answered while the connections are held");
    stop.cancel();
    served.await.unwrap();
}

#[tokio::test]
async fn a_connection_ends_after_its_lifetime_although_it_is_used_and_although_nobody_reads() {
    let limits = Limits { lifetime: Duration::from_millis(300), grace: Duration::from_millis(100), ..Limits::pages() };
    let (address, stop, served) = serve(limits).await;
    let mut used = from("127.0.0.1", address).await;
    let mut unread = from("127.0.0.1", address).await;
    let ended = tokio::time::timeout(Duration::from_secs(60), async {
        while is_answered(&mut used).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // Requests without end, whose answers are not read.
        while unread.write_all(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").await.is_ok() {}
    });
    ended.await.expect("both connections end");
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(60), served).await.expect("nobody holds up the end").unwrap();
}

#[tokio::test]
async fn the_address_for_webhooks_shows_no_metrics_and_closes_each_connection() {
    let page = Page::with(|_| {});
    for path in ["/metrics", "/healthz", "/readyz", "/"] {
        let answer = page.router().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let (registry, _) = ticked();
    let answer = registry.oneshot(Request::post("/webhook").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND, "the address for probes takes no webhooks");

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
    let served = tokio::spawn(monitor::serve(listener, page.router(), Limits::webhooks(), stop.clone()));
    let mut stream = from("127.0.0.1", address).await;
    stream.write_all(b"POST /webhook HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    let read = tokio::time::timeout(Duration::from_secs(30), stream.read_to_string(&mut answer)).await;
    read.expect("the connection is closed after one answer").unwrap();
    assert!(answer.starts_with("HTTP/1.1 401") && answer.to_lowercase().contains("connection: close"), "{answer}");
    stop.cancel();
    served.await.unwrap();
}
