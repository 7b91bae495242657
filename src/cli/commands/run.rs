//! `tidegate run`: the daemon.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::cli::args::{RunArgs, Span, Switch};
use crate::cli::certificates;
use crate::cli::commands::ui::{daemon_page, page_tls};
use crate::cli::compose::{self, StateDir};
use crate::cli::config::{self, File};
use crate::cli::failure::Failure;
use crate::cli::forge;
use crate::cli::process::Process;
use crate::cli::receivers::receivers;
use crate::cli::repository::directory;
use crate::cli::signal::stop_on_signal;
use crate::cli::version;
use crate::cli::webhook::webhook_secrets;
use tidegate_daemon::monitor::tls::metrics::Watched;
use tidegate_daemon::monitor::{self, Limits, Looks, Servers, Socket, Tls, Webhook};
use tidegate_daemon::reconciler::checks::Allowed;
use tidegate_daemon::reconciler::notification::Transport;
use tidegate_daemon::reconciler::{Config, Daemon, Replica, daemon, journal, metrics, source};
use tidegate_daemon::telemetry::log;
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_model::backoff::Backoff;
use tidegate_model::error_chain::ErrorChain;
use tidegate_recording::Recorder;

/// Default for how often Git is polled, and for how long changes are gathered.
const INTERVAL: Duration = Duration::from_secs(10);

/// Runs the daemon until SIGTERM or SIGINT stops it.
pub(crate) async fn run(process: &Process, args: RunArgs) -> Result<(), Failure> {
    // The file may contain the log format, so a mistake in the file is the only thing that is not logged.
    let format = args.log_format.or(File::read(args.source.config.as_deref())?.log.format);
    process.start_log(&args.log, format.unwrap_or_else(log::Format::detect));
    let stop = stop_on_signal(process)?;
    let metrics = Metrics::default();
    let state = StateDir::of(args.state_dir.as_ref())?;
    let pages = listener("--listen", args.listen.as_deref()).await?;
    let mut source = compose::source(&args.source)?;
    let webhook = std::mem::take(&mut source.file.webhook);
    let page = daemon_page(pages.as_ref(), &state.mirror(), &source)?;
    let tls = page_tls(&source.file.page)?;
    watch_certificates(&args, tls.clone(), &metrics).await;
    let config = config(process, &args, &state, source)?;
    let recorder = args.record.as_deref().and_then(recorder);
    let webhooks = listener("[webhook] listen", webhook_address(&webhook)?).await?;
    let files = (webhook.secret_file, webhook.gitlab_signing_token_file);
    let (address, reference) = (config.remote.address(), config.reference.to_string());
    let hub = tokio::select! {
        hub = compose::hub(&args, &metrics) => hub?,
        () = stop.cancelled() => return Ok(()),
    };
    let loop_metrics = metrics.register(metrics::Metrics::register);
    let absences = loop_metrics.absences.clone();
    let replica = Replica::new(config, hub, process.clock().clone(), loop_metrics);
    let (mut servers, looks) = (Servers::default(), Looks::default());
    if let Some(listener) = webhooks {
        let requested = looks.clone();
        let (secret_file, gitlab_signing_token_file) = files;
        let router = monitor::webhook_router(Webhook {
            secret_file,
            gitlab_signing_token_file,
            look: Arc::new(move || requested.request()),
            metrics: metrics.register(monitor::metrics::Metrics::register),
            clock: process.clock().clone(),
        });
        servers.start(listener, router, Limits::webhooks());
    }
    if let Some(listener) = pages {
        let probes = monitor::router(metrics, replica.stage(), absences);
        report_address(&listener, page.is_some(), tls.is_some());
        let (router, limits) = monitor::page::beside(probes, page, process.clock());
        servers.start(Socket { listener, tls }, router, limits);
    }
    let prepare = |daemon: Daemon| {
        let look = daemon.look();
        tracing::info!(source = %address, reference, "started");
        let daemon = match recorder {
            Some(recorder) => daemon.with_recorder(recorder),
            None => daemon,
        };
        let daemon = daemon.with_companion(|stop| looks.pass(move || look.send_modify(|()| {}), stop));
        daemon.with_companion(|stop| servers.run(stop))
    };
    replica.run(stop, prepare).await.map_err(|error| failure(&error, state))?;
    tracing::info!("stopped");
    Ok(())
}

/// Registers when certificates expire.
async fn watch_certificates(args: &RunArgs, page: Option<Tls>, metrics: &Metrics) {
    let hub = certificates::expiration_of_access(&args.hub).await;
    let watched = page.map(Watched::Page).into_iter().chain(hub.map(Watched::Hub)).collect();
    metrics.register(|registry| monitor::tls::metrics::register(registry, watched));
}

