//! Servers that want the token, or that answer wrongly, slowly or without end.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::http::Response;
use hyper::body::{Body, Bytes, Frame};
use reqwest::Url;
use serde_json::json;
use tidegate_forge::{Error, Transport};
use tidegate_model::forge::ForgeKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::support::{Answer, Server, TOKEN, commit, pull, setup};

const KINDS: [ForgeKind; 3] = [ForgeKind::GitHub, ForgeKind::GitLab, ForgeKind::Gitea];

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let thief = Server::listen(|_| Answer::ok(json!({ "id": 1, "login": "eve", "username": "eve" }))).await;
    for kind in KINDS {
        for status in [301, 302, 307, 308] {
            let target = format!("{}/user?token=x", thief.origin);
            let server = Server::listen(move |_| Answer::new(status, "").with("location", &target)).await;
            let error = setup(kind, &server).forge().me().await.unwrap_err();
            assert!(matches!(&error, Error::Garbage(why) if why.contains("leads from")), "{error}");
            assert!(!error.to_string().contains("token=x"), "{error}");
        }
    }
    assert_eq!(thief.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn other_origins_are_recognized_in_every_form() {
    for target in
        ["//evil.example.com/user", "http://127.0.0.1:1/user", "https://127.0.0.1/user", "ftp://127.0.0.1/user"]
    {
        let server = Server::listen(move |_| Answer::new(302, "").with("location", target)).await;
        let error = setup(ForgeKind::GitHub, &server).forge().me().await.unwrap_err();
        assert!(matches!(&error, Error::Garbage(_)), "{target}: {error}");
    }
    // The same origin, but with a user name.
    let server = Server::listen(|seen| {
        let host = seen.header("host").unwrap();
        Answer::new(302, "").with("location", format!("http://a:b@{host}/user"))
    })
    .await;
    assert!(matches!(setup(ForgeKind::GitHub, &server).forge().me().await, Err(Error::Garbage(_))));
}

#[tokio::test]
async fn the_next_page_of_another_origin_is_not_read() {
    let thief = Server::listen(|_| Answer::ok(json!([]))).await;
    let target = format!("<{}/repositories/1/pulls?page=2>; rel=\"next\"", thief.origin);
    let server = Server::listen(move |_| Answer::ok(json!([])).with("link", &target)).await;
    for kind in [ForgeKind::GitHub, ForgeKind::GitLab] {
        let forge = setup(kind, &server).forge();
        assert!(matches!(forge.open_pulls("main").await, Err(Error::Garbage(_))));
        assert!(matches!(forge.pulls_of(&commit('a')).await, Err(Error::Garbage(_))));
    }
    assert_eq!(thief.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn a_renamed_project_works_for_reads_and_writes() {
    let server = Server::listen(|seen| match seen.line.as_str() {
        "GET /repos/platform/fleet/pulls/4" => Answer::new(301, "").with("location", "/repositories/9/pulls/4"),
        "POST /repos/platform/fleet/statuses/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" => {
            Answer::new(307, "").with("location", "/repositories/9/statuses")
        }
        "GET /repositories/9/pulls/4" => Answer::not_found(),
        "POST /repositories/9/statuses" => Answer::json(201, json!({ "context": seen.body["context"] })),
        line => panic!("{line}"),
    })
    .await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    assert!(matches!(forge.pull(4).await, Err(Error::NotFound(_))));
    let state = tidegate_forge::State::Success;
    forge.status(&commit('a'), "tidegate/plan", state, "done", None, None).await.unwrap();
    let last = server.seen().pop().unwrap();
    assert_eq!(last.body["context"], "tidegate/plan");
    assert_eq!(last.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
}

#[tokio::test]
async fn redirects_without_end_or_target_are_errors() {
    let server = Server::listen(|seen| Answer::new(302, "").with("location", format!("{}x", &seen.line[4..]))).await;
    let error = setup(ForgeKind::GitHub, &server).forge().me().await.unwrap_err();
    assert!(error.to_string().contains("more than 5 redirects"), "{error}");
    assert_eq!(server.lines().len(), 6);
    let server = Server::listen(|_| Answer::new(302, "")).await;
    assert!(matches!(setup(ForgeKind::GitHub, &server).forge().me().await, Err(Error::Garbage(_))));
    let server = Server::listen(|_| Answer::new(303, "").with("location", "/user")).await;
    assert!(matches!(setup(ForgeKind::GitHub, &server).forge().me().await, Err(Error::Garbage(_))));
}

#[tokio::test]
async fn no_error_contains_the_token() {
    let echo = || format!("you sent {TOKEN}, thank you");
    let bodies = [
        json!({ "message": echo() }).to_string(),
        json!({ "message": "x", "errors": [{ "field": echo(), "message": echo() }] }).to_string(),
        json!({ "message": { TOKEN: [echo()] } }).to_string(),
        json!({ "error": echo(), "error_description": echo() }).to_string(),
        json!([echo()]).to_string(),
        json!({ "id": echo(), "login": echo(), "username": 4 }).to_string(),
        format!("{}{TOKEN}", "x".repeat(290)),
        echo(),
        // As escape sequences, which a reader of JSON resolves.
        format!("{{\"id\":\"\\u0074{}\",\"message\":\"\\u0074{}\"}}", &TOKEN[1..], &TOKEN[1..]),
    ];
    for status in [200, 201, 204, 301, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 503] {
        for body in &bodies {
            let answer = Answer::new(status, body.clone()).with("location", format!("http://{TOKEN}.example.com/"));
            let server = Server::start(move |_| answer.clone()).await;
            for kind in KINDS {
                let forge = setup(kind, &server).forge();
                for error in [
                    forge.me().await.unwrap_err(),
                    forge.opinions(&pull(1)).await.err().unwrap_or(Error::Unsupported(String::new())),
                    forge.pull(1).await.unwrap_err(),
                ] {
                    let shown = format!("{error} {error:?}");
                    assert!(!shown.contains(TOKEN) && !shown.contains("tok_3f0c"), "{kind} {status} {body}: {shown}");
                }
            }
        }
    }
}

#[tokio::test]
async fn neither_settings_nor_clients_show_the_token() {
    let server = Server::start(|_| Answer::not_found()).await;
    let setup = setup(ForgeKind::Gitea, &server);
    let shown = format!("{:?} {:?}", setup.settings, setup.forge());
    assert!(!shown.contains(TOKEN), "{shown}");
}

#[test]
fn an_address_that_would_leak_the_token_is_refused() {
    for (url, why) in [
        ("http://git.example.com/api/v1", "https"),
        ("http://localhost.example.com/api/v1", "https"),
        ("ftp://git.example.com/", "https://"),
        ("data:text/plain,x", "https://"),
        ("https://user@git.example.com/", "user name"),
        ("https://:secret@git.example.com/", "user name"),
        ("https://git.example.com/?private_token=secret", "query"),
        ("https://git.example.com/#x", "query"),
    ] {
        let rest = tidegate_forge::Settings {
            kind: ForgeKind::Gitea,
            url: Url::parse(url).unwrap(),
            project: "platform/fleet".to_owned(),
            auth: tidegate_forge::Auth::TokenFile("/nowhere".into()),
            budget: 1,
            write_gap: tidegate_forge::WRITE_GAP,
            clock: std::sync::Arc::new(tidegate_model::time::Timestamp::default),
        };
        rustls::crypto::ring::default_provider().install_default().ok();
        let error = tidegate_forge::Forge::new(rest, reqwest::Client::builder()).unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains("secret"), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_name_does_not_lead_to_another_address() {
    let server = Server::listen(|_| Answer::ok(json!([]))).await;
    let who = tidegate_model::forge::Account { id: 1, login: "ada".to_owned(), is_bot: false };
    for kind in KINDS {
        for team in ["..", "../user", "platform/..", "platform/", "/leads", "a//b", "./leads", ""] {
            let answer = setup(kind, &server).forge().membership(&who, team).await.unwrap();
            assert!(matches!(answer, tidegate_model::forge::Membership::Unknown(_)), "{kind} {team:?}");
        }
        for project in ["fleet", "platform/..", "../fleet", "platform/", "/fleet", "", "a//b"] {
            let mut setup = setup(kind, &server);
            setup.settings.project = project.to_owned();
            let forge = tidegate_forge::Forge::new(setup.settings.clone(), reqwest::Client::builder());
            assert!(matches!(forge, Err(Error::Settings(_))), "{kind} {project:?}");
        }
    }
    assert_eq!(server.lines(), Vec::<String>::new());
    let mut setup = setup(ForgeKind::Gitea, &server);
    setup.settings.project = "platform/a?b#c d".to_owned();
    setup.forge().pull(1).await.unwrap_err();
    assert_eq!(server.lines(), ["GET /api/v1/repos/platform/a%3Fb%23c%20d/pulls/1"]);
}

/// Starts a server that sends the start of an answer, and then a part of the body again and again.
async fn endless(start: String, part: Vec<u8>, times: usize) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::at(&listener);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (start, part) = (start.clone(), part.clone());
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(start.as_bytes()).await;
                for _ in 0..times {
                    if stream.write_all(&part).await.is_err() {
                        return;
                    }
                }
                // The connection stays open until the client gives up.
                let _ = stream.read(&mut request).await;
            });
        }
    });
    server
}

