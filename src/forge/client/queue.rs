//! The queue of requests: one at a time, with a gap between writes, and a token that is renewed once.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::header::{ETAG, HeaderValue};
use serde::de::DeserializeOwned;
use tidegate_model::forge::{Account, ForgeKind};
use tokio::time::Instant;

use super::etags::Etags;
use crate::auth::{TokenSource, app_account};
use crate::error::{Error, Result};
use crate::wire::{Address, Call, Object, Reply, Token, Usage, Wire, failure, garbage};

/// The connection to one project of a forge.
pub(crate) struct Client {
    wire: Wire,
    source: TokenSource,
    /// Locked while a request is under way, with the time of the last write.
    turn: tokio::sync::Mutex<Option<Instant>>,
    gap: Duration,
    pub(super) etags: Mutex<Etags>,
    /// The lists whose last complete answer was returned to the caller.
    pub(super) delivered: Mutex<HashSet<String>>,
    me: Mutex<Option<Account>>,
    /// The tokens that were sent last, newest first.
    sent: Mutex<VecDeque<Token>>,
}

/// How many tokens are remembered: the current one, and those that it replaced.
const SENT: usize = 4;

impl Client {
    pub(crate) fn new(wire: Wire, source: TokenSource, gap: Duration) -> Self {
        let (turn, etags) = (tokio::sync::Mutex::new(None), Mutex::new(Etags::default()));
        Self {
            wire,
            source,
            turn,
            gap,
            etags,
            delivered: Mutex::default(),
            me: Mutex::new(None),
            sent: Mutex::default(),
        }
    }

    pub(crate) fn kind(&self) -> ForgeKind {
        self.wire.kind
    }

    pub(crate) fn address(&self) -> &Address {
        &self.wire.address
    }

    pub(crate) fn is_app(&self) -> bool {
        self.source.is_app()
    }

    /// Returns the permissions of the installation of the App, after a request.
    pub(crate) fn permissions(&self) -> Option<Vec<String>> {
        self.source.permissions()
    }

    pub(crate) fn usage(&self) -> Usage {
        self.wire.usage()
    }

    /// Sends a request and returns its answer, whatever its status is.
    pub(crate) async fn send(&self, call: &Call, etag: Option<&HeaderValue>) -> Result<Reply> {
        // Without a turn: nothing waits for a request that is not sent.
        self.wire.check(call)?;
        let mut last_write = self.turn.lock().await;
        self.wire.check(call)?;
        let token = self.source.token(&self.wire).await?;
        let mut reply = self.with_token(call, &token, etag, &mut last_write).await?;
        if reply.status == 401
            && let Some(token) = self.source.renewed(&self.wire, &token).await?
        {
            reply = self.with_token(call, &token, etag, &mut last_write).await?;
        }
        Ok(reply)
    }

    async fn with_token(
        &self,
        call: &Call,
        token: &Token,
        etag: Option<&HeaderValue>,
        last_write: &mut Option<Instant>,
    ) -> Result<Reply> {
        self.remember(token);
        if call.is_write() {
            if let Some(last) = *last_write {
                tokio::time::sleep(self.gap.saturating_sub(last.elapsed())).await;
            }
            *last_write = Some(Instant::now());
        }
        self.wire.send(call, token, etag).await
    }

    /// Remembers the tokens that were sent last.
    fn remember(&self, token: &Token) {
        let mut sent = self.sent.lock();
        if !sent.contains(token) {
            sent.push_front(token.clone());
            sent.truncate(SENT);
        }
    }

    /// Removes the tokens that were sent from an error: a forge may repeat what it received.
    pub(crate) fn scrubbed(&self, error: Error) -> Error {
        let sent = self.sent.lock();
        sent.iter().fold(error, |error, token| error.map_text(|text| token.redact(text)))
    }

    /// Sends a request that must succeed.
    pub(crate) async fn ask(&self, call: &Call) -> Result<Reply> {
        let reply = self.send(call, None).await?;
        if reply.is_success() { Ok(reply) } else { Err(failure(call, &reply)) }
    }

    /// Sends a request that must succeed, and reads its answer.
    pub(crate) async fn json<T: DeserializeOwned>(&self, call: &Call) -> Result<T> {
        let reply = self.ask(call).await?;
        parsed(call, &reply.body)
    }

    /// Sends a request, and returns `None` if what it asks for does not exist.
    pub(crate) async fn find<T: DeserializeOwned>(&self, call: &Call) -> Result<Option<T>> {
        match self.json(call).await {
            Ok(found) => Ok(Some(found)),
            Err(Error::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the account of the token. `ask` asks for that of a plain token.
    pub(crate) async fn me(&self, ask: impl AsyncFnOnce() -> Result<Account>) -> Result<Account> {
        if let Some(me) = self.me.lock().clone() {
            return Ok(me);
        }
        let me = match self.source.own(&self.wire)? {
            None => ask().await?,
            Some(own) => {
                let _turn = self.turn.lock().await;
                let token = self.source.token(&self.wire).await?;
                app_account(&self.wire, &own, &token)
                    .await
                    .map_err(|error| error.map_text(|text| token.redact(text)))?
            }
        };
        *self.me.lock() = Some(me.clone());
        Ok(me)
    }
}

/// Reads the body of an answer, which is an object.
///
/// # Errors
/// [`Error::Garbage`] with the place of the mistake.
pub(crate) fn parsed<T: DeserializeOwned>(call: &Call, body: &[u8]) -> Result<T> {
    let object = serde_json::from_slice(body).map(|Object(object)| object);
    object.map_err(|error| garbage(call, error))
}

/// Reads the body of an answer, which is an array of objects.
///
/// # Errors
/// [`Error::Garbage`] with the place of the mistake.
pub(super) fn parsed_list<T: DeserializeOwned>(call: &Call, body: &[u8]) -> Result<Vec<T>> {
    let objects: Vec<Object<T>> = serde_json::from_slice(body).map_err(|error| garbage(call, error))?;
    Ok(objects.into_iter().map(|Object(object)| object).collect())
}

/// Returns the tag of an answer.
pub(super) fn etag(reply: &Reply) -> Option<HeaderValue> {
    reply.headers.get(ETAG).cloned()
}