/// Begins or continues a recording. What only helps people to look into a problem must not keep the daemon from starting.
fn recorder(path: &Path) -> Option<Recorder> {
    let report = |error: &tidegate_recording::Error| {
        tracing::error!("--record {}: {}; nothing is recorded; name a new file", path.display(), ErrorChain(error));
    };
    Recorder::open(path, &version::build()).inspect_err(report).ok()
}

/// Returns the configuration of the daemon from its flags and its file.
fn config(process: &Process, args: &RunArgs, state: &StateDir, source: compose::Source) -> Result<Config, Failure> {
    let file = &source.file;
    let interval = |flag: Option<Span>, setting: Option<Span>| flag.or(setting).map_or(INTERVAL, |span| span.0);
    Ok(Config {
        policy: compose::policy(file)?,
        floor: compose::floor(file)?,
        operator: file.operator(),
        signer: compose::signer(file)?,
        path: directory::inside("--path", args.path.clone().or_else(|| file.source.path.clone()).unwrap_or_default())?,
        journal_branch: source.journal_branch,
        trusted_journal: file.journal.trusted_commit.clone(),
        state_dir: state.mirror(),
        writer: compose::writer(process.clock()),
        lease: args.lease.clone().or_else(|| file.replicas.lease.clone()),
        instance: compose::new_instance(
            args.instance_name.clone().or_else(|| file.instance.name.clone()).unwrap_or_default(),
        )?,
        poll: interval(args.poll, file.source.poll),
        journal_interval: interval(args.journal_interval, file.journal.interval),
        backoff: Backoff::of_poll(interval(args.poll, file.source.poll)),
        placement_mode: args.placement.into(),
        delivery: file.delivery.mode,
        check: false,
        events: args.events.map(Switch::is_on).or(file.events.enabled).unwrap_or(true),
        forge: forge::forge(file, &source.remote.address(), &source.reference, None, process.clock())?,
        notify: receivers(&file.notify)?,
        transport: Transport::http(),
        checks: Allowed::read(&file.checks.allow)
            .map_err(|error| Failure::Usage(format!("[checks] allow: {error}")))?,
        remote: source.remote,
        reference: source.reference,
    })
}

/// Returns the address for webhooks, if they are enabled.
fn webhook_address(settings: &config::Webhook) -> Result<Option<&str>, Failure> {
    match (webhook_secrets(settings)?, settings.listen.as_deref()) {
        (true, None) => Err(Failure::Usage(
            "[webhook] needs an address of its own to listen on: set listen, such as listen = \"0.0.0.0:8081\""
                .to_owned(),
        )),
        (false, Some(_)) => Err(Failure::Usage(
            "[webhook] listen: without a secret, no webhook is accepted; set secret_file or gitlab_signing_token_file"
                .to_owned(),
        )),
        (_, address) => Ok(address),
    }
}

/// Returns the failure for a daemon that did not start, or ended with an error. A temporary directory with unpushed entries of the journal is
/// kept.
fn failure(error: &daemon::Error, state: StateDir) -> Failure {
    match error {
        daemon::Error::Rival(rival) => Failure::Unfinished(ErrorChain(rival).to_string()),
        daemon::Error::Succeeded { .. } | daemon::Error::Expired => Failure::Unfinished(error.to_string()),
        daemon::Error::Journal(journal @ journal::Error::Contended { .. }) => Failure::Unfinished(journal.to_string()),
        daemon::Error::Journal(journal @ journal::Error::Newer { .. }) => Failure::Usage(journal.to_string()),
        daemon::Error::Journal(journal) if journal.is_final() => Failure::Unfinished(ErrorChain(journal).to_string()),
        daemon::Error::Unpushed { .. } => {
            Failure::Unfinished(format!("{}: --state-dir {}", ErrorChain(error), state.keep().display()))
        }
        error => start_failure(error),
    }
}

/// Returns the failure for a daemon that did not start.
pub(crate) fn start_failure(error: &daemon::Error) -> Failure {
    if error.is_mistake() {
        Failure::Usage(ErrorChain(error).to_string())
    } else if error.is_unreachable() {
        let git = match error {
            daemon::Error::Source(source::Error::Git(git)) | daemon::Error::Journal(journal::Error::Git(git)) => {
                Failure::git_hint(git)
            }
            _ => "check --source and --ref",
        };
        Failure::unreachable(error, git)
    } else {
        Failure::internal(error)
    }
}

/// Logs where the probes are served, and whether the page is.
fn report_address(listener: &TcpListener, has_page: bool, has_tls: bool) {
    if let Ok(address) = listener.local_addr() {
        tracing::info!(%address, page = has_page, tls = has_tls, "serving");
    }
}

async fn listener(setting: &str, address: Option<&str>) -> Result<Option<TcpListener>, Failure> {
    let Some(address) = address else { return Ok(None) };
    TcpListener::bind(address).await.map(Some).map_err(|error| {
        Failure::Usage(format!("{setting} {address}: {error}; give a free address such as 127.0.0.1:8080"))
    })
}
