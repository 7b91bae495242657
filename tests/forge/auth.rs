//! Tokens in files, and GitHub Apps.

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use serde_json::{Value, json};
use tidegate_forge::{Auth, Error};
use tidegate_model::forge::{Account, ForgeKind};

use crate::support::{Answer, Seen, Server, Setup, TOKEN, pull, setup};

#[tokio::test]
async fn every_forge_gets_the_token_in_its_own_form() {
    for (kind, expected) in [
        (ForgeKind::GitHub, format!("Bearer {TOKEN}")),
        (ForgeKind::GitLab, format!("Bearer {TOKEN}")),
        (ForgeKind::Gitea, format!("token {TOKEN}")),
    ] {
        let server = Server::listen(|_| Answer::ok(json!({ "id": 3, "login": "bot", "username": "bot" }))).await;
        setup(kind, &server).forge().me().await.unwrap();
        let seen = &server.seen()[0];
        assert_eq!(seen.header("authorization"), Some(expected.as_str()));
        assert_eq!(seen.header("user-agent"), Some("tidegate"));
        let version = (kind == ForgeKind::GitHub).then_some("2022-11-28");
        assert_eq!(seen.header("x-github-api-version"), version);
    }
}

#[tokio::test]
async fn a_rotated_token_is_used_at_once() {
    let server = Server::start(|seen| match seen.header("authorization") {
        Some("token new") => Answer::ok(json!({ "id": 3, "login": "bot" })),
        _ => Answer::json(401, json!({ "message": "token is invalid" })),
    })
    .await;
    let setup = setup(ForgeKind::Gitea, &server);
    let forge = setup.forge();
    let error = forge.me().await.unwrap_err();
    assert!(matches!(&error, Error::Denied(why) if why.contains("does not accept the token")), "{error}");
    // There is no other token, so there is no second request.
    assert_eq!(server.lines().len(), 1);
    setup.write_token("new\r\n");
    assert_eq!(forge.me().await.unwrap().login, "bot");
}

#[tokio::test]
async fn a_wrong_token_file_is_an_error_that_names_it() {
    let server = Server::start(|_| Answer::not_found()).await;
    let setup = setup(ForgeKind::Gitea, &server);
    for (content, why) in [("", "empty"), ("a b", "visible"), ("a\nb", "visible"), (&"x".repeat(70_000), "64 KiB")] {
        setup.write_token(content);
        let error = setup.forge().me().await.unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, Error::Settings(_)) && text.contains(why) && text.contains("token"), "{text}");
    }
    std::fs::remove_file(setup.directory.path().join("token")).unwrap();
    assert!(matches!(setup.forge().me().await, Err(Error::Settings(_))));
    assert_eq!(server.lines(), Vec::<String>::new());
}

/// The second part of a token of the long form.
fn long_token(number: usize) -> String {
    format!("ghs_1234_{}{number}", "x".repeat(2000))
}

/// Checks the token of the App, and returns its claims.
fn claims(seen: &Seen) -> Value {
    let jwt = seen.header("authorization").unwrap().strip_prefix("Bearer ").unwrap();
    let [header, claims, signature] = jwt.split('.').collect::<Vec<_>>()[..] else { unreachable!("{jwt}") };
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
    assert_eq!(decoded(header), br#"{"alg":"RS256","typ":"JWT"}"#);
    let public = include_bytes!("keys/public.der");
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public);
    key.verify(format!("{header}.{claims}").as_bytes(), &decoded(signature)).unwrap();
    serde_json::from_slice(&decoded(claims)).unwrap()
}

