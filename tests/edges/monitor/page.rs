//! Tests of the page over its routes: who may see it, what is sent, moments of the past, and a journal that cannot be read.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use base64::Engine as _;
use futures::StreamExt as _;
use tower::ServiceExt as _;

use tidegate_daemon::monitor::page::{Access, Pages, Proxy, router};
use tidegate_daemon::monitor::{Limits, serve};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_git::install_tls_provider;

use crate::page_journal::{Files, Journal, Shared, id};
use crate::scratch::tempdir;

pub(super) fn journal() -> Arc<Journal> {
    let journal = Arc::new(Journal::default());
    journal.write('a', "2026-11-20T10:00:00Z", files('a'));
    journal.write('b', "2026-11-20T11:00:00Z", files('b'));
    journal
}

fn files(commit: char) -> Files {
    let sync = format!("apiVersion: tidegate.io/v1alpha1\nkind: Sync\nseen: null\nnotices: [\"at {}\"]\n", id(commit));
    Files::from([("sync.yaml".to_owned(), sync.into_bytes())])
}

pub(super) fn site(journal: &Arc<Journal>, access: Access) -> Router {
    let now = "2026-11-20T12:34:56Z".parse().unwrap();
    router(Pages::new(Shared(journal.clone())), access, Clock::new(move || now))
}

