//! Tests of the page over TLS: who reaches it, certificates that are renewed, and what cannot be used.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use reqwest::Certificate;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::page::{journal, site};
use tidegate_daemon::monitor::page::Access;
use tidegate_daemon::monitor::tls::metrics::{Watched, register};
use tidegate_daemon::monitor::{self, Limits, Socket, Tls, serve};
use tidegate_daemon::reconciler::{self, Stage};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_git::install_tls_provider;

use crate::scratch::tempdir;

/// The files of a certificate.
struct Files {
    directory: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        install_tls_provider();
        Self { directory: tempdir() }
    }

    /// Returns the files of a certificate that expires on the first day of a year, and the certificate.
    fn usable(year: i32) -> (Self, String) {
        let (files, (certificate, key)) = (Self::new(), certificate(year));
        files.write("tls.crt", &certificate);
        files.write("tls.key", &key);
        (files, certificate)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn tls(&self) -> Result<Tls, String> {
        Tls::new(self.path("tls.crt"), self.path("tls.key")).map_err(|error| self.without_directory(&error.to_string()))
    }

    fn without_directory(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.directory.path().display()), "")
    }
}

/// Returns a certificate for this machine that ends on the first day of a year, with its key.
fn certificate(year: i32) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    params.not_after = date_time_ymd(year, 1, 1);
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

/// A server of the page with TLS.
struct Server {
    address: SocketAddr,
    stop: CancellationToken,
    served: tokio::task::JoinHandle<()>,
}

impl Server {
    async fn start(tls: Tls, limits: Limits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        let registry = Metrics::default();
        let absences = registry.register(reconciler::metrics::Metrics::register).absences;
        let stages = watch::Sender::new(Stage::Starting);
        let probes = monitor::router(registry, stages.subscribe(), absences);
        let router = probes.merge(site(&journal(), Access::Loopback));
        let served = tokio::spawn(serve(Socket { listener, tls: Some(tls) }, router, limits, stop.clone()));
        Self { address, stop, served }
    }

    /// Returns the status of a path for a client that trusts a certificate; `None` if it does not get that far.
    async fn status(&self, trusted: &str, path: &str) -> Option<u16> {
        let trusted = Certificate::from_pem(trusted.as_bytes()).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([trusted]).no_proxy().build().unwrap();
        let answer = client.get(format!("https://{}{path}", self.address)).send().await;
        answer.ok().map(|answer| answer.status().as_u16())
    }

