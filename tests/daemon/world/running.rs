//! A daemon, and ways to wait for it and to end it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::clock::{PATIENCE, eventually, now};
use super::recorded::recorded;
use super::setup::World;
use tidegate_daemon::hub::{self, Hub, Options};
use tidegate_daemon::reconciler::checks::Allowed;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::notification::Transport;
use tidegate_daemon::reconciler::source::{Floor, Policy};
use tidegate_daemon::reconciler::{Config, Daemon, Snapshot, metrics};
use tidegate_daemon::telemetry::metrics::Metrics;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_git::{Credentials, Reference, Remote};
use tidegate_go::canonical::sha256_hex;
use tidegate_journal::writer::Writer;
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::Instance;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::SignedDuration;
use tidegate_plan::PlacementMode;
use tidegate_plan::report::Report;

/// Longer than any test: a commit wakes the daemon. A test of the timer sets a shorter one.
const POLL: Duration = Duration::from_secs(24 * 3600);

/// Short, so that tests see many commits.
const JOURNAL_INTERVAL: Duration = Duration::from_millis(100);

impl World {
    /// Starts a daemon with its own mirror.
    pub(in crate::daemon) async fn daemon(&self, mirror: &str) -> Running {
        self.daemon_on(mirror, self.sandbox.client()).await
    }

    /// Starts a daemon that reaches the hub through this client.
    pub(in crate::daemon) async fn daemon_on(&self, mirror: &str, client: kube::Client) -> Running {
        self.daemon_with(client, self.config(mirror)).await
    }

    /// Returns the configuration of a daemon with its own mirror.
    pub(in crate::daemon) fn config(&self, mirror: &str) -> Config {
        Config {
            remote: Remote::new(&self.repository().to_string_lossy(), Credentials::None).unwrap(),
            reference: Reference::Branch("main".to_owned()),
            policy: Policy::default(),
            floor: Floor::default(),
            operator: Arc::default(),
            forge: None,
            path: String::new(),
            journal_branch: None,
            trusted_journal: None,
            signer: None,
            state_dir: self.directory.path().join(mirror),
            instance: instance_of(mirror),
            writer: Writer { name: mirror.to_owned(), since: now(), term: 0 },
            lease: None,
            poll: POLL,
            journal_interval: JOURNAL_INTERVAL,
            backoff: Backoff { first: Duration::from_millis(50), longest: Duration::from_millis(500) },
            placement_mode: PlacementMode::Builtin,
            delivery: DeliveryMode::Native,
            check: true,
            events: true,
            notify: Vec::new(),
            transport: Transport::http(),
            checks: Allowed::default(),
        }
    }

    /// Starts a daemon with this configuration.
    pub(in crate::daemon) async fn daemon_with(&self, client: kube::Client, config: Config) -> Running {
        self.daemon_beside(client, config, |stop| async move { stop.cancelled().await }).await
    }

    /// Starts a daemon with a companion.
    pub(in crate::daemon) async fn daemon_beside<F: Future<Output = ()> + Send + 'static>(
        &self,
        client: kube::Client,
        config: Config,
        companion: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) -> Running {
        let (registry, hub) = connected(client).await;
        hub.synced(PATIENCE).await.unwrap();
        let metrics = registry.register(metrics::Metrics::register);
        let state_dir = config.state_dir.clone();
        let audited = audited(&config);
        let daemon = Daemon::start(config, hub, self.clock(), metrics).await.unwrap().with_companion(companion);
        let daemon = recorded(daemon, self.recorder());
        let (snapshots, look, stop) = (daemon.snapshots(), daemon.look(), CancellationToken::new());
        self.looks.add(look.clone());
        let task = tokio::spawn(daemon.run(stop.clone()));
        Running { registry, snapshots, look, stop, task, repository: self.repository(), state_dir, audited }
    }

    /// Returns the clock of the daemons, which may be wrong.
    pub(super) fn clock(&self) -> Clock {
        let error = self.clock_error.clone();
        Clock::new(move || now() + SignedDuration::from_secs(error.load(Ordering::SeqCst)))
    }
}

/// Connects to a hub, with the metrics of a daemon.
pub(super) async fn connected(client: kube::Client) -> (Metrics, Hub) {
    let registry = Metrics::default();
    let metrics = registry.register(hub::Metrics::register);
    (registry, Hub::connect(client, Options::default(), metrics).await.unwrap())
}

/// Returns what the audit reads of the file of a daemon; `None` if the daemon has rules of its own, which are not in a file here.
pub(super) fn audited(config: &Config) -> Option<String> {
    let Config { reference, path, policy, floor, journal_branch, .. } = config;
    if !floor.people.is_empty() || !floor.operator.policies.is_empty() {
        return None;
    }
    let mut text = format!("[source]\nref = {:?}\n", reference.to_string());
    if !path.is_empty() {
        text += &format!("path = {path:?}\n");
    }
    if let Some(branch) = journal_branch {
        text += &format!("[journal]\nbranch = {branch:?}\n");
    }
    let keys: Vec<_> =
        policy.keys.iter().filter(|file| std::fs::metadata(file).is_ok_and(|file| file.len() > 0)).collect();
    if !keys.is_empty() {
        text += &format!("[verify]\ntrusted_keys = {keys:?}\n");
    }
    if policy.claimed_authors {
        text += "[approvals]\nclaimed_authors = true\n";
    }
    if let Some(delay) = floor.operator.delay.filter(|delay| !delay.is_zero()) {
        text += &format!("[policies]\ndelay = \"{}s\"\n", delay.as_secs());
    }
    Some(text)
}

