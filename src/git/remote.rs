//! The address of a remote repository, who asks, and how long an answer may take.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gix::url::Scheme;

use super::ssh::Ssh;
use super::{Credentials, Error, Proxies};

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
    authority: Option<PathBuf>,
    proxies: Option<Proxies>,
    ssh: Ssh,
}

impl Remote {
    /// Reads an address: a path, or a URL with the scheme `file`, `http`, `https` or `ssh`, also as `git@host:path`.
    ///
    /// A user name in an HTTP URL is the one that is sent with the token. Without one it is what the forge expects, by
    /// the name of the host: `oauth2` for GitLab, `x-token-auth` for Bitbucket, and `x-access-token` for GitHub and all
    /// others; Gitea and Forgejo take any.
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
        let mut user = String::new();
        match url.scheme {
            Scheme::File if url.host().is_some() => {
                return Err(refuse(&url.to_string(), "a file URL names no host: write file:///path"));
            }
            Scheme::File | Scheme::Ssh => {}
            // The HTTP client would send a user name in the URL by itself, so it is taken out.
            Scheme::Http | Scheme::Https => {
                user = url.set_user(None).unwrap_or_else(|| usual_user(&url).to_owned());
                if url.scheme == Scheme::Http && credentials != Credentials::None && !is_loopback(&url) {
                    return Err(Error::PlainHttp { url: url.to_string() });
                }
            }
            _ => return Err(refuse(&url.to_string(), "only paths, file, http, https and ssh are followed")),
        }
        let timeouts = Timeouts::default();
        Ok(Self { url, user, credentials, timeouts, authority: None, proxies: None, ssh: Ssh::default() })
    }

    /// Sends this user name with the token, which may as well be a password.
    pub fn with_user(mut self, user: impl Into<String>) -> Self {
        self.user = user.into();
        self
    }

    /// Waits as long as these say.
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Trusts the certificates in a PEM file on top of the public ones. It is read again for every conversation.
    pub fn with_authority(mut self, path: impl Into<PathBuf>) -> Self {
        self.authority = Some(path.into());
        self
    }

    /// Uses these proxies, whatever the environment says.
    pub fn with_proxies(mut self, proxies: Proxies) -> Self {
        self.proxies = Some(proxies);
        self
    }

    /// Shows this private key to an ssh server, and no other one. The configuration of the user for ssh is not read
    /// then, and only hosts that are known are spoken to.
    pub fn with_key(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.key = Some(path.into());
        self
    }

    /// Speaks to an ssh server only if its key is in this file.
    pub fn with_known_hosts(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.known_hosts = Some(path.into());
        self
    }

    /// Runs this program for ssh. It must take the options of OpenSSH.
    pub fn with_ssh_program(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.program = path.into();
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

    pub(super) fn authority(&self) -> Option<&Path> {
        self.authority.as_deref()
    }

    /// Returns the proxies; the environment is read each time.
    pub(super) fn proxies(&self) -> Proxies {
        self.proxies.clone().unwrap_or_else(Proxies::from_environment)
    }

    pub(super) fn ssh(&self) -> &Ssh {
        &self.ssh
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }
}

/// Returns the user name that a forge expects beside a token.
fn usual_user(url: &gix::Url) -> &'static str {
    let host = url.host().unwrap_or_default().to_lowercase();
    let is = |forge: &str| host.split('.').any(|part| part.split('-').any(|word| word == forge));
    if is("gitlab") {
        "oauth2"
    } else if is("bitbucket") {
        "x-token-auth"
    } else {
        "x-access-token"
    }
}

/// Returns `true` if what is sent to this address stays on this machine.
pub(super) fn is_loopback(url: &gix::Url) -> bool {
    let host = url.host().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_is_what_the_forge_expects() {
        for (address, user) in [
            ("https://github.com/x/y", "x-access-token"),
            ("https://gitlab.com/x/y", "oauth2"),
            ("https://GitLab.corp.example/x/y", "oauth2"),
            ("https://my-gitlab.example/x/y", "oauth2"),
            ("https://notgitlab.example/x/y", "x-access-token"),
            ("https://bitbucket.org/x/y", "x-token-auth"),
            ("https://codeberg.org/x/y", "x-access-token"),
            ("https://ann@gitlab.com/x/y", "ann"),
        ] {
            assert_eq!(Remote::new(address, Credentials::None).unwrap().user(), user, "{address}");
        }
    }
}
