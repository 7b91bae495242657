//! Which addresses are public, and a resolver that returns no others.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// A resolver that refuses names of private addresses. What it returns is what the client connects to, so an answer that changes
/// between the check and the connection makes no difference.
#[derive(Debug, Clone)]
pub struct PublicOnly {
    proxies: Vec<String>,
}

impl PublicOnly {
    /// Creates a resolver. `proxies` are the hosts of the proxies, which are usually private. A proxy decides itself where it connects to.
    pub fn new(proxies: Vec<String>) -> Self {
        Self { proxies }
    }
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let is_proxy = self.proxies.iter().any(|proxy| proxy == name.as_str());
        Box::pin(std::future::ready(resolved(name.as_str(), is_proxy).map_err(Into::into)))
    }
}

/// Looks up a name. Blocks, on the thread of a client that has one request at a time.
fn resolved(name: &str, is_proxy: bool) -> io::Result<Addrs> {
    let all: Vec<SocketAddr> = (name, 0).to_socket_addrs()?.collect();
    if !is_proxy && all.iter().any(|address| is_private(address.ip())) {
        let why = "the name leads into a private network, and the repository does not declare this host";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    Ok(Box::new(all.into_iter()))
}

/// Returns `true` if an address is not one of the public Internet.
///
/// # Source
/// The registries of special-purpose addresses of IANA (RFC 6890), as far as requests to them could reach something.
pub fn is_private(address: IpAddr) -> bool {
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
    fn private_names_resolve_only_for_proxies() {
        let refusal = resolved("localhost", false).map(drop).unwrap_err();
        assert!(refusal.to_string().starts_with("the name leads into a private network"), "{refusal}");
        assert!(resolved("localhost", true).unwrap().all(|address| address.ip().is_loopback()));
    }

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
}
