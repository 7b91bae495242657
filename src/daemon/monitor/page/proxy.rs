//! Readers for whom a proxy vouches: it has authenticated them, and says in headers who they are.

use std::collections::BTreeSet;
use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, StatusCode};
use ipnet::IpNet;

/// The proxies that vouch for readers, and which readers may see the page.
#[derive(Debug, Clone)]
pub struct Proxy {
    addresses: Vec<IpNet>,
    user: HeaderName,
    groups: HeaderName,
    allowed: BTreeSet<String>,
}

/// The settings of a proxy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidProxy {
    /// No address is given, so no proxy could vouch for anyone.
    #[error("names no address; for example addresses = [\"10.0.0.7\", \"10.1.0.0/16\"]")]
    NoAddress,
    /// An address cannot be read.
    #[error("{address:?} is not an address or a network of IPv4 or IPv6; for example 10.0.0.7 or 10.1.0.0/16")]
    Address {
        /// The text.
        address: String,
    },
    /// A network contains all addresses, so that every reader could claim to be anyone.
    #[error(
        "{address:?} contains every address, so every reader could claim to be anyone; name the addresses of the proxy"
    )]
    Everyone {
        /// The text.
        address: String,
    },
    /// A header has an impossible name.
    #[error("{header:?} is not the name of a header; for example X-Forwarded-User")]
    Header {
        /// The name.
        header: String,
    },
    /// No reader could be in a group with this name.
    #[error(
        "{group:?} cannot be the name of a group: groups are separated by commas, and spaces around them do not count"
    )]
    Group {
        /// The name.
        group: String,
    },
}

impl Proxy {
    /// Returns the proxies with these addresses, which name a reader in the header `user`, and the reader's groups in the header `groups`. If
    /// `allowed` contains groups, only their members may see the page.
    ///
    /// # Errors
    /// [`InvalidProxy`] if an address or a header cannot be used.
    pub fn new(addresses: &[String], user: &str, groups: &str, allowed: &[String]) -> Result<Self, InvalidProxy> {
        if addresses.is_empty() {
            return Err(InvalidProxy::NoAddress);
        }
        let addresses = addresses.iter().map(|address| network(address)).collect::<Result<_, _>>()?;
        if let Some(group) =
            allowed.iter().find(|group| group.is_empty() || group.contains(',') || group.trim() != **group)
        {
            return Err(InvalidProxy::Group { group: group.clone() });
        }
        let header = |name: &str| name.parse().map_err(|_| InvalidProxy::Header { header: name.to_owned() });
        Ok(Self { addresses, user: header(user)?, groups: header(groups)?, allowed: allowed.iter().cloned().collect() })
    }

    /// Returns whether a request may see the page. `peer` is who has connected; it is never read from the request.
    ///
    /// # Errors
    /// The status and the reason if it may not.
    pub(super) fn permit(&self, headers: &HeaderMap, peer: Option<IpAddr>) -> Result<(), (StatusCode, String)> {
        let is_proxy = |peer: IpAddr| self.addresses.iter().any(|network| network.contains(&peer.to_canonical()));
        if !peer.is_some_and(is_proxy) {
            let why = "the page is served only through its proxy; this connection comes from another address";
            return Err((StatusCode::FORBIDDEN, why.to_owned()));
        }
        let mut users = headers.get_all(&self.user).iter();
        let user = users.next().and_then(|user| user.to_str().ok()).map(str::trim).unwrap_or_default();
        if user.is_empty() || users.next().is_some() {
            let why = format!("the proxy did not say who you are: the header {} is missing or ambiguous", self.user);
            return Err((StatusCode::FORBIDDEN, why));
        }
        // Of several headers, it is not known which one the proxy has written.
        let mut all = headers.get_all(&self.groups).iter();
        let groups = all.next().and_then(|groups| groups.to_str().ok()).filter(|_| all.next().is_none());
        let mut groups = groups.unwrap_or_default().split(',').map(str::trim);
        if self.allowed.is_empty() || groups.any(|group| self.allowed.contains(group)) {
            return Ok(());
        }
        Err((StatusCode::FORBIDDEN, format!("{user} is in no group that may see the page")))
    }
}

/// Reads an address or a network.
fn network(text: &str) -> Result<IpNet, InvalidProxy> {
    let address = || text.to_owned();
    let single = text.parse::<IpAddr>().map(|ip| IpNet::from(ip.to_canonical()));
    let network = single.or_else(|_| text.parse::<IpNet>());
    let is_mapped =
        |network: &IpNet| matches!(network, IpNet::V6(network) if network.addr().to_ipv4_mapped().is_some());
    // Peers are compared as IPv4 addresses if that is what they are.
    let network = network.ok().filter(|network| !is_mapped(network));
    let network = network.ok_or_else(|| InvalidProxy::Address { address: address() })?;
    if network.prefix_len() == 0 { Err(InvalidProxy::Everyone { address: address() }) } else { Ok(network) }
}
