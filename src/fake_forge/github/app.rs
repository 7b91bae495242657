//! GitHub Apps: signed requests of an App, and the tokens of its installation.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use serde_json::{Value, json};

use super::super::instance::Instance;
use super::super::request::{self, Answer, Call};
use super::super::state::{App, Scope, Token};
use super::{answers, json as render};
use tidegate_model::time::{SignedDuration, Timestamp};

/// How long a token of an installation is valid.
const VALIDITY: SignedDuration = SignedDuration::from_hours(1);

/// How far in the future a signed request may expire.
const MAX_EXPIRY: i64 = 600;

/// Returns `true` if a request is signed by an App, and has no token.
pub(crate) fn is_for_app(segments: &[&str]) -> bool {
    matches!(segments, ["app", ..] | ["repos", _, _, "installation"])
}

/// Answers a request that an App has signed.
pub(crate) fn answer(forge: &mut Instance, call: &Call, segments: &[&str]) -> Answer {
    let token = request::token(&call.headers).unwrap_or_default();
    let app = match verified(forge, &token) {
        Ok(app) => app.clone(),
        Err(message) => return answers::error(401, message),
    };
    match (&*call.method, segments) {
        ("GET", ["app"]) => Answer::json(200, &app_json(forge, &app)),
        ("GET", ["app", "installations"]) => Answer::json(200, &json!([installation(forge, &app)])),
        ("GET", ["repos", owner, name, "installation"]) if forge.is_project(owner, name) => {
            Answer::json(200, &installation(forge, &app))
        }
        ("POST", ["app", "installations", id, "access_tokens"]) if *id == app.installation.to_string() => {
            create_token(forge, call, &app)
        }
        ("GET", ["repos", ..]) | ("POST", ["app", "installations", _, "access_tokens"]) => {
            answers::error(404, "Not Found")
        }
        _ => answers::error(404, "Not Found").unknown(),
    }
}

/// Checks the signature and the times of a request.
fn verified<'a>(forge: &'a Instance, token: &str) -> Result<&'a App, &'static str> {
    const MALFORMED: &str = "A JSON web token could not be decoded";
    let (signed, signature) = token.rsplit_once('.').ok_or(MALFORMED)?;
    let (header, claims) = signed.split_once('.').ok_or(MALFORMED)?;
    let decode = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| MALFORMED);
    let parse = |part: &str| serde_json::from_slice::<Value>(&decode(part)?).map_err(|_| MALFORMED);
    let (header, claims, signature) = (parse(header)?, parse(claims)?, decode(signature)?);
    if header["alg"] != "RS256" {
        return Err(MALFORMED);
    }
    let issuer = match &claims["iss"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let is_issuer = |app: &&App| issuer == app.client_id || issuer == app.id.to_string();
    let app = forge.store.apps.iter().find(is_issuer).ok_or("Integration not found")?;
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &app.public_key);
    key.verify(signed.as_bytes(), &signature).map_err(|_| MALFORMED)?;
    let now = forge.now.as_second();
    let time = |name: &str| claims[name].as_i64();
    let issued = time("iat").ok_or("Missing 'issued at' claim ('iat') in assertion")?;
    let expires = time("exp").ok_or("Missing 'expiration time' claim ('exp') in assertion")?;
    if issued > now {
        return Err("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
    }
    if expires <= now {
        return Err(
            "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
        );
    }
    if expires > now + MAX_EXPIRY {
        return Err("'Expiration time' claim ('exp') is too far in the future");
    }
    Ok(app)
}

/// Creates a token, in the long form that tokens have since 2026.
fn create_token(forge: &mut Instance, call: &Call, app: &App) -> Answer {
    let expires: Timestamp = forge.now + VALIDITY;
    let claims = json!({ "iss": app.id, "exp": expires.as_second(), "jti": forge.store.next_id() });
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let (header, claims) = (part(&json!({ "alg": "RS256", "typ": "JWT" })), part(&claims));
    let value = format!("ghs_{}_{header}.{claims}.{}", app.id, "A".repeat(342));
    let account = app.account;
    let token =
        Token { value: value.clone(), account, scope: Scope::Full, expires: Some(expires), is_installation: true };
    forge.store.tokens.push(token);
    let permissions = call.body.get("permissions").cloned().unwrap_or_else(permissions);
    Answer::json(
        201,
        &json!({
            "token": value, "expires_at": expires.to_string(), "permissions": permissions, "repository_selection": "selected",
            "repositories": [render::repository(forge, forge.owner())],
        }),
    )
}

fn permissions() -> Value {
    json!({
        "checks": "write", "contents": "write", "deployments": "write", "issues": "write", "members": "read",
        "metadata": "read", "pull_requests": "write", "statuses": "write",
    })
}

fn app_json(forge: &Instance, app: &App) -> Value {
    json!({
        "id": app.id, "client_id": app.client_id, "slug": app.slug, "name": app.slug,
        "owner": { "login": forge.owner() }, "permissions": permissions(), "events": ["pull_request", "push"],
        "html_url": format!("{}/apps/{}", forge.origin, app.slug), "installations_count": 1,
    })
}

fn installation(forge: &Instance, app: &App) -> Value {
    json!({
        "id": app.installation, "app_id": app.id, "client_id": app.client_id, "app_slug": app.slug,
        "account": { "login": forge.owner(), "type": "Organization" }, "target_type": "Organization",
        "repository_selection": "selected", "permissions": permissions(), "events": ["pull_request", "push"],
        "suspended_at": null, "access_tokens_url": format!("{}/app/installations/{}/access_tokens", render::api(forge), app.installation),
    })
}
