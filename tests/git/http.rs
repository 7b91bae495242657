//! Tests of fetching and pushing over HTTP: tokens, refusals, and server errors.

use std::io::Read;
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use tidegate_git::{Credentials, Error, Mirror, PushError, Remote, Timeouts};
use tidegate_model::error_chain::ErrorChain;

use super::fixture::{File, Scratch, commit, tips};
use super::http_backend::{Answer, HttpBackend};
use super::redacted::redacted;

/// `x-access-token:one` and `x-access-token:two`, encoded as in RFC 7617.
const ONE: &str = "Basic eC1hY2Nlc3MtdG9rZW46b25l";
const TWO: &str = "Basic eC1hY2Nlc3MtdG9rZW46dHdv";

fn mirror(scratch: &Scratch, address: &str, credentials: Credentials) -> Mirror {
    Mirror::open(scratch.path().join("state"), Remote::new(address, credentials).unwrap()).unwrap()
}

fn token_file(scratch: &Scratch, token: &str) -> PathBuf {
    let path = scratch.path().join("token");
    std::fs::write(&path, token).unwrap();
    path
}

#[test]
fn public_repository_is_fetched_without_credentials() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    let mirror = mirror(&scratch, &server.url("remote.git"), Credentials::None);
    assert_eq!(mirror.fetch(&["main", "absent"]).unwrap(), tips(&[("main", &main)]));
    assert_eq!(mirror.read(&main, "a").unwrap().unwrap(), b"1");
    let new = scratch.import("main", &[File("a", b"2")]);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &new)]));
}

#[test]
fn token_authorizes_fetch_and_push() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let server = HttpBackend::serve(scratch.path(), Answer::Authorized(ONE));
    let credentials = Credentials::TokenFile(token_file(&scratch, "one\n"));
    let mirror = mirror(&scratch, &server.url("remote.git"), credentials);
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
    let journal = mirror.commit(&commit("journal", None, &[("sync.yaml", Some("seen: 1"))])).unwrap();
    mirror.push("journal", None, &journal).unwrap();
    assert_eq!(scratch.tip("journal"), journal);
    scratch.assert_sound();
}

#[test]
fn rotated_token_is_picked_up() {
    let scratch = Scratch::new();
    let main = scratch.import("main", &[File("a", b"1")]);
    let server = HttpBackend::serve(scratch.path(), Answer::Authorized(ONE));
    let credentials = Credentials::TokenFile(token_file(&scratch, "one"));
    let mirror = mirror(&scratch, &server.url("remote.git"), credentials);
    mirror.fetch(&["main"]).unwrap();
    server.answer(Answer::Authorized(TWO));
    let refused = mirror.fetch(&["main"]).unwrap_err();
    assert!(matches!(refused, Error::Unauthorized { .. }), "{refused:?}");
    token_file(&scratch, "two");
    assert_eq!(mirror.fetch(&["main"]).unwrap(), tips(&[("main", &main)]));
}

#[test]
fn wrong_or_missing_token_is_unauthorized() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    let server = HttpBackend::serve(scratch.path(), Answer::Authorized(ONE));
    let mut told = Vec::new();
    for credentials in [Credentials::None, Credentials::TokenFile(token_file(&scratch, "wrong"))] {
        let mirror = mirror(&scratch, &server.url("remote.git"), credentials.clone());
        let error = mirror.fetch(&["main"]).unwrap_err();
        let is_missing = credentials == Credentials::None;
        assert_eq!(matches!(error, Error::NoToken { .. }), is_missing, "{error:?}");
        assert!(error.is_refusal() && !error.is_transient(), "{error:?}");
        told.push(ErrorChain(&error).to_string());
        assert!(!format!("{error} {error:?} {:?}", mirror.remote()).contains("wrong"), "the token was printed");
        let local = mirror.local("journal").unwrap();
        let commit = local.unwrap_or_else(|| mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap());
        let error = mirror.push("journal", None, &commit).unwrap_err();
        assert!(matches!(error, PushError::Unauthorized(_)), "{error:?}");
    }
    insta::assert_snapshot!(redacted(&told.join("\n")));
}

