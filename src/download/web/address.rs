//! Addresses, and which of them a download may contact.
//!
//! The repository may declare any address, also one in the own network. What a server names (the target of a redirect, the archive
//! of a chart, the issuer of a token) is not declared, and reviewed by no one. So it must be public, unless the declared host is
//! private itself.

use std::net::{IpAddr, ToSocketAddrs as _};

use reqwest::Url;
use tidegate_git::is_private;

use crate::Error;

/// Why an address may be contacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It is declared, or on the host that is.
    Declared,
    /// A server named it.
    Named,
}

/// Which servers may be contacted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reach {
    /// All of them, with their credentials: the repository declares what is fetched.
    #[default]
    Declared,
    /// Public ones only, without credentials: something that was fetched before declares it.
    Public,
}

/// An address that may be contacted, and the declared one that led to it.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) trust: Trust,
    declared: Url,
    reach: Reach,
    /// The address of the server that answered for the declared host.
    peer: Option<IpAddr>,
}

impl Target {
    /// Parses a declared address.
    ///
    /// # Errors
    /// [`Error::Address`] if it is not an address of HTTP, contains credentials, or is private and out of reach.
    pub(crate) fn new(text: &str, reach: Reach) -> Result<Self, Error> {
        let url = declared(text)?;
        let trust = match reach {
            Reach::Declared => Trust::Declared,
            Reach::Public if is_private_by_name(&url) => {
                let why = "it is in a private network, and only something that was fetched names it; if that is meant, name a source on \
                           that host in a file of the repository";
                return Err(Error::Address { address: shown(text), why: why.to_owned() });
            }
            Reach::Public => Trust::Named,
        };
        Ok(Self { declared: url.clone(), url, trust, reach, peer: None })
    }

    /// Returns the address that a server named at this one.
    ///
    /// # Errors
    /// [`Error::Redirect`] if it is not followed.
    pub(crate) fn lead(&self, reference: &str) -> Result<Self, Error> {
        let (url, trust) = self.named(reference)?;
        Ok(Self { url, trust, ..self.clone() })
    }

    /// Records which server answered.
    pub(crate) fn answered(&mut self, peer: Option<IpAddr>) {
        if self.url.host() == self.declared.host() {
            self.peer = peer;
        }
    }

    /// Takes over which server answered at another address with the same declared one.
    pub(crate) fn learn(&mut self, other: &Self) {
        self.peer = other.peer.or(self.peer);
    }

    /// Returns `true` if the declared host is in a private network, so that it may lead to others there.
    fn is_internal(&self) -> bool {
        if self.reach == Reach::Public {
            return false;
        }
        is_private_by_name(&self.declared)
            || match self.peer {
                // What a name means may have changed since the answer.
                Some(peer) => is_private(peer),
                None => resolves_to_private(&self.declared),
            }
    }

    fn named(&self, reference: &str) -> Result<(Url, Trust), Error> {
        let (declared, from) = (&self.declared, &self.url);
        let refuse =
            |target: String, why: &str| Error::Redirect { address: display(declared), target, why: why.to_owned() };
        let Ok(url) = from.join(reference) else {
            return Err(refuse("somewhere else".to_owned(), "the server sent an address that is not valid"));
        };
        let target = if url.has_host() { origin(&url) } else { format!("{}:", url.scheme()) };
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(refuse(target, "only http and https are supported"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse(target, "the address contains a user name or password"));
        }
        if from.scheme() == "https" && url.scheme() == "http" {
            return Err(refuse(target, "it leaves https"));
        }
        if url.host() == declared.host() {
            let trust = match self.reach {
                Reach::Declared => Trust::Declared,
                Reach::Public => Trust::Named,
            };
            return Ok((url, trust));
        }
        if is_private_by_name(&url) {
            if !self.is_internal() {
                return Err(refuse(target, "the declared host is public, and the target is in a private network"));
            }
            return Ok((url, Trust::Declared));
        }
        // The names of an internal network lead to private addresses.
        let trust = if self.is_internal() { Trust::Declared } else { Trust::Named };
        Ok((url, trust))
    }

    /// Returns the declared address, for messages.
    pub(crate) fn shown(&self) -> String {
        display(&self.declared)
    }

    /// Returns the error of a redirect that is not followed.
    pub(super) fn refused(&self, why: &str) -> Error {
        Error::Redirect { address: self.shown(), target: origin(&self.url), why: why.to_owned() }
    }
}

fn declared(text: &str) -> Result<Url, Error> {
    let refuse = |why: &str| Error::Address { address: shown(text), why: why.to_owned() };
    let url = Url::parse(text).map_err(|error| refuse(&format!("{error}; write https://host/path")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refuse("only http and https are supported; write https://host/path"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("it contains a user name or password; write them into the file of --credentials-file"));
    }
    Ok(url)
}

/// Returns `true` if what is sent to this address stays on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    url.host_str() == Some("localhost") || literal(url).is_some_and(|address| address.is_loopback())
}

