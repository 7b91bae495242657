//! `tidegate run`: the daemon.

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::args::RunArgs;
use super::failure::Failure;
use super::wire::{self, StateDir};
use crate::monitor;
use crate::reconciler::clock::Clock;
use crate::reconciler::{Config, Daemon, daemon, metrics};
use crate::telemetry::chain::Chain;
use crate::telemetry::log;
use crate::telemetry::metrics::Metrics;

/// Runs the daemon until it is told to stop by SIGTERM or SIGINT.
pub async fn run(args: RunArgs) -> Result<(), Failure> {
    log::start(&args.log, log::Format::detect());
    let stop = stop_on_signal()?;
    let metrics = Metrics::default();
    let state = StateDir::of(args.state_dir.as_ref())?;
    let listener = match &args.listen {
        Some(address) => Some(listener(address).await?),
        None => None,
    };
    let config = Config {
        remote: wire::remote(&args.source)?,
        branch: args.source.branch.clone(),
        path: args.path.clone(),
        journal_branch: args.source.journal_branch.clone(),
        state_dir: state.mirror(),
        writer: wire::writer(),
        poll: args.poll.0,
        journal_interval: args.journal_interval.0,
        placement_mode: args.placement.into(),
        check: false,
    };
    let hub = tokio::select! {
        hub = wire::hub(&args, &metrics) => hub?,
        () = stop.cancelled() => return Ok(()),
    };
    let loop_metrics = metrics.register(metrics::Metrics::register);
    let daemon =
        Daemon::start(config, hub, Clock::system(), loop_metrics).await.map_err(|error| start_failure(&error))?;
    if let Some(listener) = listener {
        let router = monitor::router(metrics, daemon.snapshots(), None);
        let served = monitor::serve(listener, router, stop.clone());
        tokio::spawn(async move {
            if let Err(error) = served.await {
                tracing::error!(%error, "metrics are no longer served");
            }
        });
    }
    tracing::info!(source = %args.source.source, branch = %args.source.branch, "started");
    daemon.run(stop).await.map_err(|error| end_failure(&error))?;
    tracing::info!("stopped");
    drop(state);
    Ok(())
}

/// Tells why a daemon did not start.
pub fn start_failure(error: &daemon::Error) -> Failure {
    if error.is_unreachable() {
        Failure::unreachable(
            error,
            "check --source, --branch and the token; `git ls-remote` with the same URL shows what Git says",
        )
    } else {
        Failure::internal(error)
    }
}

/// Tells why a daemon ended by itself.
fn end_failure(error: &daemon::Error) -> Failure {
    match error {
        daemon::Error::Rival(rival) => Failure::Unfinished(Chain(rival).to_string()),
        error => Failure::internal(error),
    }
}

async fn listener(address: &str) -> Result<TcpListener, Failure> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| {
        Failure::Usage(format!("--listen {address}: {error}; give a free address such as 127.0.0.1:8080"))
    })
}

/// Returns a token that the first SIGTERM or SIGINT cancels; the second ends the process at once.
pub fn stop_on_signal() -> Result<CancellationToken, Failure> {
    let stop = CancellationToken::new();
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
        #[expect(clippy::exit, reason = "the second signal asks for just that")]
        std::process::exit(130);
    });
    Ok(stop)
}
