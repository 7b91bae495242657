//! One of several replicas, which waits until it leads.

use std::path::PathBuf;
use std::sync::Arc;

use tidegate_daemon::reconciler::{Config, Replica, Snapshot, Stage, metrics};
use tidegate_daemon::telemetry::metrics::Metrics;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::clock::PATIENCE;
use super::recorded::recorded;
use super::running::{Running, audited, connected};
use super::setup::World;

impl World {
    /// Starts one of several replicas, which elect a leader by the Lease in the configuration.
    pub(in crate::daemon) async fn replica(&self, client: kube::Client, config: Config) -> Waiting {
        let (registry, hub) = connected(client).await;
        let metrics = registry.register(metrics::Metrics::register);
        let (state_dir, audited) = (config.state_dir.clone(), audited(&config));
        let replica = Replica::new(config, hub, self.clock(), metrics);
        let (stage, stop) = (replica.stage(), CancellationToken::new());
        let (sender, started) = oneshot::channel();
        let (looks, recorder) = (self.looks.clone(), self.recorder());
        let task = tokio::spawn(replica.run(stop.clone(), move |daemon| {
            looks.add(daemon.look());
            let _nobody_waits = sender.send((daemon.snapshots(), daemon.look()));
            recorded(daemon, recorder)
        }));
        Waiting { registry, stage, started, stop, task, repository: self.repository(), state_dir, audited }
    }
}

/// A replica that may not lead yet.
pub(in crate::daemon) struct Waiting {
    pub(in crate::daemon) registry: Metrics,
    stage: watch::Receiver<Stage>,
    started: oneshot::Receiver<(watch::Receiver<Arc<Snapshot>>, watch::Sender<()>)>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), tidegate_daemon::reconciler::daemon::Error>>,
    repository: PathBuf,
    state_dir: PathBuf,
    audited: Option<String>,
}

impl Waiting {
    /// Waits until the replica stands by.
    pub(in crate::daemon) async fn until_standing_by(&mut self) {
        let standing_by = self.stage.wait_for(|stage| matches!(stage, Stage::StandingBy));
        tokio::time::timeout(PATIENCE, standing_by).await.expect("the replica stands by").unwrap();
    }

    /// Waits until the replica leads.
    pub(in crate::daemon) async fn until_leading(self) -> Running {
        let Self { registry, started, stop, task, repository, state_dir, audited, .. } = self;
        let (snapshots, look) = tokio::time::timeout(PATIENCE, started).await.expect("the replica leads").unwrap();
        Running { registry, snapshots, look, stop, task, repository, state_dir, audited }
    }

    /// Returns `true` if the replica leads, or has led.
    pub(in crate::daemon) fn has_led(&self) -> bool {
        matches!(*self.stage.borrow(), Stage::Running(_))
    }

    /// Waits until the replica ends by itself, and returns how.
    pub(in crate::daemon) async fn ended(self) -> Result<(), tidegate_daemon::reconciler::daemon::Error> {
        tokio::time::timeout(PATIENCE, self.task).await.expect("the replica ends").unwrap()
    }

    /// Stops the replica.
    pub(in crate::daemon) async fn stopped(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("the replica ends").unwrap().unwrap();
    }
}