/// Returns the identity that a daemon gets if its journal has none. It differs for each mirror.
pub(in crate::daemon) fn instance_of(mirror: &str) -> Instance {
    let digits = sha256_hex(mirror.as_bytes());
    Instance { id: digits[..16].parse().unwrap(), name: String::new() }
}

/// A daemon.
pub(in crate::daemon) struct Running {
    pub(in crate::daemon) registry: Metrics,
    pub(super) snapshots: watch::Receiver<Arc<Snapshot>>,
    pub(super) look: watch::Sender<()>,
    pub(super) stop: CancellationToken,
    pub(super) task: JoinHandle<Result<(), tidegate_daemon::reconciler::daemon::Error>>,
    pub(super) repository: PathBuf,
    pub(super) state_dir: PathBuf,
    /// What the audit reads of the file of the daemon.
    pub(super) audited: Option<String>,
}

impl Running {
    /// Waits until a condition holds for the last tick.
    pub(in crate::daemon) async fn until(&mut self, what: &str, is_so: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let waited = tokio::time::timeout(PATIENCE, self.snapshots.wait_for(|snapshot| is_so(snapshot))).await;
        let found = waited.map(|found| found.map(|snapshot| snapshot.clone()));
        match found {
            Ok(Ok(found)) => found,
            Ok(Err(_)) => panic!("waited for {what}; the daemon has ended: {:?}", (&mut self.task).await),
            Err(_) => panic!("waited for {what}; last seen: {:#?}", short(&self.snapshots.borrow())),
        }
    }

    /// Returns what the audit reads of the file of the daemon.
    pub(in crate::daemon) fn audited(&self) -> Option<String> {
        self.audited.clone()
    }

    /// Returns the outcome of the last tick.
    pub(in crate::daemon) fn latest(&self) -> Arc<Snapshot> {
        self.snapshots.borrow().clone()
    }

    /// Waits until every add-on has its version on all of its clusters, and nothing is left to write.
    pub(in crate::daemon) async fn until_settled(&mut self, version: &str) -> Arc<Snapshot> {
        let what = format!("hello-template {version} on all clusters");
        self.until(&what, |s| s.writes == 0 && is_settled(&s.report, version)).await
    }

    /// Returns the value of a metric, summed over all labels.
    pub(in crate::daemon) fn metric(&self, name: &str) -> f64 {
        let text = self.registry.text();
        let lines = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    }

    /// Waits until a metric has a value.
    pub(in crate::daemon) async fn until_metric(&self, name: &str, value: f64) {
        eventually(&format!("{name} is {value}"), async || self.metric(name) == value).await;
    }

    /// Returns the channel through which a webhook requests an immediate poll of Git.
    pub(in crate::daemon) fn look(&self) -> &watch::Sender<()> {
        &self.look
    }

    /// Returns `true` if the daemon has ended by itself.
    pub(in crate::daemon) fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits until the daemon has ended by itself.
    pub(in crate::daemon) async fn ended(self) -> Result<(), tidegate_daemon::reconciler::daemon::Error> {
        tokio::time::timeout(PATIENCE, self.task).await.expect("the daemon ends").unwrap()
    }

    /// Stops the daemon as SIGTERM does, and verifies its journal.
    pub(in crate::daemon) async fn end(self) {
        let (repository, audited) = (self.repository.clone(), self.audited.clone());
        self.end_unproven().await;
        crate::audit::proven(&repository);
        if let Some(config) = audited {
            crate::audit::approved(&repository, &config);
        }
    }

    /// Stops the daemon without verifying its journal, for tests in which someone else has written to it.
    pub(in crate::daemon) async fn end_unproven(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("the daemon ends").unwrap().unwrap();
    }

    /// Stops the daemon as SIGTERM does, and returns how it ended.
    pub(in crate::daemon) async fn stopped(self) -> Result<(), tidegate_daemon::reconciler::daemon::Error> {
        self.stop.cancel();
        self.ended().await
    }

    /// Ends the daemon as SIGKILL does: between two instructions, without a clean shutdown.
    pub(in crate::daemon) async fn kill(self) {
        self.task.abort();
        let _aborted = self.task.await;
        // A Git operation that is under way continues in its thread, which a real SIGKILL would end. The lock of the mirror
        // is free once the operation is over.
        let is_free = || std::fs::File::open(self.state_dir.join("lock")).is_ok_and(|lock| lock.try_lock().is_ok());
        eventually("the lock is free", async || is_free()).await;
    }
}

fn is_settled(report: &Report, version: &str) -> bool {
    let is_done = |name: &str| {
        report.addons.get(name).is_some_and(|addon| addon.phase == Phase::Completed && !addon.clusters.is_empty())
    };
    is_done("hello-template")
        && is_done("managed-serviceaccount")
        && report.addons.get("hello-template").is_some_and(|addon| addon.version == version)
}

/// Returns a snapshot in a few lines.
pub(in crate::daemon) fn short(snapshot: &Snapshot) -> Vec<String> {
    let addons = snapshot.report.addons.iter().map(|(name, addon)| {
        let others = addon.clusters.values().filter(|cluster| cluster.state != ClusterState::Succeeded);
        let reasons: BTreeSet<String> =
            others.map(|cluster| format!("{}: {}", cluster.state, cluster.reason)).collect();
        format!("{name} {} {:?} {:?} {:?} {reasons:?}", addon.version, addon.phase, addon.problem, addon.counts())
    });
    addons.chain(snapshot.failures.iter().cloned()).chain(snapshot.facts.revision.complaints.iter().cloned()).collect()
}