/// Returns scheme, host and port.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Returns an address without its query, which may contain secrets.
fn display(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// Returns an address that cannot be parsed, as far as it contains no secrets.
fn shown(text: &str) -> String {
    let text = text.split(['?', '#']).next().unwrap_or_default();
    match text.split_once("://").map(|(scheme, rest)| (scheme, rest.rsplit_once('@'))) {
        Some((scheme, Some((_, host)))) => format!("{scheme}://{host}"),
        _ => text.to_owned(),
    }
}

/// Returns the address of a host that is written as one.
fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

fn is_local_name(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    host == "localhost" || host.ends_with(".localhost")
}

/// Returns `true` if the host of an address is private without a look-up: by its address, or because it is a name of this machine.
fn is_private_by_name(url: &Url) -> bool {
    literal(url).is_some_and(is_private) || is_local_name(url)
}

/// Returns `true` if a name has addresses, and all of them are private: its owner may add some to a name of public ones.
fn resolves_to_private(url: &Url) -> bool {
    let port = url.port_or_known_default().unwrap_or(443);
    let found = (url.host_str().unwrap_or_default(), port).to_socket_addrs();
    found.is_ok_and(|found| {
        let all: Vec<IpAddr> = found.map(|address| address.ip()).collect();
        !all.is_empty() && all.into_iter().all(is_private)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(declared: &str, reference: &str) -> Result<Trust, String> {
        Target::new(declared, Reach::Declared)
            .and_then(|target| target.lead(reference))
            .map(|target| target.trust)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_public_host_does_not_lead_into_a_private_network() {
        for target in [
            "http://127.0.0.1/x",
            "http://localhost:80/",
            "http://a.localhost/",
            "http://169.254.169.254/latest/meta-data",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://10.0.0.1/",
        ] {
            let refusal = follow("http://8.8.8.8/x", target).unwrap_err();
            assert!(
                refusal.ends_with("the declared host is public, and the target is in a private network"),
                "{refusal}"
            );
        }
        assert_eq!(follow("http://8.8.8.8/x", "http://8.8.4.4/y"), Ok(Trust::Named));
        assert_eq!(follow("http://8.8.8.8/x", "/y"), Ok(Trust::Declared));
        assert_eq!(follow("http://127.0.0.1:1/x", "http://127.0.0.1:2/y"), Ok(Trust::Declared));
        assert_eq!(follow("http://10.0.0.1/x", "http://10.0.0.2/y"), Ok(Trust::Declared));
    }

    #[test]
    fn a_public_server_does_not_become_private_by_a_name_that_also_has_a_private_address() {
        let mut target = Target::new("http://localhost./x", Reach::Declared).unwrap();
        target.declared = Url::parse("http://declared.test/x").unwrap();
        target.url = target.declared.clone();
        target.answered(Some("8.8.8.8".parse().unwrap()));
        assert!(target.lead("http://10.0.0.1/").is_err());
        assert_eq!(target.lead("http://other.test/").unwrap().trust, Trust::Named);
        target.answered(Some("10.0.0.9".parse().unwrap()));
        assert_eq!(target.lead("http://10.0.0.1/").unwrap().trust, Trust::Declared);
    }

    #[test]
    fn what_only_something_fetched_names_is_public_and_stays_so_after_redirects() {
        for private in
            ["http://169.254.169.254/latest", "https://localhost/x", "http://[::1]/", "http://10.0.0.1:8080/"]
        {
            let refusal = Target::new(private, Reach::Public).map(drop).unwrap_err().to_string();
            assert!(
                refusal.contains("it is in a private network, and only something that was fetched names it"),
                "{refusal}"
            );
        }
        let mut target = Target::new("https://charts.test/index.yaml", Reach::Public).unwrap();
        target.answered(Some("10.0.0.1".parse().unwrap()));
        assert_eq!(target.trust, Trust::Named);
        assert_eq!(target.lead("/moved/index.yaml").unwrap().trust, Trust::Named);
        assert!(target.lead("https://10.0.0.2/").is_err());
    }

    #[test]
    fn other_schemes_credentials_and_the_way_out_of_https_are_refused() {
        for (declared, target, why) in [
            ("https://8.8.8.8/x", "http://8.8.8.8/x", "it leaves https"),
            ("https://8.8.8.8/x", "file:///etc/passwd", "file:, which is not followed: only http and https"),
            ("https://8.8.8.8/x", "https://ann:secret@8.8.4.4/", "contains a user name or password"),
            ("https://8.8.8.8/x", "https://[", "not valid"),
        ] {
            let refusal = follow(declared, target).unwrap_err();
            assert!(refusal.contains(why) && !refusal.contains("secret"), "{refusal}");
        }
    }

    #[test]
    fn declared_addresses_contain_no_credentials() {
        for text in ["https://ann:secret@example.com/x", "ftp://ann:secret@example.com", "https://ann:secret@[/x"] {
            let refusal = declared(text).unwrap_err().to_string();
            assert!(!refusal.contains("secret"), "{refusal}");
        }
        assert_eq!(declared("HTTPS://Example.com/a?b=c").unwrap().as_str(), "https://example.com/a?b=c");
    }
}
