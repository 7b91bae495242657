//! Who a client is, by its token, and what it may do.

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::super::instance::Instance;
use super::super::state::{Role, Scope, Token};

/// Who a client is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller {
    /// The account; `None` for a visitor.
    pub(crate) account: Option<u64>,
    pub(crate) scope: Scope,
    /// Whether the token is of an installation of a GitHub App.
    pub(crate) is_installation: bool,
}

/// The client sent a token that is unknown or has expired.
#[derive(Debug)]
pub(crate) struct BadToken;

/// A visitor.
const VISITOR: Caller = Caller { account: None, scope: Scope::Read, is_installation: false };

/// Returns who a client is.
///
/// # Errors
/// If its token is unknown or has expired.
pub(crate) fn caller(instance: &Instance, headers: &HeaderMap) -> Result<Caller, BadToken> {
    let Some(value) = token(headers) else { return Ok(VISITOR) };
    let known = |token: &&Token| token.value == value;
    let token = instance.store.tokens.iter().find(known).ok_or(BadToken)?;
    if token.expires.is_some_and(|expires| expires <= instance.now) {
        return Err(BadToken);
    }
    let account = instance.store.account(token.account).ok_or(BadToken)?.id;
    Ok(Caller { account: Some(account), scope: token.scope, is_installation: token.is_installation })
}

/// Returns the token of a request: `PRIVATE-TOKEN`, `Authorization: token`, `Bearer`, or the password of `Basic`.
pub(crate) fn token(headers: &HeaderMap) -> Option<String> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(token) = text("private-token") {
        return Some(token.to_owned());
    }
    let value = text("authorization")?;
    let Some((scheme, rest)) = value.split_once(' ') else { return Some(value.to_owned()) };
    if !scheme.eq_ignore_ascii_case("basic") {
        return Some(rest.trim().to_owned());
    }
    let decoded = BASE64_STANDARD.decode(rest.trim()).ok()?;
    String::from_utf8_lossy(&decoded).split_once(':').map(|(_, password)| password.to_owned())
}

impl Caller {
    /// Returns the role of the client in the project, which its token may restrict to reading.
    pub(crate) fn role(&self, instance: &Instance) -> Role {
        let role = self.account.map_or(Role::None, |account| instance.role(account));
        if self.scope == Scope::Read { role.min(Role::Read) } else { role }
    }

    /// Returns `true` if the client may see the project.
    pub(crate) fn may_read(&self, instance: &Instance) -> bool {
        !instance.options.is_private || self.role(instance) >= Role::Read
    }
}
