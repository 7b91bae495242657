//! Serves the page on this machine.

use std::net::SocketAddr;
use std::path::PathBuf;

use tokio::net::TcpListener;

use super::archive::JournalArchive;
use super::export::export;
use crate::cli::args::UiArgs;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use crate::cli::signal::stop_on_signal;
use tidegate_daemon::monitor::page::{Access, Pages, router};
use tidegate_daemon::monitor::{Limits, serve};

/// Serves the page until stopped, or writes it to a directory.
pub(crate) async fn run(process: &Process, args: UiArgs) -> Result<(), Failure> {
    let UiArgs { export: directory, listen, token_file, source } = args;
    let archive = JournalArchive::checked(source).await?;
    if let Some(directory) = directory {
        return export(process, &archive, &directory);
    }
    let access = access(listen, token_file)?.ok_or_else(|| {
        Failure::Usage(format!("{listen} is open to other machines: give --token-file, or listen on 127.0.0.1"))
    })?;
    let listener = TcpListener::bind(listen).await.map_err(|error| {
        Failure::Usage(format!("--listen {listen}: {error}; give a free address, such as 127.0.0.1:0"))
    })?;
    let address = listener.local_addr().map_err(|error| Failure::internal(&error))?;
    let stop = stop_on_signal(process)?;
    process.say_line(&format!("the page is at http://{address}/ until you press Ctrl-C"))?;
    let router = router(Pages::new(archive), access, process.clock().clone());
    serve(listener, router, Limits::page(), stop).await;
    Ok(())
}

/// Returns who may see a page on an address: everybody on a loopback address, and otherwise those who know the token; `None` if there is no
/// token.
pub(super) fn access(address: SocketAddr, token_file: Option<PathBuf>) -> Result<Option<Access>, Failure> {
    match token_file {
        Some(path) => {
            Access::token(path).map(Some).map_err(|error| Failure::Usage(format!("the token of the page: {error}")))
        }
        None => Ok(address.ip().is_loopback().then_some(Access::Loopback)),
    }
}
