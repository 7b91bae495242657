//! Limits of a forge, the own budget, and the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use tidegate_forge::{Error, State, Transport};
use tidegate_model::forge::ForgeKind;
use tidegate_model::time::Timestamp;
use tokio::time::Instant;

use crate::support::{Answer, Server, commit, pull, setup};

fn second(error: &Error) -> Option<i64> {
    error.until().map(|until: Timestamp| until.as_second() - 1_800_000_000)
}

#[tokio::test]
async fn a_limit_stops_all_requests_until_the_moment_that_the_forge_gives() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::new(429, "Retry later").with("retry-after", 30),
        _ => Answer::ok(json!({ "id": 3, "username": "ada" })),
    })
    .await;
    let setup = setup(ForgeKind::GitLab, &server);
    let forge = setup.forge();
    let error = forge.me().await.unwrap_err();
    assert_eq!((second(&error), error.is_transient()), (Some(30), true));
    setup.at(29);
    // Another method of a clone, without a request.
    let error = forge.clone().opinions(&pull(1)).await.unwrap_err();
    assert!(matches!(error, Error::Limited { .. }), "{error}");
    assert_eq!((server.lines().len(), forge.usage().paused_until.is_some()), (1, true));
    setup.at(30);
    assert_eq!(forge.me().await.unwrap().login, "ada");
    assert_eq!(forge.usage().paused_until, None);
}

#[tokio::test]
async fn every_sign_of_a_limit_is_recognized() {
    let rows: [(ForgeKind, Answer, Option<i64>); 6] = [
        (ForgeKind::GitHub, Answer::new(403, "{}").with("retry-after", 7), Some(7)),
        (
            ForgeKind::GitHub,
            Answer::new(403, "{}").with("x-ratelimit-remaining", 0).with("x-ratelimit-reset", 1_800_000_090),
            Some(90),
        ),
        (ForgeKind::GitHub, Answer::new(429, "{}"), Some(60)),
        (ForgeKind::GitHub, Answer::new(403, "{}").with("x-ratelimit-remaining", 12), None),
        (ForgeKind::GitLab, Answer::new(429, "Retry later").with("ratelimit-reset", 1_800_000_045), Some(45)),
        (ForgeKind::Gitea, Answer::new(429, "proxy"), Some(60)),
    ];
    for (kind, answer, expected) in rows {
        let server = Server::start(move |_| answer.clone()).await;
        let error = setup(kind, &server).forge().me().await.unwrap_err();
        assert_eq!(second(&error), expected, "{error}");
        assert_eq!(matches!(error, Error::Denied(_)), expected.is_none(), "{error}");
    }
}

#[tokio::test]
async fn pauses_grow_until_the_forge_answers() {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        3 => Answer::not_found(),
        _ => Answer::new(429, ""),
    })
    .await;
    let setup = setup(ForgeKind::GitHub, &server);
    let forge = setup.forge();
    let mut now = 0;
    for expected in [60, 120, 240] {
        let until = second(&forge.pull(1).await.unwrap_err()).unwrap();
        assert_eq!(until - now, expected);
        now = until;
        setup.at(now);
    }
    assert!(matches!(forge.pull(1).await, Err(Error::NotFound(_))));
    assert_eq!(second(&forge.pull(1).await.unwrap_err()), Some(now + 60));
}

#[tokio::test]
async fn the_last_allowed_answer_is_used_and_pauses_the_next_request() {
    let server = Server::start(|_| {
        let last = Answer::ok(json!({ "id": 3, "login": "ada", "type": "User" }));
        last.with("x-ratelimit-remaining", 0).with("x-ratelimit-reset", 1_800_000_600)
    })
    .await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    assert_eq!(forge.me().await.unwrap().id, 3);
    assert_eq!(second(&forge.pull(1).await.unwrap_err()), Some(600));
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn a_quarter_of_the_budget_is_reserved_for_approvals() {
    let server = Server::start(|_| Answer::ok(json!([]))).await;
    let mut setup = setup(ForgeKind::GitHub, &server);
    setup.settings.budget = 4;
    let forge = setup.forge();
    for _ in 0..3 {
        forge.statuses(&commit('a')).await.unwrap();
    }
    let error = forge.statuses(&commit('a')).await.unwrap_err();
    assert!(matches!(error, Error::Budget { .. }) && second(&error) == Some(3600), "{error}");
    assert_eq!(forge.opinions(&pull(1)).await.unwrap(), []);
    assert!(matches!(forge.opinions(&pull(1)).await, Err(Error::Budget { .. })));
    assert_eq!((server.lines().len(), forge.usage().remaining), (4, 0));
    setup.at(3600);
    assert_eq!(forge.usage().remaining, 4);
    forge.statuses(&commit('a')).await.unwrap();
}

#[tokio::test]
async fn requests_are_counted_by_operation_and_outcome() {
    let server = Server::start(|seen| match seen.line.as_str() {
        "GET /repos/platform/fleet/pulls/1/reviews" => Answer::ok(json!([])),
        _ => Answer::not_found(),
    })
    .await;
    let forge = setup(ForgeKind::GitHub, &server).forge();
    forge.opinions(&pull(1)).await.unwrap();
    forge.opinions(&pull(1)).await.unwrap();
    forge.pull(1).await.unwrap_err();
    let requests: Vec<_> = forge.usage().requests.into_iter().collect();
    assert_eq!(requests, [(("opinions", "2xx"), 2), (("pull", "4xx"), 1)]);
    assert_eq!(forge.usage().remaining, 997);
}

#[tokio::test]
async fn requests_are_sent_one_at_a_time() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let server = Server::start(|_| Answer::ok(json!([]))).await;
    let (counted, inner, seen_most) = (Arc::clone(&running), server.transport.clone().unwrap(), Arc::clone(&most));
    let slow = Transport::new(move |request| {
        let (running, most, inner) = (Arc::clone(&counted), Arc::clone(&seen_most), inner.clone());
        async move {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Another request would start meanwhile.
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            let answered = inner.send(request).await;
            running.fetch_sub(1, Ordering::SeqCst);
            answered
        }
    });
    let forge = setup(ForgeKind::GitHub, &server).over(slow);
    let requests = (0..20).map(|number| {
        let forge = forge.clone();
        tokio::spawn(async move { forge.opinions(&pull(number)).await.map(|opinions| opinions.len()) })
    });
    for request in requests.collect::<Vec<_>>() {
        assert_eq!(request.await.unwrap().unwrap(), 0);
    }
    assert_eq!((most.load(Ordering::SeqCst), server.lines().len()), (1, 20));
}

#[tokio::test(start_paused = true)]
async fn there_is_a_gap_between_writes_but_not_between_reads() {
    let server = Server::start(|seen| match seen.line.starts_with("POST") {
        true => Answer::json(201, json!({})),
        false => Answer::ok(json!([])),
    })
    .await;
    let mut setup = setup(ForgeKind::GitHub, &server);
    let gap = Duration::from_millis(20);
    setup.settings.write_gap = gap;
    let (forge, start) = (setup.forge(), Instant::now());
    for _ in 0..3 {
        forge.statuses(&commit('a')).await.unwrap();
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
    for _ in 0..3 {
        forge.status(&commit('a'), "tidegate/plan", State::Success, "done", None, None).await.unwrap();
    }
    assert_eq!(start.elapsed(), gap * 2);
    assert_eq!(server.writes().len(), 3);
}
