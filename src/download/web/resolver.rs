//! Resolves the names of hosts that a server named: only public addresses count.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_private;

/// A resolver that refuses names of private addresses. What it returns is what the client connects to, so an answer that changes
/// between the check and the connection makes no difference.
pub(super) struct PublicOnly {
    /// The hosts of the proxies, which are usually private. A proxy decides itself where it connects to.
    pub(super) proxies: Vec<String>,
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
        let why = "the name leads into a private network, and the declared host is public";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    Ok(Box::new(all.into_iter()))
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
}