/// A GitHub whose tokens of installations are accepted until `expired` says otherwise.
async fn github(expired: impl Fn(usize) -> bool + Send + Sync + 'static) -> Server {
    let granted = AtomicUsize::new(0);
    Server::start(move |seen| match seen.line.as_str() {
        "GET /repos/platform/fleet/installation" => {
            claims(seen);
            Answer::ok(json!({ "id": 77, "app_id": 1 }))
        }
        "POST /app/installations/77/access_tokens" => {
            assert_eq!(seen.body, json!({ "repositories": ["fleet"] }));
            let claims = claims(seen);
            assert_eq!(claims["iss"], "Iv23x");
            let (start, end) = (claims["iat"].as_i64().unwrap(), claims["exp"].as_i64().unwrap());
            assert!(end - start <= 660 && end - start > 60);
            let number = granted.fetch_add(1, Ordering::SeqCst) + 1;
            let ends = tidegate_model::time::Timestamp::from_second(start + 60 + 3600).unwrap();
            let permissions = json!({ "statuses": "write", "members": "read" });
            Answer::json(201, json!({ "token": long_token(number), "expires_at": ends, "permissions": permissions }))
        }
        "GET /app" => {
            claims(seen);
            Answer::ok(json!({ "id": 1, "slug": "tidegate" }))
        }
        "GET /users/tidegate[bot]" | "GET /users/tidegate%5Bbot%5D" => {
            Answer::ok(json!({ "id": 41, "login": "tidegate[bot]" }))
        }
        "GET /repos/platform/fleet" => Answer::ok(json!({ "permissions": { "push": true } })),
        _ => {
            let number = granted.load(Ordering::SeqCst);
            let is_current = seen.header("authorization") == Some(format!("Bearer {}", long_token(number)).as_str());
            if is_current && !expired(number) {
                Answer::ok(json!([]))
            } else {
                Answer::json(401, json!({ "message": "Bad credentials" }))
            }
        }
    })
    .await
}

fn app(server: &Server, key: &str) -> Setup {
    let mut setup = setup(ForgeKind::GitHub, server);
    let key_file = setup.directory.path().join("app.pem");
    std::fs::write(&key_file, key).unwrap();
    setup.settings.auth = Auth::App { client_id: "Iv23x".to_owned(), key_file };
    setup
}

#[tokio::test]
async fn an_app_gets_a_token_for_its_installation_and_keeps_it() {
    for key in [include_str!("keys/pkcs1.pem"), include_str!("keys/pkcs8.pem")] {
        let server = github(|_| false).await;
        let setup = app(&server, key);
        let forge = setup.forge();
        let requests = async || {
            forge.opinions(&pull(1)).await.unwrap();
            server.lines().len()
        };
        assert_eq!(requests().await, 3);
        assert_eq!(requests().await, 4);
        // Five minutes before its end, the token is replaced.
        setup.at(3299);
        assert_eq!(requests().await, 5);
        setup.at(3300);
        assert_eq!(requests().await, 8);
    }
}

#[tokio::test]
async fn the_account_of_an_app_is_its_bot() {
    let server = github(|_| false).await;
    let forge = app(&server, include_str!("keys/pkcs1.pem")).forge();
    let expected = Account { id: 41, login: "tidegate[bot]".to_owned(), is_bot: true };
    assert_eq!(forge.me().await.unwrap(), expected);
    let asked = server.lines().len();
    assert_eq!((forge.me().await.unwrap(), server.lines().len()), (expected, asked));
    let access = forge.access().await.unwrap();
    assert_eq!(access.scopes, Ok(vec!["members:read".to_owned(), "statuses:write".to_owned()]));
}

#[tokio::test]
async fn a_token_that_ends_early_is_replaced_once() {
    let server = github(|number| number == 1).await;
    app(&server, include_str!("keys/pkcs1.pem")).forge().opinions(&pull(1)).await.unwrap();
    assert_eq!(server.lines().len(), 6);
    let server = github(|_| true).await;
    let error = app(&server, include_str!("keys/pkcs1.pem")).forge().opinions(&pull(1)).await.unwrap_err();
    assert!(matches!(error, Error::Denied(_)), "{error}");
    assert_eq!(server.lines().len(), 6);
}

#[tokio::test]
async fn a_wrong_key_is_an_error_that_names_the_file() {
    let server = Server::start(|_| Answer::not_found()).await;
    for key in ["", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"] {
        let error = app(&server, key).forge().opinions(&pull(1)).await.unwrap_err();
        assert!(matches!(&error, Error::Settings(why) if why.contains("app.pem")), "{error}");
    }
    let error = app(&server, include_str!("keys/pkcs1.pem")).forge().opinions(&pull(1)).await.unwrap_err();
    assert!(matches!(error, Error::NotFound(_)), "{error}");
}

#[test]
fn only_github_has_apps() {
    let server = tokio::runtime::Runtime::new().unwrap().block_on(Server::start(|_| Answer::not_found()));
    let mut settings = app(&server, "").settings;
    settings.kind = ForgeKind::GitLab;
    let error = tidegate_forge::Forge::new(settings, reqwest::Client::builder()).unwrap_err();
    assert!(error.to_string().contains("only GitHub has Apps"), "{error}");
}
