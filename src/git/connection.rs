//! One conversation with a remote: how HTTP is configured, and who gets to see the token.

use std::sync::{Arc, Mutex};

use gix::credentials::helper::Action;
use gix::credentials::protocol::Outcome;
use gix::protocol::transport::client::blocking_io::http;
use gix::sec::identity::Account;
use gix::url::Scheme;

use super::credentials::{Token, basic};
use super::deadline::Deadline;
use super::remote::is_loopback;
use super::{Error, Remote, Timeouts};

/// What one conversation needs, with the token as it is at its start.
pub(super) struct Connection<'a> {
    remote: &'a Remote,
    token: Option<Token>,
    timeouts: Timeouts,
    deadline: Deadline,
}

impl<'a> Connection<'a> {
    /// Reads the token and starts the clock.
    pub(super) fn new(remote: &'a Remote, stop: &Arc<std::sync::atomic::AtomicBool>) -> Result<Self, Error> {
        let is_http = matches!(remote.url().scheme, Scheme::Http | Scheme::Https);
        let token = if is_http { remote.credentials().token()? } else { None };
        let timeouts = remote.timeouts();
        Ok(Self { remote, token, timeouts, deadline: Deadline::start(timeouts.operation, stop) })
    }

    /// Lets one request take as long as the whole, for answers that are as large as a history.
    pub(super) fn patient(mut self) -> Self {
        self.timeouts.request = self.timeouts.operation;
        self
    }

    /// Returns the address to speak to.
    pub(super) fn url(&self) -> &gix::Url {
        self.remote.url()
    }

    /// Returns the flag that ends the conversation.
    pub(super) fn flag(&self) -> &std::sync::atomic::AtomicBool {
        self.deadline.flag()
    }

    /// Says what a failure of the conversation means.
    pub(super) fn error(&self, source: gix::Error) -> Error {
        let url = self.remote.address();
        if self.deadline.is_interrupted() {
            Error::Interrupted
        } else if self.deadline.is_over() {
            Error::TimedOut { url, limit: self.timeouts.operation }
        } else {
            Error::conversation(url, source)
        }
    }

    /// Returns the options of the HTTP client; `None` for other transports.
    pub(super) fn http_options(&self) -> gix::Result<Option<http::Options>> {
        let loopback = match self.url().scheme {
            Scheme::Https => false,
            Scheme::Http => is_loopback(self.url()),
            _ => return Ok(None),
        };
        // The client asks for the process-wide provider and panics without one; the first one to install it wins.
        rustls::crypto::ring::default_provider().install_default().ok();
        let timeouts = self.timeouts;
        let backend = http::reqwest::Options {
            // The transport knows no timeout but its own for connecting, and no option for proxies.
            configure_client: Some(Box::new(move |client| {
                let client = client.connect_timeout(timeouts.connect).timeout(timeouts.request);
                Ok(if loopback { client.no_proxy() } else { client })
            })),
            configure_request: None,
        };
        // The transport itself refuses to send credentials over plain HTTP, even to this machine, so there the header
        // is set by hand. With a header set by hand it follows no redirect that could carry the token away.
        let token = self.token.as_ref().filter(|_| loopback);
        let extra_headers = token.map(|token| format!("Authorization: {}", basic(self.remote.user(), token)));
        Ok(Some(http::Options {
            extra_headers: extra_headers.into_iter().collect(),
            backend: Some(Arc::new(Mutex::new(backend))),
            ..http::Options::default()
        }))
    }

    /// Returns the function that hands out the token when the remote asks for it.
    ///
    /// Only the host that the token is meant for gets it, and only over TLS: a redirect to another host, or to plain
    /// HTTP, is answered with nothing.
    pub(super) fn authenticate(&self) -> impl FnMut(Action) -> gix::Result<Option<Outcome>> + use<> {
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

fn is_same_host(one: &gix::Url, other: &gix::Url) -> bool {
    one.host() == other.host() && one.port_or_default() == other.port_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use gix::credentials::protocol::Context;

    use super::*;
    use crate::git::Credentials;

    /// Returns whom the token is handed to when a server at this address asks for it.
    fn asked_by(url: &str) -> Option<String> {
        let credentials = Credentials::TokenFile(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
        let remote = Remote::new("https://git.example.org/config", credentials).unwrap();
        let connection = Connection::new(&remote, &Arc::default()).unwrap();
        let options = connection.http_options().unwrap().unwrap();
        assert!(options.extra_headers.is_empty(), "over TLS the token waits until it is asked for");
        let context = Context { url: Some(url.into()), ..Context::default() };
        connection.authenticate()(Action::Get(context)).unwrap().map(|outcome| outcome.identity.username)
    }

    #[test]
    fn token_goes_to_its_own_host_over_tls_only() {
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
