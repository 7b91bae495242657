//! Tokens of a GitHub App for its installation in one project.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use tidegate_model::forge::Account;
use tidegate_model::time::{SignedDuration, Timestamp};

use super::{jwt, pem, token_file};
use crate::error::{Error, Result};
use crate::wire::{Call, Object, Operation, Reply, Token, Wire, failure, garbage};

/// How long before its end a token is renewed: a request with it may wait in the queue.
const EARLY: SignedDuration = SignedDuration::from_mins(5);

/// A token of an installation.
#[derive(Clone)]
pub(super) struct Granted {
    pub(super) token: Token,
    /// What the installation may do: names of permissions with `read` or `write`.
    pub(super) permissions: BTreeMap<String, String>,
    ends: Timestamp,
}

impl Granted {
    /// Returns `true` if the token can still be used.
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        now.checked_add(EARLY).is_ok_and(|then| then < self.ends)
    }
}

#[derive(Deserialize)]
struct Installation {
    id: u64,
}

#[derive(Deserialize)]
struct AccessToken {
    token: String,
    expires_at: Timestamp,
    #[serde(default)]
    permissions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct App {
    slug: String,
}

#[derive(Deserialize)]
struct User {
    id: u64,
}

/// Returns the token with which the App authenticates as itself.
///
/// # Errors
/// [`Error::Settings`] if the key file cannot be used.
pub(super) fn own_token(client_id: &str, key_file: &Path, now: Timestamp) -> Result<Token> {
    let text = token_file::text(key_file)?;
    let refused = |why: &dyn fmt::Display| {
        Error::Settings(format!("the key file {} of the App cannot be used: {why}", key_file.display()))
    };
    let signed = pem::rsa_key(&text).and_then(|key| jwt::jwt(client_id, &key, now));
    Token::new(&signed.map_err(|why| refused(&why))?).map_err(|why| refused(&why))
}

/// Gets a token for the installation of the App in a project. The token can be used for this project only.
pub(super) async fn grant(wire: &Wire, own: &Token, owner: &str, name: &str) -> Result<Granted> {
    let url = wire.address.at(&["repos", owner, name, "installation"]);
    let installation: Installation = ask(wire, &Call::get(Operation::Token, url), own).await?;
    let id = installation.id.to_string();
    let url = wire.address.at(&["app", "installations", &id, "access_tokens"]);
    let call = Call::post(Operation::Token, url, json!({ "repositories": [name] }));
    let granted: AccessToken = ask(wire, &call, own).await?;
    let token =
        Token::new(&granted.token).map_err(|why| garbage(&call, format_args!("the token cannot be used: {why}")))?;
    Ok(Granted { token, permissions: granted.permissions, ends: granted.expires_at })
}

/// Returns the account with which the App writes. `own` is the token of the App itself, and `token` that of the installation.
pub(crate) async fn app_account(wire: &Wire, own: &Token, token: &Token) -> Result<Account> {
    let app: App = ask(wire, &Call::get(Operation::Me, wire.address.at(&["app"])), own).await?;
    let login = format!("{}[bot]", app.slug);
    let user: User = ask(wire, &Call::get(Operation::Me, wire.address.at(&["users", &login])), token).await?;
    Ok(Account { id: user.id, login, is_bot: true })
}

async fn ask<T: serde::de::DeserializeOwned>(wire: &Wire, call: &Call, token: &Token) -> Result<T> {
    let reply: Reply = wire.send(call, token, None).await.map_err(|error| error.map_text(|text| token.redact(text)))?;
    if !reply.is_success() {
        return Err(failure(call, &reply).map_text(|text| token.redact(text)));
    }
    // The place of the mistake is left out on purpose: the document contains a token.
    let object = serde_json::from_slice(&reply.body).map(|Object(object)| object);
    object.map_err(|_| garbage(call, "a field is missing or has the wrong type"))
}
