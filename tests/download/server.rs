//! Downloads from servers of the tests.

use std::time::Duration;

use tidegate_download::{Access, Credentials, Downloads, Error, Limits};
use tidegate_git::Proxies;

pub(super) use crate::http_server::{Seen, Server, redirect, send};

/// Returns downloads that use a server as their proxy, so that hosts with public names can be simulated.
pub(super) fn through(proxy: &Server) -> Downloads {
    let address = proxy.url("");
    let proxies = Proxies::from_variables(move |name| (name == "HTTP_PROXY").then(|| address.clone()));
    Downloads::new(Access { proxies: Some(proxies), ..access() }).unwrap()
}

fn access() -> Access {
    Access { proxies: Some(Proxies::none()), ..Access::default() }
}

/// Returns downloads without credentials and proxies.
pub(super) fn downloads() -> Downloads {
    Downloads::new(access()).unwrap()
}

/// Returns downloads with credentials.
pub(super) fn downloads_with(netrc: &str) -> Downloads {
    Downloads::new(Access { credentials: Credentials::parse(netrc).unwrap(), ..access() }).unwrap()
}

/// Returns downloads with small limits.
pub(super) fn limited(bytes: u64, milliseconds: u64) -> Downloads {
    let limits = Limits { bytes, time: Duration::from_millis(milliseconds) };
    Downloads::new(Access { limits, ..access() }).unwrap()
}

/// Returns what a user reads of an error.
pub(super) fn shown<T>(outcome: Result<T, Error>) -> String {
    super::redacted::redacted(&outcome.map(|_| "no error").unwrap_err().to_string())
}
