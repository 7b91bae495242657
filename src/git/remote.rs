//! The address of a remote repository, who asks, and how long an answer may take.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use gix::url::Scheme;

use super::{Credentials, Error};

/// How long a conversation with a remote may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The longest wait for an HTTP connection.
    pub connect: Duration,
    /// The longest time for one HTTP request with its answer, the pack included.
    pub request: Duration,
    /// The longest time for one whole fetch or push.
    pub operation: Duration,
}

impl Default for Timeouts {
    /// Returns ten seconds for the connection, a minute for a request, and five minutes, which are five full requests,
    /// for the whole.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), request: Duration::from_secs(60), operation: Duration::from_secs(300) }
    }
}

/// A repository that a [`Mirror`](super::Mirror) follows.
#[derive(Debug, Clone)]
pub struct Remote {
    url: gix::Url,
    user: String,
    credentials: Credentials,
    timeouts: Timeouts,
}

impl Remote {
    /// Reads an address: a path, or a URL with the scheme `file`, `http`, `https` or `ssh`, also as `git@host:path`.
    ///
    /// A user name in an HTTP URL is the one that is sent with the token, `x-access-token` otherwise.
    ///
    /// # Errors
    /// [`Error::Address`] for anything else and for a URL that holds a password; [`Error::PlainHttp`] if there are
    /// credentials and the address is plain HTTP to a host other than this one.
    pub fn new(address: &str, credentials: Credentials) -> Result<Self, Error> {
        let refuse = |url: &str, why| Error::Address { url: url.to_owned(), why };
        // An address that cannot be read may hold a password anywhere, so none of it is repeated.
        let mut url = gix::url::parse(address).map_err(|_| refuse("...", "it cannot be read as a URL or path"))?;
        if url.set_password(None).is_some() {
            return Err(refuse(&url.to_string(), "it holds a password, which belongs into a token file"));
        }
        match url.scheme {
            Scheme::File if url.host().is_some() => {
                return Err(refuse(&url.to_string(), "a file URL names no host: write file:///path"));
            }
            Scheme::File | Scheme::Ssh => {}
            // The HTTP client would send a user name in the URL by itself, so it is taken out.
            Scheme::Http | Scheme::Https => {
                let user = url.set_user(None).unwrap_or_else(|| "x-access-token".to_owned());
                if url.scheme == Scheme::Http && credentials != Credentials::None && !is_loopback(&url) {
                    return Err(Error::PlainHttp { url: url.to_string() });
                }
                return Ok(Self { url, user, credentials, timeouts: Timeouts::default() });
            }
            _ => return Err(refuse(&url.to_string(), "only paths, file, http, https and ssh are followed")),
        }
        Ok(Self { url, user: String::new(), credentials, timeouts: Timeouts::default() })
    }

    /// Sends this user name with the token.
    pub fn with_user(mut self, user: impl Into<String>) -> Self {
        self.user = user.into();
        self
    }

    /// Waits as long as these say.
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Returns the address, which holds no secret.
    pub fn address(&self) -> String {
        self.url.to_string()
    }

    /// Returns the path of a remote on this machine, `None` for one that is reached over a network.
    pub fn local_path(&self) -> Option<PathBuf> {
        if self.url.scheme != Scheme::File {
            return None;
        }
        gix::path::from_bstring(self.url.path.clone()).ok()
    }

    pub(super) fn url(&self) -> &gix::Url {
        &self.url
    }

    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(super) fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }
}

/// Returns whether what is sent to this address stays on this machine.
pub(super) fn is_loopback(url: &gix::Url) -> bool {
    let host = url.host().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
