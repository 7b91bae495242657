//! The page of a demo.

use std::process::{Command, Stdio};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::place::Place;
use crate::cli::args::SourceArgs;
use crate::cli::commands::ui::JournalArchive;
use crate::cli::failure::Failure;
use crate::cli::process::Process;
use tidegate_daemon::monitor::page::{Access, Pages, router};
use tidegate_daemon::monitor::{Limits, serve};

/// Serves the page of the demo's journal on a free port of this machine until stopped, and returns its address.
pub(super) async fn start(process: &Process, place: &Place, stop: &CancellationToken) -> Result<String, Failure> {
    let source = SourceArgs { source: Some(place.repository().display().to_string()), ..SourceArgs::default() };
    let archive = JournalArchive::open(&source)?;
    let internal = |error: std::io::Error| Failure::internal(&error);
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(internal)?;
    let address = listener.local_addr().map_err(internal)?;
    let router = router(Pages::new(archive), Access::Loopback, process.clock().clone());
    tokio::spawn(serve(listener, router, Limits::page(), stop.clone()));
    Ok(format!("http://{address}/"))
}

/// Opens an address in the browser of the user. Returns `false` if no browser could be started.
pub(super) fn open(address: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
