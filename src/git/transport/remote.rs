//! The address of a remote repository, and how it is reached.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use gix::url::Scheme;

use super::ssh::Ssh;
use super::timeouts::Timeouts;
use crate::{Credentials, Error, Proxies};

/// A repository that a [`Mirror`](crate::Mirror) follows.
#[derive(Debug, Clone)]
pub struct Remote {
    url: gix::Url,
    user: String,
    credentials: Credentials,
    timeouts: Timeouts,
    authority: Option<PathBuf>,
    proxies: Option<Proxies>,
    is_public_only: bool,
    ssh: Ssh,
}

impl Remote {
    /// Parses an address: a path, a URL with the scheme `file`, `http`, `https` or `ssh`, or the scp form
    /// `git@host:path`.
    ///
    /// A user name in an HTTP URL is sent with the token. Without one, the host name decides which user name the forge
    /// expects: `oauth2` for GitLab, `x-token-auth` for Bitbucket, and `x-access-token` for GitHub and all others;
    /// Gitea and Forgejo accept any.
    ///
    /// # Errors
    /// [`Error::Address`] for anything else and for a URL that contains a password; [`Error::PlainHttp`] if there are
    /// credentials and the address is plain HTTP to another machine.
    pub fn new(address: &str, credentials: Credentials) -> Result<Self, Error> {
        let refuse = |url: &str, why| Error::Address { url: url.to_owned(), why };
        // An invalid address may contain a password anywhere, so none of it is repeated.
        let mut url = gix::url::parse(address).map_err(|_| refuse("...", "it is not a valid URL or path"))?;
        if url.set_password(None).is_some() {
            return Err(refuse(&url.to_string(), "it contains a password: put that into a token file"));
        }
        let mut user = String::new();
        match url.scheme {
            Scheme::File if url.host().is_some() => {
                return Err(refuse(&url.to_string(), "a file URL has no host: write file:///path"));
            }
            Scheme::File | Scheme::Ssh => {}
            // The HTTP client would send a user name in the URL on its own, so remove it.
            Scheme::Http | Scheme::Https => {
                user = url.set_user(None).unwrap_or_else(|| default_user(&url).to_owned());
                if url.scheme == Scheme::Http && credentials != Credentials::None && !is_loopback(&url) {
                    return Err(Error::PlainHttp { url: url.to_string() });
                }
            }
            _ => return Err(refuse(&url.to_string(), "only paths and file, http, https and ssh URLs are supported")),
        }
        let timeouts = Timeouts::default();
        Ok(Self {
            url,
            user,
            credentials,
            timeouts,
            authority: None,
            proxies: None,
            is_public_only: false,
            ssh: Ssh::default(),
        })
    }

    /// Sets the user name to send with the token, which may also be a password.
    pub fn with_user(mut self, user: impl Into<String>) -> Self {
        self.user = user.into();
        self
    }

    /// Sets the time limits.
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Trusts the certificates in a PEM file, in addition to the public ones. The file is read again for every
    /// conversation.
    pub fn with_authority(mut self, path: impl Into<PathBuf>) -> Self {
        self.authority = Some(path.into());
        self
    }

    /// Uses these proxies instead of those from the environment.
    pub fn with_proxies(mut self, proxies: Proxies) -> Self {
        self.proxies = Some(proxies);
        self
    }

    /// Connects only to public addresses, and follows no redirects, which could name a private one. For HTTP remotes whose URL has a name
    /// as its host.
    pub fn with_public_addresses_only(mut self) -> Self {
        self.is_public_only = true;
        self
    }

    /// Uses only this private key for ssh. The user's ssh configuration is then not read, and only known hosts are
    /// accepted.
    pub fn with_key(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.key = Some(path.into());
        self
    }

    /// Accepts an ssh server only if its host key is in this file.
    pub fn with_known_hosts(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.known_hosts = Some(path.into());
        self
    }

    /// Runs this program for ssh. It must accept the options of OpenSSH.
    pub fn with_ssh_program(mut self, path: impl Into<PathBuf>) -> Self {
        self.ssh.program = path.into();
        self
    }

    /// Returns the address, which contains no secret.
    pub fn address(&self) -> String {
        self.url.to_string()
    }

    /// Returns the path of a remote on this machine; `None` if it is reached over a network.
    pub fn local_path(&self) -> Option<PathBuf> {
        if self.url.scheme != Scheme::File {
            return None;
        }
        gix::path::from_bstring(self.url.path.clone()).ok()
    }

    pub(crate) fn url(&self) -> &gix::Url {
        &self.url
    }

    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(crate) fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    pub(crate) fn authority(&self) -> Option<&Path> {
        self.authority.as_deref()
    }

    /// Returns the proxies. The environment is read on each call.
    pub(super) fn proxies(&self) -> Proxies {
        self.proxies.clone().unwrap_or_else(Proxies::from_environment)
    }

    /// Returns `true` if only public addresses are connected to.
    pub(super) fn is_public_only(&self) -> bool {
        self.is_public_only
    }

    pub(super) fn ssh(&self) -> &Ssh {
        &self.ssh
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        self.timeouts
    }
}

/// Returns the user name that a forge expects with a token.
fn default_user(url: &gix::Url) -> &'static str {
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
