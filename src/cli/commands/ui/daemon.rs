//! The page of the daemon.

use std::path::Path;

use tokio::net::TcpListener;

use super::archive::JournalArchive;
use super::run::access;
use crate::cli::compose::Source;
use crate::cli::failure::Failure;
use tidegate_daemon::monitor::page::{Access, Pages};

/// Returns the page of a daemon that keeps its mirror in a directory, and who may see it; `None` if other machines can reach the address and
/// there is no token.
///
/// # Errors
/// [`Failure::Usage`] if the token cannot be used.
pub(crate) fn daemon_page(
    listener: Option<&TcpListener>,
    mirror: &Path,
    source: &Source,
) -> Result<Option<(Pages, Access)>, Failure> {
    let Some(listener) = listener else { return Ok(None) };
    let address = listener.local_addr().map_err(|error| Failure::internal(&error))?;
    let access = access(address, source.file.page.token_file.clone())?;
    Ok(access.map(|access| (Pages::new(JournalArchive::of_mirror(mirror, source)), access)))
}