#[test]
fn rejected_token_is_reported_without_mentioning_credential_helpers() {
    let scratch = Scratch::new();
    let server = HttpBackend::serve(scratch.path(), Answer::Authorized(ONE));
    let mirror = mirror(&scratch, &server.url("remote.git"), Credentials::TokenFile(token_file(&scratch, "wrong")));
    let new = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let fetch = mirror.fetch(&["main"]).unwrap_err();
    let PushError::Unauthorized(push) = mirror.push("journal", None, &new).unwrap_err() else {
        panic!("another error")
    };
    assert!(!format!("{fetch:?} {push:?}").contains("helper"), "{fetch:?} {push:?}");
    insta::assert_snapshot!(redacted(&[fetch, push].map(|error| ErrorChain(&error).to_string()).join("\n")));
}

#[test]
fn unreadable_token_is_an_error() {
    let scratch = Scratch::new();
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    for credentials in [
        Credentials::TokenFile(scratch.path().join("absent")),
        Credentials::TokenFile(token_file(&scratch, " \n")),
        Credentials::TokenEnv("TIDEGATE_TEST_THAT_NOBODY_SETS".to_owned()),
    ] {
        let error = mirror(&scratch, &server.url("remote.git"), credentials).fetch(&["main"]).unwrap_err();
        assert!(matches!(error, Error::Token { .. }), "{error:?}");
    }
    assert!(server.authorizations().is_empty(), "nothing was sent");
}

#[test]
fn redirect_never_leaks_the_token() {
    let scratch = Scratch::new();
    scratch.import("main", &[File("a", b"1")]);
    let thief = HttpBackend::serve(scratch.path(), Answer::Open);
    let moved = format!("302 Found\r\nLocation: {}", thief.url("remote.git/info/refs?service=git-upload-pack"));
    let server = HttpBackend::serve(scratch.path(), Answer::Always(moved));
    let credentials = Credentials::TokenFile(token_file(&scratch, "one"));
    mirror(&scratch, &server.url("remote.git"), credentials).fetch(&["main"]).unwrap_err();
    assert_eq!(server.authorizations(), [Some(ONE.to_owned())]);
    assert_eq!(thief.authorizations(), []);
}

#[test]
fn server_errors_are_transient_but_a_missing_repository_is_not() {
    let scratch = Scratch::new();
    let server = HttpBackend::serve(scratch.path(), Answer::Open);
    let mirror = mirror(&scratch, &server.url("remote.git"), Credentials::None);
    for (status, transient) in [
        ("503 Service Unavailable", true),
        ("500 Internal Server Error", true),
        ("429 Too Many Requests", true),
        ("404 Not Found", false),
        ("200 OK\r\nContent-Type: text/html", false),
    ] {
        server.answer(Answer::Always(status.to_owned()));
        let error = mirror.fetch(&["main"]).unwrap_err();
        assert_eq!(error.is_transient(), transient, "{status}: {error:?}");
    }
    server.answer(Answer::Always("403 Forbidden".to_owned()));
    assert!(matches!(mirror.fetch(&["main"]), Err(Error::Unauthorized { .. })));
}

#[test]
fn closed_port_is_transient() {
    let scratch = Scratch::new();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mirror = mirror(&scratch, &format!("http://{address}/remote.git"), Credentials::None);
    let error = mirror.fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    let commit = mirror.commit(&commit("journal", None, &[("a", Some("1"))])).unwrap();
    let error = mirror.push("journal", None, &commit).unwrap_err();
    assert!(matches!(error, PushError::Unreachable(_)), "{error:?}");
    assert!(error.is_transient());
}

#[test]
fn silent_server_times_out() {
    let scratch = Scratch::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/remote.git", silent.local_addr().unwrap());
    let timeouts = Timeouts { request: Duration::from_millis(100), ..Timeouts::default() };
    let remote = Remote::new(&address, Credentials::None).unwrap().with_timeouts(timeouts);
    let error = Mirror::open(scratch.path().join("state"), remote).unwrap().fetch(&["main"]).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}

#[test]
fn interruption_is_distinguished_from_failure() {
    let scratch = Scratch::new();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/remote.git", server.local_addr().unwrap());
    let mirror = mirror(&scratch, &address, Credentials::None);
    std::thread::scope(|scope| {
        let fetch = scope.spawn(|| mirror.fetch(&["main"]));
        let (mut client, _) = server.accept().unwrap();
        client.read_exact(&mut [0]).unwrap();
        mirror.interrupt();
        drop(client);
        let error = fetch.join().unwrap().unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error:?}");
    });
}
