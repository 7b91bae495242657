//! Tests of HTTPS with a private authority, and of proxies.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tidegate_git::{Credentials, Error, Mirror, Proxies, Remote};

use super::fixture::{File, Scratch, commit, tips};
use super::http_backend::{Answer, HttpBackend};
use super::redacted::redacted;

/// `oauth2:one`, encoded as in RFC 7617.
const OAUTH2: &str = "Basic b2F1dGgyOm9uZQ==";

/// Creates an authority and a certificate for this machine. Returns the authority's certificate as PEM, and the server
/// configuration.
fn authority() -> (String, Arc<ServerConfig>) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let server = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap().signed_by(&server, &issuer).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(server.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    (pem, Arc::new(config))
}

fn written(scratch: &Scratch, name: &str, content: &str) -> PathBuf {
    let path = scratch.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn open(scratch: &Scratch, remote: Remote) -> Mirror {
    Mirror::open(scratch.path().join("state"), remote).unwrap()
}

#[test]
fn server_with_a_private_authority_is_trusted_if_the_ca_file_is_configured() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let (pem, tls) = authority();
    let server = HttpBackend::serve_tls(scratch.path(), Answer::Authorized(OAUTH2), tls);
    let token = Credentials::TokenFile(written(&scratch, "token", "one"));
    let remote = Remote::new(&server.url("remote.git"), token).unwrap().with_user("oauth2");
    let remote = remote.with_proxies(Proxies::none());
    let error = open(&scratch, remote.clone()).fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Certificate { .. }) && !error.is_transient(), "{error:?}");
    assert_eq!(server.authorizations(), [], "nothing was sent to an untrusted server");

    let ca = written(&scratch, "ca.pem", &authority().0);
    let mirror = open(&scratch, remote.with_authority(&ca));
    assert!(matches!(mirror.fetch(&["main"]), Err(Error::Certificate { .. })), "another authority");
    // The file is read again for every conversation.
    written(&scratch, "ca.pem", &format!("# ours\n{}{pem}", authority().0));
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    let new = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    mirror.push("journal", None, &new).unwrap();
    assert_eq!(scratch.tip("journal"), new);
    server.answer(Answer::Refused("403 Forbidden", "remote: Write access to repository not granted."));
    let error = mirror.push("journal", Some(&new), &new).unwrap_err();
    insta::assert_snapshot!("refused_over_tls", redacted(&error.to_string()));
    assert!(!format!("{error:?} {mirror:?}", mirror = mirror.remote()).contains("b2F1"), "{error:?}");
}

#[test]
fn unusable_ca_file_is_named() {
    let scratch = Scratch::new();
    let (_, tls) = authority();
    let server = HttpBackend::serve_tls(scratch.path(), Answer::Open, tls);
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let mut told = Vec::new();
    for (name, content) in [
        ("absent", None),
        ("empty", Some("")),
        ("text", Some("hello")),
        ("broken", Some(broken)),
        ("cut", Some("-----BEGIN CERTIFICATE-----\nAAAA\n")),
    ] {
        let path = scratch.path().join(name);
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        let remote = Remote::new(&server.url("remote.git"), Credentials::None).unwrap().with_authority(&path);
        told.push(open(&scratch, remote).fetch(&["main"]).unwrap_err().to_string());
    }
    insta::assert_snapshot!(redacted(&told.join("\n")));
}

/// A proxy that opens tunnels and records the requests.
struct Proxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Proxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (noted, stopped) = (asked.clone(), stop.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let noted = noted.clone();
                std::thread::spawn(move || stream.and_then(|stream| tunnel(stream, &noted)));
            }
        });
        Self { address, asked, stop }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        TcpStream::connect(self.address).ok();
    }
}

fn tunnel(client: TcpStream, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    asked.lock().unwrap().push(head.clone());
    let target = head.split(' ').nth(1).unwrap_or_default();
    let server = TcpStream::connect(target)?;
    (&client).write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
    let (mut from, mut to) = (server.try_clone()?, client.try_clone()?);
    let back = std::thread::spawn(move || {
        std::io::copy(&mut from, &mut to).ok();
        to.shutdown(std::net::Shutdown::Write).ok();
    });
    std::io::copy(&mut reader, &mut &server).ok();
    server.shutdown(std::net::Shutdown::Write).ok();
    back.join().ok();
    Ok(())
}

#[test]
fn https_goes_through_the_proxy_unless_the_host_is_excepted() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let (pem, tls) = authority();
    let server = HttpBackend::serve_tls(scratch.path(), Answer::Open, tls);
    let proxy = Proxy::start();
    let ca = written(&scratch, "ca.pem", &pem);
    let through = |except: &'static str| {
        let address = format!("http://ann:hunter2@{}", proxy.address);
        let variable = move |name: &str| match name {
            "HTTPS_PROXY" => Some(address.clone()),
            "no_proxy" => Some(except.to_owned()),
            _ => None,
        };
        let remote = Remote::new(&server.url("remote.git"), Credentials::None).unwrap();
        remote.with_authority(&ca).with_proxies(Proxies::from_variables(variable))
    };
    let mirror = open(&scratch, through("example.org"));
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    let asked = proxy.asked();
    assert!(!asked.is_empty() && asked.iter().all(|head| head.starts_with("CONNECT 127.0.0.1:")), "{asked:?}");
    assert!(asked[0].to_lowercase().contains("proxy-authorization: basic yw5uomh1bnrlcji="), "{asked:?}");
    assert!(!format!("{:?}", mirror.remote()).contains("hunter2"));
    drop(mirror);
    let mirror = open(&scratch, through("10.0.0.0/8, 127.0.0.1"));
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    assert_eq!(proxy.asked().len(), asked.len(), "it was not asked again");
}

#[test]
fn plain_http_to_another_machine_goes_through_the_proxy() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let proxy = HttpBackend::serve(scratch.path(), Answer::Open);
    let address = proxy.url("");
    let variable = move |name: &str| (name == "http_proxy").then(|| address.clone());
    let remote = Remote::new("http://git.nowhere.example/remote.git", Credentials::None).unwrap();
    let mirror = open(&scratch, remote.with_proxies(Proxies::from_variables(variable)));
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
}

#[test]
fn unreachable_proxy_is_transient_and_its_password_stays_secret() {
    let scratch = Scratch::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let variable = |name: &str| (name == "ALL_PROXY").then(|| format!("http://ann:hunter2@{closed}"));
    let remote = Remote::new("https://git.example.org/x.git", Credentials::None).unwrap();
    let mirror = open(&scratch, remote.with_proxies(Proxies::from_variables(variable)));
    let error = mirror.fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
}
