//! One conversation with a remote: how to reach it, which host may see the token, and what a failure means.

use std::path::Path;
use std::sync::{Arc, Mutex};

use gix::credentials::helper::Action;
use gix::credentials::protocol::Outcome;
use gix::protocol::transport::client::blocking_io::ssh::{self as program, ProgramKind};
use gix::protocol::transport::client::blocking_io::{Transport, connect, http as transport};
use gix::protocol::transport::{Protocol, Service};
use gix::sec::identity::Account;
use gix::url::Scheme;

use super::classify::classify;
use super::credentials::{Token, basic};
use super::deadline::Deadline;
use super::http::{Client, authorities, may_have_message};
use super::public::PublicOnly;
use super::remote::is_loopback;
use super::ssh::{Prepared, SshFailure};
use crate::{Error, Remote};

/// Part of the message of gix-protocol 0.68 (gix 0.90) if [`Connection::authenticate`] returns no credentials. Other errors have
/// the same type, so only the message distinguishes them. If an update changes the message, the test
/// `http::rejected_token_is_reported_without_mentioning_credential_helpers` fails.
const NO_CREDENTIALS: &str = "No credentials were returned";

/// The state of one conversation. The token and all files are read when it starts.
pub(crate) struct Connection<'a> {
    remote: &'a Remote,
    service: Service,
    token: Option<Token>,
    client: Client,
    ssh: Option<Prepared>,
    deadline: Deadline,
}

/// A transport to a remote, for any scheme.
pub(crate) type BoxedTransport = Box<dyn Transport + Send>;

impl<'a> Connection<'a> {
    /// Reads the token and the files, and starts the deadline.
    pub(crate) fn new(
        remote: &'a Remote,
        state: &Path,
        service: Service,
        stop: &Arc<std::sync::atomic::AtomicBool>,
    ) -> Result<Self, Error> {
        let timeouts = remote.timeouts();
        let mut client = Client { timeouts, authorities: Vec::new(), proxies: None, resolver: None };
        let (mut token, mut ssh) = (None, None);
        match remote.url().scheme {
            Scheme::Http | Scheme::Https => {
                token = remote.credentials().token()?;
                client.authorities = remote.authority().map(authorities).transpose()?.unwrap_or_default();
                if remote.url().scheme == Scheme::Https || !is_loopback(remote.url()) {
                    client.proxies = Some(remote.proxies().resolve()?);
                }
                if remote.is_public_only() {
                    client.resolver = Some(Arc::new(PublicOnly::new(remote.proxies().hosts()?)));
                }
            }
            Scheme::Ssh => ssh = Some(remote.ssh().prepare(state)?),
            _ => {}
        }
        Ok(Self { remote, service, token, client, ssh, deadline: Deadline::start(timeouts.operation, stop) })
    }

    /// Allows one request to take as long as the whole operation, for responses as large as a history.
    pub(crate) fn with_long_requests(mut self) -> Self {
        self.client.timeouts.request = self.client.timeouts.operation;
        self
    }

    /// Returns the URL of the remote.
    pub(crate) fn url(&self) -> &gix::Url {
        self.remote.url()
    }

    /// Returns the flag that ends the conversation.
    pub(crate) fn flag(&self) -> &std::sync::atomic::AtomicBool {
        self.deadline.flag()
    }

    /// Opens the transport.
    pub(crate) fn open(&self, url: gix::Url, version: Protocol) -> gix::Result<BoxedTransport> {
        let ssh = program::connect::Options {
            command: self.ssh.as_ref().map(|ssh| ssh.command.clone().into()),
            disallow_shell: false,
            kind: Some(ProgramKind::Ssh),
        };
        connect::connect(url, connect::Options { version, ssh, trace: false })
    }

    /// Returns why the conversation has to end; `None` if it may continue.
    fn ended(&self) -> Option<Error> {
        if self.deadline.is_interrupted() {
            return Some(Error::Interrupted);
        }
        let limit = self.client.timeouts.operation;
        self.deadline.has_expired().then(|| Error::TimedOut { url: self.remote.address(), limit })
    }

