//! Stops a command on a signal.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::failure::Failure;
use super::process::Process;

/// Returns a token that the first SIGTERM or SIGINT cancels; the second ends the process at once. Only the real process has signals.
pub(super) fn stop_on_signal(process: &Process) -> Result<CancellationToken, Failure> {
    let stop = CancellationToken::new();
    if !process.is_real() {
        return Ok(stop);
    }
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| Failure::internal(&error))?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| Failure::internal(&error))?;
    let token = stop.clone();
    tokio::spawn(async move {
        let mut next = async || {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        next().await;
        token.cancel();
        next().await;
        #[expect(clippy::exit, reason = "the second signal requests exactly this")]
        std::process::exit(130);
    });
    Ok(stop)
}
