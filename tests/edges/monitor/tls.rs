//! Tests of the page over TLS: who reaches it, certificates that are renewed, and what cannot be used.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use reqwest::Certificate;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::page::{journal, site};
use tidegate_daemon::monitor::page::Access;
use tidegate_daemon::monitor::tls::metrics::{Watched, register};
use tidegate_daemon::monitor::{Limits, Socket, Tls, serve};
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
        let router = site(&journal(), Access::Loopback);
        let served = tokio::spawn(serve(Socket { listener, tls: Some(tls) }, router, limits, stop.clone()));
        Self { address, stop, served }
    }

    /// Returns the status of the page for a client that trusts a certificate; `None` if it does not get that far.
    async fn status(&self, trusted: &str) -> Option<u16> {
        let trusted = Certificate::from_pem(trusted.as_bytes()).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([trusted]).no_proxy().build().unwrap();
        let answer = client.get(format!("https://{}/about", self.address)).send().await;
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
async fn the_page_is_encrypted_and_is_not_shown_over_a_plain_connection() {
    let files = Files::new();
    let (trusted, key) = certificate(2030);
    files.write("tls.crt", &trusted);
    files.write("tls.key", &key);
    let server = Server::start(files.tls().unwrap(), Limits::page()).await;
    assert_eq!(server.status(&trusted).await, Some(200));
    assert_eq!(server.status(&certificate(2030).0).await, None, "another certificate is not trusted");
    for path in ["/", "/about", "/events", "/style.css"] {
        let answer = server.plain(path).await;
        assert!(
            answer.starts_with("HTTP/1.1 403") && answer.ends_with("the page is encrypted: ask for https://\n"),
            "{answer}"
        );
    }
    server.end().await;
}

#[tokio::test]
async fn a_certificate_that_is_renewed_by_halves_stays_until_both_files_are_new() {
    let files = Files::new();
    let (old, key) = certificate(2030);
    files.write("tls.crt", &old);
    files.write("tls.key", &key);
    let tls = files.tls().unwrap();
    let metrics = Metrics::default();
    metrics.register(|registry| {
        register(registry, vec![Watched::Page(tls.clone()), Watched::Hub("2027-01-01T00:00:00Z".parse().unwrap())])
    });
    let server = Server::start(tls, Limits::page()).await;
    let (new, key) = certificate(2031);
    let ends = |metrics: &Metrics| {
        let text = metrics.text();
        let values = text.lines().filter(|line| line.starts_with("tidegate_certificate_expiration_timestamp_seconds{"));
        values.map(|line| line.split_once('{').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    let hub = "certificate=\"hub\"} 1798761600";
    for (name, text) in [("tls.crt", new.as_str()), ("tls.key", ""), ("tls.key", "-----BEGIN PRIVATE KEY-----\nMC4C\n")]
    {
        files.write(name, text);
        assert_eq!((server.status(&old).await, server.status(&new).await), (Some(200), None), "{text}");
        assert_eq!(ends(&metrics), ["certificate=\"page\"} 1893456000", hub]);
    }
    std::fs::remove_file(files.path("tls.key")).unwrap();
    assert_eq!(server.status(&old).await, Some(200));
    files.write("tls.key", &key);
    // A scrape sees the renewed certificate before anyone connects.
    assert_eq!(ends(&metrics), ["certificate=\"page\"} 1924992000", hub]);
    assert_eq!((server.status(&old).await, server.status(&new).await), (None, Some(200)));
    server.end().await;
}

#[tokio::test]
async fn a_handshake_that_never_ends_is_closed_and_blocks_no_one() {
    let files = Files::new();
    let (trusted, key) = certificate(2030);
    files.write("tls.crt", &trusted);
    files.write("tls.key", &key);
    let limits = Limits { header: Duration::from_secs(2), ..Limits::page() };
    let server = Server::start(files.tls().unwrap(), limits).await;
    let mut halves = Vec::new();
    // Nothing, the begin of a handshake, and what is no handshake although it begins like one.
    for sent in [&b""[..], &[0x16, 3, 1], &[0x16; 600]] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(sent).await.unwrap();
        halves.push(stream);
    }
    assert_eq!(server.status(&trusted).await, Some(200));
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
    for (certificate_pem, key, expected) in [
        ("", key.as_str(), "tls.crt: there is no certificate in PEM format"),
        (key.as_str(), key.as_str(), "tls.crt: there is no certificate in PEM format"),
        ("-----BEGIN CERTIFICATE-----\nMIIB\n", key.as_str(), "tls.crt: there is no certificate in PEM format"),
        (certificate_pem.as_str(), "", "tls.key: there is no private key in PEM format"),
        (certificate_pem.as_str(), certificate_pem.as_str(), "tls.key: there is no private key in PEM format"),
        (certificate_pem.as_str(), &certificate(2030).1, "tls.key is not the key of tls.crt"),
    ] {
        files.write("tls.crt", certificate_pem);
        files.write("tls.key", key);
        let error = files.tls().unwrap_err();
        assert!(error.starts_with(expected) && error.contains("; write "), "{error}");
        assert!(!error.contains("PRIVATE"), "{error}");
    }
}

#[test]
fn what_is_shown_of_tls_has_no_key() {
    let files = Files::new();
    let (certificate_pem, key) = certificate(2030);
    files.write("tls.crt", &certificate_pem);
    files.write("tls.key", &key);
    let shown = format!("{:?}", files.tls().unwrap());
    let secret: Vec<&str> = key.lines().filter(|line| !line.starts_with("---")).collect();
    assert!(secret.iter().all(|line| !shown.contains(line)), "{shown}");
}