    /// Fails if the conversation has to end.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.ended().map_or(Ok(()), Err)
    }

    /// Returns what a failure to read or write a remote on this machine means.
    pub(crate) fn to_local_error(&self, source: gix::Error) -> Error {
        let remote = |source| Error::Remote { url: self.remote.address(), message: String::new(), source };
        self.ended().unwrap_or_else(|| remote(source))
    }

    /// Returns what a failure to read or write the mirror during the conversation means.
    pub(crate) fn to_own_error(&self, operation: &'static str, source: gix::Error) -> Error {
        self.ended().unwrap_or(Error::Repository { operation, source })
    }

    /// Returns what a failure of the conversation means.
    pub(crate) fn to_error(&self, source: gix::Error) -> Error {
        let url = self.remote.address();
        if let Some(ended) = self.ended() {
            return ended;
        }
        if let Some(ssh) = &self.ssh {
            let message = ssh.message();
            return match SshFailure::of(&message) {
                SshFailure::HostKey => Error::HostKey { url, message },
                SshFailure::Unauthorized => Error::Unauthorized { url, message, source },
                SshFailure::Unreachable => Error::Unreachable { url, message, source },
                // ssh reached the repository, so a message from there is not a network problem.
                SshFailure::Unclear if !message.is_empty() => Error::Remote { url, message, source },
                SshFailure::Unclear => classify(url, message, source),
            };
        }
        let message = match self.url().scheme {
            Scheme::Http | Scheme::Https if may_have_message(&source) => {
                let authorization = self.token.as_ref().map(|token| basic(self.remote.user(), token));
                self.redact(&self.client.refusal_message(&url, self.service, authorization.as_deref()))
            }
            _ => String::new(),
        };
        match classify(url, message, source) {
            Error::Unauthorized { url, message, source } if self.token.is_none() && source.is_unauthenticated() => {
                Error::NoToken { url, message }
            }
            Error::Unreachable { url, message, source } => {
                Error::Unreachable { url, message, source: self.redact_error(source) }
            }
            Error::Unauthorized { url, message, source } => {
                Error::Unauthorized { url, message, source: self.redact_error(source) }
            }
            Error::Remote { url, message, source } => Error::Remote { url, message, source: self.redact_error(source) },
            other => other,
        }
    }

    /// Removes the token from text of the remote, so that it may be shown.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.token.as_ref().map_or_else(|| text.to_owned(), |token| token.redact(self.remote.user(), text))
    }

    /// Returns an error of the library, or only its message without the token if it contains the token.
    fn redact_error(&self, source: gix::Error) -> gix::Error {
        let (messages, details) = (messages(&source), format!("{source:?}"));
        // The token was sent and rejected, or a redirect leads where the token must not go.
        if messages.contains(NO_CREDENTIALS) {
            return gix::Error::from_error(std::io::Error::other(
                "the token was rejected, or the remote redirects to another address, where the token is not sent",
            ));
        }
        let redacted = self.redact(&messages);
        let has_no_token = redacted == messages && self.redact(&details) == details;
        if has_no_token { source } else { gix::Error::from_error(std::io::Error::other(redacted)) }
    }

    /// Returns the options of the HTTP client; `None` for other transports.
    pub(crate) fn http_options(&self) -> Option<transport::Options> {
        let loopback = match self.url().scheme {
            Scheme::Https => false,
            Scheme::Http => is_loopback(self.url()),
            _ => return None,
        };
        let client = self.client.clone();
        let backend = transport::reqwest::Options {
            configure_client: Some(Box::new(move |builder| Ok(client.configure(builder)))),
            configure_request: None,
        };
        // The transport refuses to send credentials over plain HTTP, even to this machine, so the header is set explicitly
        // there. With an explicit header, the transport follows no redirect that could leak the token.
        let token = self.token.as_ref().filter(|_| loopback);
        let extra_headers = token.map(|token| format!("Authorization: {}", basic(self.remote.user(), token)));
        let follow_redirects = match self.remote.is_public_only() {
            true => transport::options::FollowRedirects::None,
            false => transport::options::FollowRedirects::default(),
        };
        Some(transport::Options {
            follow_redirects,
            extra_headers: extra_headers.into_iter().collect(),
            backend: Some(Arc::new(Mutex::new(backend))),
            ..transport::Options::default()
        })
    }

    /// Returns the function that provides the token when the remote asks for it.
    ///
    /// Only the remote's own host gets the token, and only over TLS: after a redirect to another host or to plain HTTP, no
    /// token is sent.
    pub(crate) fn authenticate(&self) -> impl FnMut(Action) -> gix::Result<Option<Outcome>> + use<> {
        let account = self.token.as_ref().map(|token| Account {
            username: self.remote.user().to_owned(),
            password: token.0.clone(),
            oauth_refresh_token: None,
        });
        let home = self.url().clone();
        move |action| {
            let Action::Get(context) = action else { return Ok(None) };
            let asking = context.url.as_ref().and_then(|url| gix::url::parse(url).ok());
            let trusted = asking.is_some_and(|url| url.scheme == Scheme::Https && is_same_host(&url, &home));
            let identity = account.clone().filter(|_| trusted);
            Ok(identity.map(|identity| Outcome { identity, next: context.into() }))
        }
    }
}

/// Returns the messages of an error and all its sources.
fn messages(error: &gix::Error) -> String {
    let mut messages = format!("{error:#}");
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        messages.push_str(&format!(": {error}"));
        source = error.source();
    }
    messages
}

fn is_same_host(one: &gix::Url, other: &gix::Url) -> bool {
    one.host() == other.host() && one.port_or_default() == other.port_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use gix::credentials::protocol::Context;

    use super::*;
    use crate::Credentials;

    /// Returns the user name sent with the token when a server at this address asks for it.
    fn asked_by(url: &str) -> Option<String> {
        let credentials = Credentials::TokenFile(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
        let remote = Remote::new("https://git.example.org/config", credentials).unwrap();
        let connection = Connection::new(&remote, Path::new("/nowhere"), Service::UploadPack, &Arc::default()).unwrap();
        let options = connection.http_options().unwrap();
        assert!(options.extra_headers.is_empty(), "over TLS the token is sent only when asked for");
        let context = Context { url: Some(url.into()), ..Context::default() };
        connection.authenticate()(Action::Get(context)).unwrap().map(|outcome| outcome.identity.username)
    }

    #[test]
    fn token_is_sent_only_to_its_own_host_over_tls() {
        assert_eq!(asked_by("https://git.example.org/config").as_deref(), Some("x-access-token"));
        assert_eq!(asked_by("https://git.example.org:443/moved").as_deref(), Some("x-access-token"));
        for url in [
            "http://git.example.org/config",
            "https://git.example.org:8443/config",
            "https://example.org/config",
            "https://git.example.org.evil.example/config",
            "https://git.example.org@evil.example/config",
            "no address",
        ] {
            assert_eq!(asked_by(url), None, "{url}");
        }
    }
}