#[tokio::test]
async fn a_body_without_end_is_an_error() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    let part = b" ".repeat(1 << 16);
    let servers = [
        endless(format!("{head}connection: close\r\n\r\n"), part.clone(), usize::MAX).await,
        endless(format!("{head}content-length: 99999999999\r\n\r\n"), part.clone(), 1).await,
        endless(format!("{head}content-length: 18446744073709551000\r\n\r\n"), part, 1).await,
    ];
    for server in servers {
        let error = setup(ForgeKind::GitHub, &server).forge().me().await.unwrap_err();
        assert!(matches!(&error, Error::Unreachable(why) if why.contains("8 MiB")), "{error}");
    }
}

#[tokio::test]
async fn a_body_that_is_cut_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::at(&listener);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            // A complete document, but not a complete body.
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[]").await;
        }
    });
    for kind in KINDS {
        let error = setup(kind, &server).forge().open_pulls("main").await.unwrap_err();
        assert!(matches!(&error, Error::Unreachable(why) if why.contains("incomplete")), "{error}");
    }
}

/// A body whose end never arrives.
struct Stalled(Option<Bytes>);

impl Body for Stalled {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.0.take() {
            Some(start) => Poll::Ready(Some(Ok(Frame::data(start)))),
            None => Poll::Pending,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_an_error() {
    let server = Server::start(|_| Answer::not_found()).await;
    let silent = Transport::new(|_| std::future::pending());
    let stalled = Transport::new(|_| async {
        let body = reqwest::Body::wrap(Stalled(Some(Bytes::from_static(b"["))));
        Ok(reqwest::Response::from(Response::new(body)))
    });
    for transport in [silent, stalled] {
        let start = Instant::now();
        let error = setup(ForgeKind::GitHub, &server).over(transport).me().await.unwrap_err();
        assert!(matches!(&error, Error::Unreachable(why) if why.contains("within 30 s")), "{error}");
        assert_eq!(start.elapsed().as_secs(), 30);
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::at(&listener);
    drop(listener);
    let error = setup(ForgeKind::GitHub, &server).forge().me().await.unwrap_err();
    assert!(
        error.is_transient() && matches!(&error, Error::Unreachable(why) if why.contains("cannot connect")),
        "{error}"
    );
}
