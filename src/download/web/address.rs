//! Addresses, and which of them a download may contact.
//!
//! The repository may declare any address, also one in the own network. What a server names (the target of a redirect, the archive
//! of a chart, the issuer of a token) is not declared, and reviewed by no one. So it must be public, unless the declared host is
//! private itself.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs as _};

use reqwest::Url;

use crate::Error;

/// Why an address may be contacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It is declared, or on the host that is.
    Declared,
    /// A server named it.
    Named,
}

/// An address that may be contacted, and the declared one that led to it.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) trust: Trust,
    declared: Url,
}

impl Target {
    /// Parses a declared address.
    ///
    /// # Errors
    /// [`Error::Address`] if it is not an address of HTTP, or contains credentials.
    pub(crate) fn declared(text: &str) -> Result<Self, Error> {
        let url = declared(text)?;
        Ok(Self { declared: url.clone(), url, trust: Trust::Declared })
    }

    /// Returns the address that a server named at this one.
    ///
    /// # Errors
    /// [`Error::Redirect`] if it is not followed.
    pub(crate) fn lead(&self, reference: &str) -> Result<Self, Error> {
        let (url, trust) = named(&self.declared, &self.url, reference)?;
        Ok(Self { url, trust, declared: self.declared.clone() })
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

fn named(declared: &Url, from: &Url, reference: &str) -> Result<(Url, Trust), Error> {
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
        return Ok((url, Trust::Declared));
    }
    if literal(&url).is_some_and(is_private) || is_local_name(&url) {
        if !is_private_host(declared) {
            return Err(refuse(target, "the declared host is public, and the target is in a private network"));
        }
        return Ok((url, Trust::Declared));
    }
    // The names of an internal network lead to private addresses.
    let trust = if is_private_host(declared) { Trust::Declared } else { Trust::Named };
    Ok((url, trust))
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

/// Returns `true` if a host is in a private network, by its address or by its name. A name that cannot be resolved here is public.
fn is_private_host(url: &Url) -> bool {
    if let Some(address) = literal(url) {
        return is_private(address);
    }
    let port = url.port_or_known_default().unwrap_or(443);
    let found = (url.host_str().unwrap_or_default(), port).to_socket_addrs();
    is_local_name(url) || found.is_ok_and(|mut all| all.any(|address| is_private(address.ip())))
}

/// Returns `true` if an address is not one of the public Internet.
///
/// # Source
/// The registries of special-purpose addresses of IANA (RFC 6890), as far as requests to them could reach something.
pub(super) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || first == 0
        || first >= 240
        || (first == 100 && second & 0xc0 == 64)
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && second & 0xfe == 18)
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let embedded = address.to_ipv4_mapped().or_else(|| {
        // 64:ff9b::/96 and 2002::/16 lead to the IPv4 address that they contain.
        let parts = address.segments();
        let of = |high: u16, low: u16| {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            Ipv4Addr::new(a, b, c, d)
        };
        match parts {
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => Some(of(high, low)),
            _ => None,
        }
    });
    embedded.is_some_and(is_private_v4)
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_recognized_in_every_form() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "::1",
            "::",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "224.0.0.1",
            "255.255.255.255",
        ] {
            assert!(is_private(private.parse().unwrap()), "{private}");
        }
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1", "64:ff9b::808:808", "198.20.0.1"] {
            assert!(!is_private(public.parse().unwrap()), "{public}");
        }
    }

    fn follow(declared: &str, reference: &str) -> Result<Trust, String> {
        let declared = Url::parse(declared).unwrap();
        named(&declared, &declared, reference).map(|(_, trust)| trust).map_err(|error| error.to_string())
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
