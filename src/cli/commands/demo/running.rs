//! The daemon of a demo, and what is shown while it works.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::forge::Forge;
use super::place::Place;
use crate::cli::args::DemoArgs;
use crate::cli::commands::run::start_failure;
use crate::cli::commands::sandbox::Fleet;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::output::live_table::LiveTable;
use tidegate_daemon::hub::Options;
use tidegate_daemon::reconciler::checks::Allowed;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::notification::Transport;
use tidegate_daemon::reconciler::source::{Floor, Policy};
use tidegate_daemon::reconciler::{Config, Daemon, Snapshot, daemon, metrics};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_git::Reference;
use tidegate_model::backoff::Backoff;
use tidegate_model::progress::Phase;
use tidegate_plan::PlacementMode;
use tidegate_plan::report::Report;

/// The daemon of a demo.
pub(super) struct Running {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), daemon::Error>>,
}

impl Running {
    /// Starts the daemon on a fleet.
    pub(super) async fn start(
        clock: &Clock,
        args: &DemoArgs,
        place: &Place,
        forge: Option<&Forge>,
        fleet: &Fleet,
    ) -> Result<Self, Failure> {
        let registry = Metrics::default();
        let hub = compose::connected(fleet.client(), Options::default(), &registry).await?;
        let (remote, forge) = match forge {
            Some(forge) => forge.settings(place).map(|(remote, forge)| (remote, Some(forge)))?,
            None => (place.remote()?, None),
        };
        let config = Config {
            floor: Floor::default(),
            operator: Arc::default(),
            forge,
            remote,
            reference: Reference::Branch("main".to_owned()),
            policy: Policy { keys: place.trusted_keys(), ..Policy::default() },
            signer: None,
            path: String::new(),
            journal_branch: None,
            trusted_journal: None,
            state_dir: place.mirror(),
            writer: compose::writer(clock),
            lease: None,
            instance: compose::new_instance("demo".to_owned())?,
            poll: Duration::from_secs(1).min(args.timeout.0),
            journal_interval: Duration::from_secs(1),
            backoff: Backoff::default(),
            placement_mode: PlacementMode::Builtin,
            delivery: DeliveryMode::Native,
            // The checker verifies everything that the demo shows.
            check: true,
            events: true,
            notify: Vec::new(),
            transport: Transport::http(),
            checks: Allowed::default(),
        };
        let metrics = registry.register(metrics::Metrics::register);
        let daemon = Daemon::start(config, hub, clock.clone(), metrics).await.map_err(|error| start_failure(&error))?;
        let (snapshots, stop) = (daemon.snapshots(), CancellationToken::new());
        let task = tokio::spawn(daemon.run(stop.clone()));
        Ok(Self { snapshots, stop, task })
    }

    /// Shows progress until the condition holds.
    pub(super) async fn until(
        &mut self,
        screen: &mut LiveTable,
        deadline: Instant,
        stop: &CancellationToken,
        is_far_enough: impl Fn(&Snapshot) -> bool,
    ) -> Result<(), Failure> {
        loop {
            let snapshot = self.snapshots.borrow_and_update().clone();
            screen.show(&snapshot.report);
            if is_far_enough(&snapshot) {
                return Ok(());
            }
            tokio::select! {
                changed = self.snapshots.changed() => if changed.is_err() { return Err(self.ended().await) },
                () = tokio::time::sleep_until(deadline) => return Err(Failure::Unfinished(unfinished(&snapshot))),
                () = stop.cancelled() => return Err(Failure::Unfinished("stopped before it was done".to_owned())),
            }
        }
    }

    /// Returns the last report.
    pub(super) fn report(&self) -> Arc<Report> {
        self.snapshots.borrow().report.clone()
    }

    /// Shows progress until stopped.
    pub(super) async fn follow(&mut self, screen: &mut LiveTable, stop: &CancellationToken) {
        loop {
            let snapshot = self.snapshots.borrow_and_update().clone();
            screen.show(&snapshot.report);
            tokio::select! {
                changed = self.snapshots.changed() => if changed.is_err() { return },
                () = stop.cancelled() => return,
            }
        }
    }

    /// Returns why the daemon has ended without a stop signal.
    async fn ended(&mut self) -> Failure {
        match (&mut self.task).await {
            Ok(Ok(())) => Failure::Internal("the daemon ended unexpectedly".to_owned()),
            Ok(Err(error)) => Failure::internal(&error),
            Err(error) => Failure::internal(&error),
        }
    }

    /// Stops the daemon.
    pub(super) async fn end(self) -> Result<(), Failure> {
        self.stop.cancel();
        let ended = self.task.await.map_err(|error| Failure::internal(&error))?;
        ended.map_err(|error| Failure::internal(&error))
    }
}

/// Describes what was still waiting at the timeout.
fn unfinished(snapshot: &Snapshot) -> String {
    let mut text = String::from("not done in time; allow more time with --timeout; still waiting:");
    if snapshot.report.addons.is_empty() {
        text.push_str("\n  the first observation of the repository and the hub");
    }
    for (name, addon) in &snapshot.report.addons {
        if addon.phase != Phase::Completed {
            let counts = addon.counts();
            text.push_str(&format!(
                "\n  {name} {}: {} of {} clusters done, {} under way, {} failed, {} waiting",
                addon.version, counts.succeeded, counts.total, counts.progressing, counts.failed, counts.waiting
            ));
            addon.problem.iter().for_each(|problem| text.push_str(&format!("\n    {problem}")));
            let reasons = addon.placements.iter().flat_map(|placement| &placement.waiting);
            reasons.for_each(|(reason, clusters)| text.push_str(&format!("\n    {clusters} wait: {reason}")));
        }
    }
    snapshot
        .facts
        .revision
        .complaints
        .iter()
        .chain(&snapshot.failures)
        .for_each(|line| text.push_str(&format!("\n  {line}")));
    text
}
