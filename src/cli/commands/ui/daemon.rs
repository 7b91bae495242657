//! The page of the daemon.

use std::net::SocketAddr;
use std::path::Path;

use tokio::net::TcpListener;

use super::archive::JournalArchive;
use super::run::access;
use crate::cli::compose::Source;
use crate::cli::config::{Page, PageProxy, PageTls};
use crate::cli::failure::Failure;
use tidegate_daemon::monitor::Tls;
use tidegate_daemon::monitor::page::{Access, Pages, Proxy};

/// Returns the page of a daemon that keeps its mirror in a directory, and who may see it; `None` if other machines can reach the address and
/// there is neither a token nor a proxy.
///
/// # Errors
/// [`Failure::Usage`] if the token or the proxy cannot be used.
pub(crate) fn daemon_page(
    listener: Option<&TcpListener>,
    mirror: &Path,
    source: &Source,
) -> Result<Option<(Pages, Access)>, Failure> {
    let address = listener.map(TcpListener::local_addr).transpose().map_err(|error| Failure::internal(&error))?;
    let access = address.map(|address| permitted(address, &source.file.page)).transpose()?.flatten();
    if access.is_none() && source.file.page.tls.is_some() {
        let what = "[page.tls] the daemon serves no page: give --listen, and token_file or [page.proxy] unless it is a loopback address";
        return Err(Failure::Usage(what.to_owned()));
    }
    Ok(access.map(|access| (Pages::new(JournalArchive::of_mirror(mirror, source)), access)))
}

/// Returns the certificate with which the daemon serves its page, if it has one.
///
/// # Errors
/// [`Failure::Usage`] if it cannot be used.
pub(crate) fn page_tls(page: &Page) -> Result<Option<Tls>, Failure> {
    let Some(PageTls { certificate_file, key_file }) = &page.tls else { return Ok(None) };
    let tls = Tls::new(certificate_file.clone(), key_file.clone());
    tls.map(Some).map_err(|error| Failure::Usage(format!("[page.tls] {error}")))
}

/// Returns who may see the daemon's page on an address; `None` if it would be open to strangers.
fn permitted(address: SocketAddr, page: &Page) -> Result<Option<Access>, Failure> {
    match (&page.proxy, &page.token_file) {
        (Some(_), Some(_)) => Err(Failure::Usage("[page] has token_file and proxy; write one of them".to_owned())),
        (Some(PageProxy { addresses, user_header, groups_header, groups }), None) => {
            let proxy = Proxy::new(addresses, user_header, groups_header, groups);
            proxy
                .map(|proxy| Some(Access::Proxy(proxy)))
                .map_err(|error| Failure::Usage(format!("[page.proxy] {error}")))
        }
        (None, token_file) => access(address, token_file.clone()),
    }
}
