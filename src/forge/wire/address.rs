//! Addresses of an API, and which ones requests may go to.

use std::net::IpAddr;

use reqwest::Url;

use crate::error::{Error, Result};

/// The base address of an API.
#[derive(Debug, Clone)]
pub(crate) struct Address(Url);

impl Address {
    /// Checks the base address of an API.
    ///
    /// # Errors
    /// [`Error::Settings`] if it is not the address of an HTTP server, if it contains more than a path, or if a token would travel
    /// in clear text.
    pub(crate) fn new(url: &Url) -> Result<Self> {
        let origin = url.origin().ascii_serialization();
        let refused =
            |why: &str| Err(Error::Settings(format!("the address of the forge ({origin}) cannot be used: {why}")));
        if !matches!(url.scheme(), "http" | "https") || url.cannot_be_a_base() || !url.has_host() {
            return refused("write an address that starts with https://");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refused("it contains a user name or password; write the token into a file");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refused("it has a query or fragment; write scheme, host and path only");
        }
        if url.scheme() == "http" && !is_loopback(url) {
            return refused("a token is not sent over plain http; use https");
        }
        let mut base = url.clone();
        if let Ok(mut segments) = base.path_segments_mut() {
            segments.pop_if_empty();
        }
        Ok(Self(base))
    }

    /// Returns an address below the base. Each part is one segment of the path, and is encoded as such.
    pub(crate) fn at(&self, parts: &[&str]) -> Url {
        let mut url = self.0.clone();
        // Only addresses without a host have no segments, and `new` refuses them.
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.extend(parts);
        }
        url
    }

    /// Returns an address with a query.
    pub(crate) fn with(&self, parts: &[&str], query: &[(&str, &str)]) -> Url {
        let mut url = self.at(parts);
        url.query_pairs_mut().extend_pairs(query);
        url
    }

    /// Returns the address that the forge refers to.
    ///
    /// # Errors
    /// [`Error::Garbage`] if it is not of the same origin: the token must not be sent there.
    pub(crate) fn same_origin(&self, from: &Url, reference: &str, what: &str) -> Result<Url> {
        let invalid = || Error::Garbage(format!("{what} of the forge is not an address"));
        let mut url = from.join(reference).map_err(|_| invalid())?;
        url.set_fragment(None);
        let has_user = !url.username().is_empty() || url.password().is_some();
        if url.origin() != self.0.origin() || has_user {
            let (there, here) = (url.origin().ascii_serialization(), self.0.origin().ascii_serialization());
            return Err(Error::Garbage(format!(
                "{what} of the forge leads from {here} to {there}, where the token is not sent; if the forge moved, change its address in the configuration"
            )));
        }
        Ok(url)
    }

    /// Returns scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

/// Returns `true` if the server is on this machine.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
