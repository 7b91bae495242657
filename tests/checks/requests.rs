//! What a request gives, whatever the server does.

use std::time::Duration;

use tidegate_daemon::reconciler::checks::{Allowed, Servers};
use tidegate_rollout::gate::checks::Answer;

use super::counterpart::{Conduct, Counterpart, answer};

/// Asks a server that is allowed.
async fn ask(server: &Counterpart, timeout: u64) -> Result<Answer, String> {
    let servers = Servers::new(Allowed::read(&[server.origin()]).unwrap());
    let answer = servers.ask(&format!("{}/api?token=secret", server.origin()), Duration::from_secs(timeout)).await;
    answer.map_err(|why| why.to_string())
}

async fn asked(conduct: Conduct) -> Result<Answer, String> {
    ask(&Counterpart::always(conduct).await, 60).await
}

#[tokio::test]
async fn a_complete_answer_is_returned_whatever_its_status() {
    for (status, code) in [("200 OK", 200), ("404 Not Found", 404), ("500 Oops", 500), ("299 ?", 299)] {
        let found = asked(Conduct::Sends(answer(status, "{}"))).await;
        assert_eq!(found, Ok(Answer { status: code, body: b"{}".to_vec() }));
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Counterpart::always(Conduct::Sends(answer("200 OK", "0"))).await;
    let redirect = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", other.origin());
    assert_eq!(asked(Conduct::Sends(redirect.into_bytes())).await.unwrap().status, 302);
    assert_eq!(other.requests(), 0);
}

#[tokio::test]
async fn an_incomplete_answer_is_an_error_that_names_no_address() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"status\":".to_vec();
    let chunk = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n".to_vec();
    let wrong = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_vec();
    for bytes in [Vec::new(), b"\0\x01\x02 garbage".to_vec(), b"HTTP/1.1 200 O".to_vec(), cut, chunk, wrong] {
        let why = asked(Conduct::Sends(bytes)).await.unwrap_err();
        assert!(why.starts_with("the answer is incomplete: "), "{why}");
        assert!(!why.contains("secret") && !why.contains("127.0.0.1"), "{why}");
    }
}

#[tokio::test]
async fn a_body_without_end_is_cut_off() {
    let announced = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".to_vec();
    let endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    for start in [announced, endless] {
        let why = asked(Conduct::Repeats(start, vec![b'0'; 65_536])).await.unwrap_err();
        assert_eq!(why, "the answer has more than 1048576 bytes");
    }
    let headers = Conduct::Repeats(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-Header: value\r\n".repeat(1_000));
    assert!(asked(headers).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_is_given_up() {
    let half = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".to_vec();
    for bytes in [Vec::new(), b"HTTP/1.1 200".to_vec(), half] {
        let server = Counterpart::always(Conduct::Hangs(bytes)).await;
        assert_eq!(ask(&server, 10).await.unwrap_err(), "no complete answer within 10s");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error() {
    let server = Counterpart::always(Conduct::Sends(Vec::new())).await;
    let origin = server.origin();
    drop(server);
    let servers = Servers::new(Allowed::read(std::slice::from_ref(&origin)).unwrap());
    // The connection is refused, or cut if the listener is not closed yet.
    let why = servers.ask(&format!("{origin}/?token=secret"), Duration::from_secs(60)).await.unwrap_err().to_string();
    assert!(!why.contains("secret"), "{why}");
}

#[tokio::test]
async fn a_server_that_is_not_allowed_is_not_asked() {
    let server = Counterpart::always(Conduct::Sends(answer("200 OK", "0"))).await;
    let servers = Servers::new(Allowed::default());
    let why = servers.ask(&format!("{}/", server.origin()), Duration::from_secs(60)).await.unwrap_err();
    assert_eq!(why.to_string(), format!("[checks] allow of the daemon does not list {}", server.origin()));
    assert_eq!(server.requests(), 0);
}