    async fn plain(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    async fn end(self) {
        self.stop.cancel();
        self.served.await.unwrap();
    }
}

#[tokio::test]
async fn the_page_is_encrypted_and_probes_are_served_both_ways() {
    let (files, trusted) = Files::usable(2030);
    let server = Server::start(files.tls().unwrap(), Limits::page()).await;
    for path in ["/about", "/healthz", "/metrics"] {
        assert_eq!(server.status(&trusted, path).await, Some(200), "{path}");
    }
    assert_eq!(server.status(&certificate(2030).0, "/about").await, None, "another certificate is not trusted");
    for path in ["/", "/about", "/events", "/style.css", "/nope"] {
        let answer = server.plain(path).await;
        let (status, reason) = ("HTTP/1.1 403", "the page is served over HTTPS only: use https://\n");
        assert!(answer.starts_with(status) && answer.ends_with(reason), "{answer}");
    }
    for path in ["/healthz", "/metrics"] {
        assert!(server.plain(path).await.starts_with("HTTP/1.1 200"), "{path}");
    }
    server.end().await;
}

/// Returns the labels and values of the metric.
fn expirations(metrics: &Metrics) -> Vec<String> {
    let text = metrics.text();
    let values =
        text.lines().filter_map(|line| line.strip_prefix("tidegate_certificate_expiration_timestamp_seconds{"));
    values.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_certificate_that_is_renewed_by_halves_stays_until_both_files_are_new() {
    let (files, old) = Files::usable(2030);
    let tls = files.tls().unwrap();
    let metrics = Metrics::default();
    let watched = vec![Watched::Page(tls.clone()), Watched::Hub("2027-01-01T00:00:00Z".parse().unwrap())];
    metrics.register(|registry| register(registry, watched));
    let server = Server::start(tls.clone(), Limits::page()).await;
    let (new, key) = certificate(2031);
    let statuses = async || (server.status(&old, "/about").await, server.status(&new, "/about").await);
    let hub = "certificate=\"hub\"} 1798761600";
    let half = "-----BEGIN PRIVATE KEY-----\nMC4C\n";
    for (name, text) in [("tls.crt", new.as_str()), ("tls.key", ""), ("tls.key", half)] {
        files.write(name, text);
        tls.refresh();
        tls.refresh();
        assert_eq!(statuses().await, (Some(200), None), "{text}");
        assert_eq!(expirations(&metrics), ["certificate=\"page\"} 1893456000", hub]);
    }
    std::fs::remove_file(files.path("tls.key")).unwrap();
    tls.refresh();
    assert_eq!(statuses().await, (Some(200), None));
    files.write("tls.key", &key);
    tls.refresh();
    assert_eq!(statuses().await, (None, Some(200)));
    assert_eq!(expirations(&metrics), ["certificate=\"page\"} 1924992000", hub]);
    server.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_renewed_certificate_is_noticed_without_a_reader() {
    let (files, _) = Files::usable(2030);
    let tls = files.tls().unwrap();
    let server = Server::start(tls.clone(), Limits::page()).await;
    let (new, key) = certificate(2031);
    files.write("tls.crt", &new);
    files.write("tls.key", &key);
    let renewed = async {
        while tls.expires() != Some("2031-01-01T00:00:00Z".parse().unwrap()) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(3_600), renewed).await.expect("the new pair is read");
    server.end().await;
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_closed_and_blocks_no_one() {
    let (files, trusted) = Files::usable(2030);
    let limits = Limits { header: Duration::from_secs(2), ..Limits::page() };
    let server = Server::start(files.tls().unwrap(), limits).await;
    let mut halves = Vec::new();
    // Nothing, the begin of a handshake, and what is no handshake although it begins like one.
    for sent in [&b""[..], &[0x16, 3, 1], &[0x16; 600]] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        halves.push(stream);
    }
    assert_eq!(server.status(&trusted, "/about").await, Some(200));
    let closed = tokio::time::timeout(Duration::from_secs(60), async {
        for mut half in halves {
            let mut rest = Vec::new();
            // Whether reset or ended, it is closed.
            half.read_to_end(&mut rest).await.ok();
        }
    });
    closed.await.expect("every connection ends");
    server.end().await;
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let files = Files::new();
    let (certificate_pem, key) = certificate(2030);
    let error = files.tls().unwrap_err();
    assert!(error.starts_with("tls.crt: No such file"), "{error}");
    let one_line = key.replace('\n', "\\n");
    let no_lines = key.replace('\n', "");
    for (certificate_pem, key, expected) in [
        ("", key.as_str(), "tls.crt: no certificate in PEM format"),
        (key.as_str(), key.as_str(), "tls.crt: no certificate in PEM format"),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n", key.as_str(), "tls.crt: no certificate in PEM format"),
        (certificate_pem.as_str(), "", "tls.key: no private key in PEM format"),
        (certificate_pem.as_str(), certificate_pem.as_str(), "tls.key: no private key in PEM format"),
        (certificate_pem.as_str(), &one_line, "tls.key: no private key in PEM format"),
        (certificate_pem.as_str(), &no_lines, "tls.key: no private key in PEM format"),
        (certificate_pem.as_str(), &certificate(2030).1, "tls.key is not the key of tls.crt"),
        (
            certificate_pem.as_str(),
            "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n",
            "tls.crt and tls.key cannot be used",
        ),
    ] {
        files.write("tls.crt", certificate_pem);
        files.write("tls.key", key);
        let error = Tls::new(files.path("tls.crt"), files.path("tls.key")).unwrap_err();
        let shown = files.without_directory(&error.to_string());
        assert!(shown.starts_with(expected) && shown.contains("; "), "{shown}");
        // Bytes may be shown as numbers.
        let secret = format!("{:?}", &key.as_bytes()[key.len().min(40)..key.len().min(60)]);
        let is_shown = |text: &str| !key.is_empty() && text.contains(secret.trim_matches(['[', ']']));
        assert!(!is_shown(&shown) && !is_shown(&format!("{error:?}")) && !shown.contains("PRIVATE"), "{error:?}");
    }
}

#[test]
fn what_is_shown_of_tls_has_no_key() {
    let (files, _) = Files::usable(2030);
    let shown = format!("{:?}", files.tls().unwrap());
    let key = KeyPair::from_pem(&std::fs::read_to_string(files.path("tls.key")).unwrap()).unwrap();
    let secret = format!("{:?}", &key.serialize_der()[40..60]);
    assert!(!shown.contains(secret.trim_matches(['[', ']'])), "{shown}");
}

#[tokio::test]
async fn a_server_stops_during_a_handshake() {
    let (files, _) = Files::usable(2030);
    let server = Server::start(files.tls().unwrap(), Limits::page()).await;
    let mut half = TcpStream::connect(server.address).await.unwrap();
    half.write_all(&[0x16, 3, 1]).await.unwrap();
    // The server has accepted it when it answers the next one.
    assert!(server.plain("/healthz").await.starts_with("HTTP/1.1 200"));
    tokio::time::timeout(Duration::from_secs(10), server.end()).await.expect("no handshake keeps it");
}
