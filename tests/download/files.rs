//! Tests of single files: what they may lead to, and what is not a file of declarations.

use std::io::Write;
use std::net::TcpListener;

use tidegate_download::Error;

use super::server::{Server, downloads, downloads_with, limited, redirect, send, shown, through};

#[test]
fn a_file_is_downloaded() {
    let server = Server::of(&[("/crd.yaml?raw=1", b"kind: x\n")]);
    assert_eq!(downloads().file(&server.url("crd.yaml?raw=1")).unwrap(), b"kind: x\n");
}

#[test]
fn every_failure_has_a_reason_and_a_remedy() {
    let server = Server::start(|request, stream| match request.target.as_str() {
        "/login" => send(stream, "200 OK", "Content-Type: text/html\r\n", b"<!DOCTYPE html><title>Sign in</title>"),
        "/denied?secret" => send(stream, "401 Unauthorized", "", b"who\x1b are\nyou?"),
        "/gone" => send(stream, "410 Gone", "", b""),
        "/busy" => send(stream, "429 Too Many Requests", "", b"{\"message\": \"slow down\"}"),
        "/teapot" => send(stream, "418 I'm a teapot", "", b"<html>tea</html>"),
        "/partial" => send(stream, "206 Partial Content", "", b"kind: x"),
        "/cut" => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nkind: x");
        }
        "/garbage" => {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH\r\n");
        }
        "/nowhere" => send(stream, "302 Found", "", b""),
        "/loop" => redirect(stream, "/loop"),
        "/file" => redirect(stream, "file:///etc/passwd"),
        "/user" => redirect(stream, "http://ann:hunter2@127.0.0.1/"),
        _ => send(stream, "404 Not Found", "", b""),
    });
    let paths = [
        "login",
        "denied?secret",
        "gone",
        "busy",
        "teapot",
        "partial",
        "cut",
        "garbage",
        "nowhere",
        "loop",
        "file",
        "user",
        "none",
    ];
    let mut reported: Vec<String> = paths.iter().map(|path| shown(downloads().file(&server.url(path)))).collect();
    for address in ["https://ann:hunter2@example.com/x", "ftp://example.com/x", "crd.yaml"] {
        reported.push(shown(downloads().file(address)));
    }
    let reported = reported.join("\n");
    assert!(!reported.contains("hunter2") && !reported.contains("secret"), "{reported}");
    insta::assert_snapshot!(reported);
}

#[test]
fn only_failures_that_may_pass_are_transient() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(downloads().file(&format!("http://{closed}/x")).unwrap_err().is_transient());
    let server = Server::start(|_, stream| send(stream, "503 Service Unavailable", "", b""));
    assert!(downloads().file(&server.url("x")).unwrap_err().is_transient());
    let server = Server::of(&[]);
    assert!(!downloads().file(&server.url("x")).unwrap_err().is_transient());
}

#[test]
fn large_and_endless_answers_are_cut() {
    let server = Server::start(|request, stream| {
        if request.target == "/announced" {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n");
            return;
        }
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        while stream.write_all(&[b'x'; 4096]).is_ok() {}
    });
    for path in ["announced", "endless"] {
        let error = limited(1 << 20, 30_000).file(&server.url(path)).unwrap_err();
        assert!(error.to_string().ends_with("it has more than 1 MiB, which is the limit of a download"), "{error}");
    }
}

#[test]
fn slow_and_silent_servers_time_out() {
    let server = Server::start(|request, stream| {
        if request.target == "/slow" {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            while stream.write_all(b"x").is_ok() {
                std::thread::park_timeout(std::time::Duration::from_millis(5));
            }
        }
        // Otherwise it is silent until the client closes the connection.
        let _ = std::io::Read::read(stream, &mut [0; 1]);
    });
    for path in ["slow", "silent"] {
        let error = limited(1 << 20, 200).file(&server.url(path)).unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{path}: {error}");
    }
}

#[test]
fn redirects_are_followed_on_the_way_out_only() {
    let proxy = Server::start(|request, stream| match request.target.as_str() {
        "http://declared.test/ok" => redirect(stream, "http://8.8.8.8/there"),
        "http://8.8.8.8/there" => send(stream, "200 OK", "", b"kind: x"),
        "http://declared.test/metadata" => redirect(stream, "http://169.254.169.254/latest/meta-data"),
        "http://declared.test/here" => redirect(stream, "http://127.0.0.1:1/"),
        "http://declared.test/name" => redirect(stream, "http://LOCALHOST:1/"),
        "http://declared.test/number" => redirect(stream, "http://0x7f000001/"),
        "http://declared.test/twice" => redirect(stream, "http://8.8.8.8/again"),
        "http://8.8.8.8/again" => redirect(stream, "http://10.0.0.1/"),
        _ => send(stream, "404 Not Found", "", b""),
    });
    let downloads = through(&proxy);
    assert_eq!(downloads.file("http://declared.test/ok").unwrap(), b"kind: x");
    let paths = ["metadata", "here", "name", "number", "twice"];
    let reported = paths.map(|path| shown(downloads.file(&format!("http://declared.test/{path}"))));
    insta::assert_snapshot!(reported.join("\n"));
    assert!(proxy.targets().iter().all(|target| target.contains("declared.test") || target.contains("8.8.8.8")));
}

#[test]
fn a_private_host_may_lead_to_others() {
    let there = Server::of(&[("/x", b"kind: x")]);
    let address = there.url("x");
    let server = Server::start(move |_, stream| redirect(stream, &address));
    assert_eq!(downloads().file(&server.url("x")).unwrap(), b"kind: x");
}

#[test]
fn credentials_go_to_their_host_only() {
    let there = Server::of(&[("/x", b"kind: x")]);
    // Another name of this machine.
    let address = there.url("x").replace("127.0.0.1", "localhost");
    let server = Server::start(move |_, stream| redirect(stream, &address));
    let downloads = downloads_with("machine 127.0.0.1 login ann password hunter2");
    assert_eq!(downloads.file(&server.url("x")).unwrap(), b"kind: x");
    let sent = |server: &Server| server.seen().into_iter().map(|seen| seen.authorization).collect::<Vec<_>>();
    assert_eq!(sent(&server), [Some("Basic YW5uOmh1bnRlcjI=".to_owned())]);
    assert_eq!(sent(&there), [None]);
}

#[test]
fn an_echoed_password_is_not_repeated() {
    let server = Server::start(|_, stream| send(stream, "403 Forbidden", "", b"hunter2 is not welcome"));
    let downloads = downloads_with("machine 127.0.0.1 login ann password hunter2");
    let error = shown(downloads.file(&server.url("x")));
    assert!(error.ends_with("the server says: *** is not welcome"), "{error}");
    assert!(error.contains("check the login and the password of 127.0.0.1"), "{error}");
}