async fn ask(router: &Router, path: &str, headers: &[(header::HeaderName, &str)]) -> Response<Body> {
    let mut request = Request::get(path).header(header::HOST, "127.0.0.1:8090");
    for (name, value) in headers {
        let known = request.headers_mut().unwrap();
        known.insert(name, value.parse().unwrap());
    }
    router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn text(answer: Response<Body>) -> String {
    let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

fn value(answer: &Response<Body>, name: header::HeaderName) -> String {
    answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

#[tokio::test]
async fn a_page_that_the_reader_has_is_not_sent_again() {
    let (journal, loopback) = (journal(), Access::Loopback);
    let site = site(&journal, loopback);
    let first = ask(&site, "/about", &[]).await;
    let tag = value(&first, header::ETAG);
    assert!(tag.contains(&"b".repeat(40)), "{tag}");
    let again = ask(&site, "/about", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!((again.status(), text(again).await.as_str()), (StatusCode::NOT_MODIFIED, ""));
    journal.write('c', "2026-11-20T11:30:00Z", files('c'));
    let changed = ask(&site, "/about", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!(changed.status(), StatusCode::OK);
    assert!(text(changed).await.contains(&format!("at {}", "c".repeat(40))));
}

#[tokio::test]
async fn every_answer_forbids_what_the_page_does_not_need() {
    let site = site(&journal(), Access::Loopback);
    for path in ["/", "/style.css", "/script.js", "/nope", "/events", "/?at=never"] {
        let answer = ask(&site, path, &[]).await;
        let policy = value(&answer, header::CONTENT_SECURITY_POLICY);
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert_eq!(value(&answer, header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
        assert_eq!(value(&answer, header::SET_COOKIE), "", "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        let request = Request::builder().method(method).uri("/").header(header::HOST, "localhost");
        let answer = site.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    let long = format!("/clusters?filter={}", "a".repeat(5_000));
    assert_eq!(ask(&site, &long, &[]).await.status(), StatusCode::URI_TOO_LONG);
}

#[tokio::test]
async fn a_page_is_compressed_for_those_who_take_it() {
    let site = site(&journal(), Access::Loopback);
    let zipped = ask(&site, "/", &[(header::ACCEPT_ENCODING, "br, gzip")]).await;
    assert_eq!(value(&zipped, header::CONTENT_ENCODING), "gzip");
    for coding in ["identity", "gzip;q=0", "deflate"] {
        let plain = ask(&site, "/", &[(header::ACCEPT_ENCODING, coding)]).await;
        assert_eq!(value(&plain, header::CONTENT_ENCODING), "", "{coding}");
    }
}

#[tokio::test]
async fn a_page_is_json_for_those_who_ask_for_it() {
    let site = site(&journal(), Access::Loopback);
    let json = ask(&site, "/", &[(header::ACCEPT, "application/json")]).await;
    assert_eq!(value(&json, header::CONTENT_TYPE), "application/json");
    let document: serde_json::Value = serde_json::from_str(&text(json).await).unwrap();
    assert_eq!(
        (document["kind"].as_str(), document["commit"].as_str()),
        (Some("Start"), Some("b".repeat(40).as_str()))
    );
    let browser = ask(&site, "/", &[(header::ACCEPT, "text/html,application/json;q=0.9")]).await;
    assert!(value(&browser, header::CONTENT_TYPE).starts_with("text/html"));
}

#[tokio::test]
async fn a_page_of_this_machine_is_not_shown_under_another_name() {
    let site = site(&journal(), Access::Loopback);
    for (host, status) in [
        ("127.0.0.1:8090", 200),
        ("localhost", 200),
        ("[::1]:8090", 200),
        ("evil.example.com", 421),
        ("127.0.0.1.evil.example.com", 421),
        ("localhost.evil.example.com:8090", 421),
        ("10.0.0.1", 421),
        ("localhost@evil.example.com", 421),
        ("localhost:1@evil.example.com", 421),
        ("[::1]evil.example.com", 421),
    ] {
        assert_eq!(ask(&site, "/", &[(header::HOST, host)]).await.status().as_u16(), status, "{host}");
    }
}

#[tokio::test]
async fn neither_a_proxy_nor_another_site_opens_the_page_of_this_machine() {
    let site = site(&journal(), Access::Loopback);
    let name = header::HeaderName::from_static;
    for (headers, status) in [
        (vec![(name("x-forwarded-for"), "10.0.0.1")], 403),
        (vec![(name("forwarded"), "for=10.0.0.1")], 403),
        (vec![(name("via"), "1.1 proxy")], 403),
        (vec![(name("sec-fetch-site"), "cross-site"), (name("sec-fetch-mode"), "no-cors")], 403),
        (vec![(name("sec-fetch-site"), "cross-site"), (name("sec-fetch-mode"), "navigate")], 200),
        (vec![(name("sec-fetch-site"), "same-origin"), (name("sec-fetch-mode"), "cors")], 200),
    ] {
        assert_eq!(ask(&site, "/", &headers).await.status().as_u16(), status, "{headers:?}");
    }
}

#[tokio::test]
async fn a_path_has_one_spelling() {
    let site = site(&journal(), Access::Loopback);
    for path in ["/about/", "//about", "/about%2F", "/clusters/"] {
        assert_eq!(ask(&site, path, &[]).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_mistake_in_a_query_is_an_error_for_programs() {
    let site = site(&journal(), Access::Loopback);
    for path in ["/clusters?filter=nope=1", "/history?since=never"] {
        let answer = ask(&site, path, &[(header::ACCEPT, "application/json")]).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path}");
        assert!(text(answer).await.contains("\"problem\":"), "{path}");
    }
    let missing = ask(&site, "/clusters/nope", &[(header::ACCEPT, "application/json")]).await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    assert_eq!(text(missing).await, "{\"error\":\"the journal has no cluster \\\"nope\\\"\"}");
}

#[tokio::test]
async fn a_reader_that_leaves_causes_no_second_reading() {
    let journal = journal();
    let site = site(&journal, Access::Loopback);
    for _ in 0..20 {
        // The request is dropped at its first pause.
        let mut asked = Box::pin(ask(&site, "/", &[]));
        let _pending = futures::poll!(&mut asked);
    }
    assert_eq!(ask(&site, "/", &[]).await.status(), StatusCode::OK);
    assert_eq!(journal.reads(), 1);
}

#[tokio::test]
async fn only_those_who_know_the_token_see_the_page() {
    let directory = tempdir();
    let file = directory.path().join("token");
    assert!(Access::token(file.clone()).unwrap_err().to_string().contains("token"));
    std::fs::write(&file, "short\n").unwrap();
    assert!(Access::token(file.clone()).unwrap_err().to_string().contains("fewer than 16"));
    let token = "0123456789abcdef0123456789abcdef";
    std::fs::write(&file, format!("{token}\n")).unwrap();
    let site = site(&journal(), Access::token(file.clone()).unwrap());
    let basic = |password: &str| {
        format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("anyone:{password}")))
    };
    for (given, status) in [
        ("".to_owned(), 401),
        (format!("Bearer {token}"), 200),
        (format!("bearer {token}x"), 401),
        (basic(token), 200),
        (basic("wrong"), 401),
        ("Basic %%%".to_owned(), 401),
        (token.to_owned(), 401),
    ] {
        for path in ["/", "/events", "/style.css", "/nope"] {
            let answer = ask(&site, path, &[(header::AUTHORIZATION, &given)]).await;
            let expected = if status == 200 && path == "/nope" { 404 } else { status };
            assert_eq!(answer.status().as_u16(), expected, "{given} {path}");
            assert_eq!(status == 401, value(&answer, header::WWW_AUTHENTICATE).starts_with("Basic"), "{given}");
            if status == 401 {
                assert!(!text(answer).await.contains("entry"), "{given}");
            }
        }
    }
    // The file is read again, so that the token can be rotated.
    std::fs::write(&file, "another-token-with-32-characters").unwrap();
    let old = [(header::AUTHORIZATION, "Bearer 0123456789abcdef0123456789abcdef")];
    assert_eq!(ask(&site, "/", &old).await.status(), StatusCode::UNAUTHORIZED);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(ask(&site, "/", &old).await.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn the_past_is_found_by_commit_and_by_time() {
    let site = site(&journal(), Access::Loopback);
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    for (at, commit) in [
        (a.as_str(), &a),
        ("2026-11-20T10:59:59Z", &a),
        ("2026-11-20T11:00:00Z", &b),
        ("2026-11-21", &b),
        ("bbbbbbb", &b),
        ("2026-11-20T10:30", &a),
    ] {
        let page = text(ask(&site, &format!("/about?at={at}"), &[]).await).await;
        assert!(page.contains(&format!("at {commit}")) && page.contains("As it was at"), "{at}");
    }
    for at in ["2026-11-20T09:00:00Z", "nonsense", "aaaaaa", "ffffffffffffffffffffffffffffffffffffffff"] {
        let answer = ask(&site, &format!("/?at={at}"), &[]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{at}");
        assert!(text(answer).await.contains("the journal has no entry"), "{at}");
    }
}

#[tokio::test]
async fn a_journal_that_cannot_be_read_is_shown_as_it_was() {
    let journal = journal();
    journal.fail(Some("no route to host"));
    let site = site(&journal, Access::Loopback);
    let answer = ask(&site, "/", &[]).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(text(answer).await, "the journal cannot be read: no route to host\n");
    journal.fail(None);
    assert_eq!(ask(&site, "/", &[]).await.status(), StatusCode::OK);
    journal.fail(Some("no <route> to host"));
    let stale = text(ask(&site, "/", &[]).await).await;
    assert!(stale.contains("The journal cannot be read: no &lt;route&gt; to host."), "{stale}");
}

#[tokio::test]
async fn many_readers_cost_one_reading() {
    let journal = journal();
    let site = site(&journal, Access::Loopback);
    let readers = (0..500).map(|_| async { ask(&site, "/", &[]).await.status() });
    let answers: Vec<StatusCode> = futures::future::join_all(readers).await;
    assert!(answers.iter().all(|status| *status == StatusCode::OK));
    assert_eq!(journal.reads(), 1);
}

#[tokio::test]
async fn readers_hear_of_a_new_entry_once() {
    let journal = journal();
    let site = site(&journal, Access::Loopback);
    let last = header::HeaderName::from_static("last-event-id");
    let answer = ask(&site, "/events", &[(last, &"b".repeat(40))]).await;
    assert!(value(&answer, header::CONTENT_TYPE).starts_with("text/event-stream"));
    let mut events = answer.into_body().into_data_stream();
    journal.write('c', "2026-11-20T11:30:00Z", files('c'));
    let heard = tokio::time::timeout(Duration::from_secs(60), events.next()).await.unwrap().unwrap().unwrap();
    let heard = String::from_utf8(heard.to_vec()).unwrap();
    assert!(heard.contains("event: entry") && heard.contains(&format!("id: {}\n", "c".repeat(40))), "{heard}");
    journal.fail(Some("away"));
    let heard = tokio::time::timeout(Duration::from_secs(60), events.next()).await.unwrap().unwrap().unwrap();
    assert!(String::from_utf8(heard.to_vec()).unwrap().contains(&format!("id: {}-stale\n", "c".repeat(40))));
}

fn proxy(addresses: &[&str], groups: &[&str]) -> Result<Access, String> {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let proxy = Proxy::new(&owned(addresses), "X-Forwarded-User", "X-Forwarded-Groups", &owned(groups));
    proxy.map(Access::Proxy).map_err(|error| error.to_string())
}

/// Serves a site on a socket, and returns the status of requests for `/` over it, each with these headers.
async fn statuses(access: Access, requests: &[&[(&str, &str)]]) -> Vec<u16> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let stop = tokio_util::sync::CancellationToken::new();
    let served = tokio::spawn(serve(listener, site(&journal(), access), Limits::page(), stop.clone()));
    let mut found = Vec::new();
    for headers in requests {
        let mut request = reqwest::Client::builder().no_proxy().build().unwrap().get(&url);
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        found.push(request.send().await.unwrap().status().as_u16());
    }
    stop.cancel();
    served.await.unwrap();
    found
}

#[tokio::test]
async fn a_proxy_vouches_for_readers_and_only_from_its_own_address() {
    install_tls_provider();
    let ann = ("X-Forwarded-User", "ann");
    let requests: [&[(&str, &str)]; 6] = [
        &[ann, ("X-Forwarded-Groups", "dev, platform")],
        &[ann, ("X-Forwarded-Groups", "dev"), ("X-Forwarded-Groups", "platform")],
        &[ann, ("X-Forwarded-Groups", "dev,platforms")],
        &[ann],
        &[("X-Forwarded-Groups", "platform")],
        // Two names: which one did the proxy write?
        &[("X-Forwarded-User", "eve"), ann, ("X-Forwarded-Groups", "platform")],
    ];
    let here = proxy(&["10.0.0.7", "127.0.0.0/8"], &["platform"]).unwrap();
    assert_eq!(statuses(here, &requests).await, [200, 403, 403, 403, 403, 403]);
    let every_group = proxy(&["127.0.0.1"], &[]).unwrap();
    assert_eq!(statuses(every_group, &requests[2..]).await, [200, 200, 403, 403]);
    // A stranger claims everything, also to be at the address of the proxy.
    let claims =
        [ann, ("X-Forwarded-Groups", "platform"), ("X-Forwarded-For", "10.0.0.7"), ("Forwarded", "for=10.0.0.7")];
    let elsewhere = proxy(&["10.0.0.7", "fd00::/8"], &["platform"]).unwrap();
    assert_eq!(statuses(elsewhere, &[&claims]).await, [403]);
}

#[tokio::test]
async fn a_request_without_a_connection_is_not_from_a_proxy() {
    let site = site(&journal(), proxy(&["127.0.0.1"], &[]).unwrap());
    for path in ["/", "/events", "/style.css"] {
        let answer = ask(&site, path, &[(header::HeaderName::from_static("x-forwarded-user"), "ann")]).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }
}

#[test]
fn a_proxy_that_could_be_anyone_is_refused() {
    for (addresses, why) in [
        (&[][..], "names no address"),
        (&["0.0.0.0/0"][..], "contains every address"),
        (&["::/0"][..], "contains every address"),
        (&["proxy.example.com"][..], "is not an address or a network"),
        (&["10.0.0.0/33"][..], "is not an address or a network"),
        (&["::ffff:10.0.0.0/104"][..], "is not an address or a network"),
    ] {
        let error = proxy(addresses, &[]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    for group in ["", "a,b", " a"] {
        let error = proxy(&["10.0.0.7"], &[group]).unwrap_err();
        assert!(error.contains("cannot be the name of a group"), "{error}");
    }
    let header = Proxy::new(&["10.0.0.7".to_owned()], "no header", "X-Groups", &[]).unwrap_err().to_string();
    assert!(header.contains("\"no header\" is not the name of a header"), "{header}");
}
