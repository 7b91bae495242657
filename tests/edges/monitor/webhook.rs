//! Webhooks: who may request a poll, and that a webhook does nothing else.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use tower::ServiceExt as _;

use tidegate_daemon::monitor::{self, Webhook};
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::telemetry::metrics::Metrics;

/// GitHub's own example: the digest of this body with this secret.
const SECRET: &str = "It's a Secret to Everybody";
const BODY: &str = "Hello, World!";
const DIGEST: &str = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

/// The time on the clock of the daemon.
pub(super) const NOW: &str = "2026-11-23T12:00:00Z";

/// The page for webhooks, and the number of polls that they caused.
pub(super) struct Page {
    router: Router,
    looks: Arc<AtomicUsize>,
    registry: Metrics,
    secret: tempfile::NamedTempFile,
}

impl Page {
    fn new() -> Self {
        Self::with(|_| {})
    }

    /// Returns a page whose webhooks are configured differently.
    pub(super) fn with(configure: impl FnOnce(&mut Webhook)) -> Self {
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&secret, format!("{SECRET}\n")).unwrap();
        let (registry, looks) = (Metrics::default(), Arc::new(AtomicUsize::new(0)));
        let counted = looks.clone();
        let mut webhook = Webhook {
            secret_file: Some(secret.path().to_owned()),
            gitlab_signing_token_file: None,
            clock: Clock::new(|| NOW.parse().unwrap()),
            look: Arc::new(move || {
                counted.fetch_add(1, Ordering::SeqCst);
            }),
            metrics: registry.register(monitor::metrics::Metrics::register),
        };
        configure(&mut webhook);
        let router = monitor::webhook_router(webhook);
        Self { router, looks, registry, secret }
    }

    async fn post(&self, header: Option<(&str, &str)>, body: impl Into<Body>) -> StatusCode {
        self.answer(header.as_slice(), body).await.0
    }

    /// Posts a webhook, and returns the answer with its reason.
    pub(super) async fn answer(&self, headers: &[(&str, &str)], body: impl Into<Body>) -> (StatusCode, String) {
        let request = Request::post("/webhook");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let answer = self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (status, body) = (answer.status(), axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap());
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    /// Returns the routes.
    pub(super) fn router(&self) -> Router {
        self.router.clone()
    }

    pub(super) fn looks(&self) -> usize {
        self.looks.load(Ordering::SeqCst)
    }

    fn secret(&self) -> &Path {
        self.secret.path()
    }
}

#[tokio::test]
async fn each_forge_proves_itself_in_its_own_way() {
    let page = Page::new();
    let (prefixed, bearer) = (format!("sha256={DIGEST}"), format!("Bearer {SECRET}"));
    let upper = format!("sha256={}", DIGEST.to_uppercase());
    let good = [
        ("X-Hub-Signature-256", prefixed.as_str()),
        ("X-Hub-Signature-256", upper.as_str()),
        ("X-Gitea-Signature", DIGEST),
        ("X-Forgejo-Signature", DIGEST),
        ("X-Gogs-Signature", DIGEST),
        ("X-Gitlab-Token", SECRET),
        ("Authorization", bearer.as_str()),
    ];
    for (at, header) in good.into_iter().enumerate() {
        assert_eq!(page.post(Some(header), BODY).await, StatusCode::ACCEPTED, "{header:?}");
        assert_eq!(page.looks(), at + 1);
    }
    // A replay causes one more poll, and nothing else.
    assert_eq!(page.post(Some(good[0]), BODY).await, StatusCode::ACCEPTED);
    assert!(page.registry.text().contains("tidegate_webhooks_total{outcome=\"Accepted\"} 8"));
}

#[tokio::test]
async fn a_sender_without_the_secret_is_refused() {
    let page = Page::new();
    let prefixed = format!("sha256={DIGEST}");
    let short = &DIGEST[..62];
    let refused = [
        (None, BODY),
        (Some(("X-Hub-Signature-256", prefixed.as_str())), "Hello, World?"),
        (Some(("X-Hub-Signature-256", "sha256=")), BODY),
        (Some(("X-Hub-Signature-256", "sha1=757107ea")), BODY),
        (Some(("X-Hub-Signature-256", "sha256=not hexadecimal at all")), BODY),
        (Some(("X-Gitea-Signature", short)), BODY),
        (Some(("X-Gitlab-Token", "")), BODY),
        (Some(("X-Gitlab-Token", "It's a Secret to Everybod")), BODY),
        (Some(("X-Gitlab-Token", DIGEST)), BODY),
        (Some(("Authorization", "Bearer nonsense")), BODY),
        (Some(("Authorization", "Basic SXQncyBhIFNlY3JldCB0byBFdmVyeWJvZHk=")), BODY),
    ];
    for (header, body) in refused {
        assert_eq!(page.post(header, body).await, StatusCode::UNAUTHORIZED, "{header:?}");
    }
    assert_eq!(page.looks(), 0);
}

#[tokio::test]
async fn the_empty_signature_of_a_forge_without_a_secret_is_no_proof_and_the_answer_says_what_to_do() {
    let page = Page::new();
    let empty = [("X-Gitea-Signature", ""), ("X-Gogs-Signature", ""), ("X-Hub-Signature-256", "sha256=")];
    let (status, reason) = page.answer(&empty, BODY).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(reason.contains("set a secret in the webhook of the forge"), "{reason}");
    assert_eq!(page.looks(), 0);
}

#[tokio::test]
async fn the_secret_may_be_rotated_and_must_exist() {
    let page = Page::new();
    std::fs::write(page.secret(), "another").unwrap();
    assert_eq!(page.post(Some(("X-Gitlab-Token", SECRET)), BODY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(page.post(Some(("X-Gitlab-Token", "another")), BODY).await, StatusCode::ACCEPTED);
    // An empty secret must not authorize anyone who sends an empty token.
    std::fs::write(page.secret(), "\n").unwrap();
    assert_eq!(page.post(Some(("X-Gitlab-Token", "")), BODY).await, StatusCode::UNAUTHORIZED);
    assert_eq!(page.post(Some(("X-Gitlab-Token", "another")), BODY).await, StatusCode::SERVICE_UNAVAILABLE);
    std::fs::remove_file(page.secret()).unwrap();
    assert_eq!(page.post(Some(("X-Gitlab-Token", "another")), BODY).await, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn an_oversized_body_is_refused_and_only_a_post_is_a_webhook() {
    let page = Page::new();
    let pieces = (0..26).map(|_| Ok::<_, std::io::Error>(vec![b'x'; 1 << 20]));
    let endless = Body::from_stream(futures::stream::iter(pieces));
    assert_eq!(page.post(Some(("X-Gitea-Signature", DIGEST)), endless).await, StatusCode::PAYLOAD_TOO_LARGE);
    let get = Request::get("/webhook").body(Body::empty()).unwrap();
    assert_eq!(page.router.clone().oneshot(get).await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(page.looks(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_times_out() {
    let page = Page::new();
    let silent = Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    assert_eq!(page.post(Some(("X-Gitea-Signature", DIGEST)), silent).await, StatusCode::REQUEST_TIMEOUT);
    assert_eq!(page.looks(), 0);
}
