//! A repository, a hub and a daemon for one test, and ways to inspect them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::http::Request;
use serde_json::{Value, json};
use tidegate::hub::{self, Hub, Options};
use tidegate::reconciler::clock::Clock;
use tidegate::reconciler::source::Policy;
use tidegate::reconciler::{Config, Daemon, DeliveryMode, Snapshot, metrics};
use tidegate::telemetry::metrics::Metrics;
use tidegate_api::ocm::crds;
use tidegate_core::journal::writer::Writer;
use tidegate_core::plan::PlacementMode;
use tidegate_core::plan::report::Report;
use tidegate_git::{self, Credentials, NewCommit, Reference, Remote};
use tidegate_go::canonical::sha256_hex;
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::Instance;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::agents::{Agents, Delay, Outcome, Rule, Script};
use tidegate_sandbox::fleet::{self, FleetSpec};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::git_command::git_command;

/// Nothing in these tests takes nearly this long; a test that waits longer would wait forever.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Short, so that tests see many commits.
const JOURNAL_INTERVAL: Duration = Duration::from_millis(100);

/// The delay of the simulated clusters.
const DELAY: Delay = Delay::Uniform(Duration::ZERO, Duration::from_millis(20));

/// Returns the time of day on the clock of the runtime, which is paused in these tests.
pub(super) fn now() -> Timestamp {
    static ORIGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    let (origin, now) = (*ORIGIN, tokio::time::Instant::now().into_std());
    let noon: Timestamp = "2027-01-01T12:00:00Z".parse().unwrap();
    noon + now.saturating_duration_since(origin) - origin.saturating_duration_since(now)
}

/// Waits until a condition holds.
pub(super) async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while !is_so().await {
            tokio::time::sleep(JOURNAL_INTERVAL / 2).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("timed out waiting until {what}"));
}

/// A repository and a hub.
pub(super) struct World {
    pub(super) directory: tempfile::TempDir,
    pub(super) sandbox: Sandbox,
    agents: Agents,
    stop: CancellationToken,
}

impl World {
    /// Creates a repository from the example, and a hub with this number of simulated clusters, ten of them canaries.
    pub(super) fn new(clusters: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let repository = directory.path().join("repo.git");
        tidegate_git::init_bare(&repository, "main").unwrap();
        let sandbox = Sandbox::new(&crds::all().unwrap(), now);
        sandbox.seed(fleet::clusters(&FleetSpec { clusters, ..FleetSpec::default() })).unwrap();
        let world = Self::around(directory, sandbox);
        let mut files = crate::example_tree::tree().files;
        // Ends with the section `[prune]`.
        files.get_mut("tidegate.toml").unwrap().extend_from_slice(b"settle_seconds = 0\n");
        world.commit("add-ons", files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect());
        world
    }

    /// Simulates the clusters of a hub, for a directory with a repository.
    pub(super) fn around(directory: tempfile::TempDir, sandbox: Sandbox) -> Self {
        let agents = Agents::new(Script { delay: DELAY, ..Script::default() });
        let stop = CancellationToken::new();
        tokio::spawn({
            let (agents, sandbox, stop) = (agents.clone(), sandbox.clone(), stop.clone());
            async move { agents.run(sandbox, stop).await }
        });
        Self { directory, sandbox, agents, stop }
    }

    /// Creates a second repository for the same hub, with these files.
    pub(super) fn beside(&self, files: BTreeMap<String, Option<Vec<u8>>>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        tidegate_git::init_bare(directory.path().join("repo.git"), "main").unwrap();
        let (sandbox, agents, stop) = (self.sandbox.clone(), self.agents.clone(), CancellationToken::new());
        let world = Self { directory, sandbox, agents, stop };
        world.commit("another team", files);
        world
    }

    /// Lists the objects of a kind.
    pub(super) async fn list(&self, group_version: &str, plural: &str) -> Vec<Value> {
        let request = Request::get(format!("/apis/{group_version}/{plural}")).body(Vec::new()).unwrap();
        let list: Value = self.sandbox.client().request(request).await.unwrap();
        list["items"].as_array().cloned().unwrap_or_default()
    }

    /// Lists the clusters that have an add-on.
    pub(super) async fn clusters_with(&self, addon: &str) -> Vec<String> {
        let addons = self.list("addon.open-cluster-management.io/v1beta1", "managedclusteraddons").await;
        let is_meant = |object: &&Value| object["metadata"]["name"] == addon;
        let cluster = |object: &Value| object["metadata"]["namespace"].as_str().unwrap().to_owned();
        addons.iter().filter(is_meant).map(cluster).collect()
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.directory.path().join("repo.git")
    }

    /// From now on, keeps all works that contain this string from becoming ready on any cluster.
    pub(super) fn break_works_with(&self, text: &str) {
        let everywhere = Rule::named(vec!["*".to_owned()], Outcome::Unhealthy);
        let rule = Rule { containing: Some(text.to_owned()), ..everywhere };
        self.agents.set_script(Script { delay: DELAY, rules: vec![rule], ..Script::default() });
    }

    /// Lets all works become ready again.
    pub(super) fn heal_works(&self) {
        self.agents.set_script(Script { delay: DELAY, ..Script::default() });
    }

    /// Reads an object from the hub; `namespace` is empty for a cluster-scoped one.
    pub(super) async fn object(&self, group_version: &str, plural: &str, namespace: &str, name: &str) -> Option<Value> {
        let namespace = if namespace.is_empty() { String::new() } else { format!("/namespaces/{namespace}") };
        let request =
            Request::get(format!("/apis/{group_version}{namespace}/{plural}/{name}")).body(Vec::new()).unwrap();
        self.sandbox.client().request(request).await.ok()
    }

    /// Reads the first work of an add-on.
    pub(super) async fn work(&self, cluster: &str, addon: &str) -> Option<Value> {
        self.object("work.open-cluster-management.io/v1", "manifestworks", cluster, &format!("addon-{addon}-deploy-0"))
            .await
    }

    /// Lets a cluster report this number of ready replicas for every workload of an add-on.
    pub(super) async fn report_ready(&self, cluster: &str, addon: &str, replicas: i64) {
        let mut work = self.work(cluster, addon).await.unwrap();
        let manifests = work["status"]["resourceStatus"]["manifests"].as_array_mut().unwrap();
        for value in
            manifests.iter_mut().filter_map(|manifest| manifest["statusFeedback"]["values"].as_array_mut()).flatten()
        {
            if value["name"] == "ReadyReplicas" {
                value["fieldValue"]["integer"] = json!(replicas);
            }
        }
        let patch =
            json!({ "status": { "resourceStatus": work["status"]["resourceStatus"] } }).to_string().into_bytes();
        let path = format!(
            "/apis/work.open-cluster-management.io/v1/namespaces/{cluster}/manifestworks/addon-{addon}-deploy-0/status"
        );
        let request = Request::patch(path).header("content-type", "application/merge-patch+json").body(patch).unwrap();
        self.sandbox.client().request::<Value>(request).await.unwrap();
    }

    /// Reads an add-on on a cluster.
    pub(super) async fn addon(&self, cluster: &str, addon: &str) -> Value {
        let kind = ("addon.open-cluster-management.io/v1beta1", "managedclusteraddons");
        self.object(kind.0, kind.1, cluster, addon).await.unwrap()
    }

    /// Changes the status of an add-on on a cluster.
    pub(super) async fn patch_addon_status(&self, cluster: &str, addon: &str, status: Value) {
        let patch = json!({ "status": status }).to_string().into_bytes();
        let path = format!(
            "/apis/addon.open-cluster-management.io/v1beta1/namespaces/{cluster}/managedclusteraddons/{addon}/status"
        );
        let request = Request::patch(path).header("content-type", "application/merge-patch+json").body(patch).unwrap();
        self.sandbox.client().request::<Value>(request).await.unwrap();
    }

    /// Sets a label of a cluster.
    pub(super) async fn label(&self, cluster: &str, label: &str, value: &str) {
        let patch = json!({ "metadata": { "labels": { label: value } } }).to_string().into_bytes();
        let path = format!("/apis/cluster.open-cluster-management.io/v1/managedclusters/{cluster}");
        let request = Request::patch(path).header("content-type", "application/merge-patch+json").body(patch).unwrap();
        self.sandbox.client().request::<Value>(request).await.unwrap();
    }

    /// Commits files to the tracked branch, as a person would push them.
    pub(super) fn commit(&self, message: &str, files: BTreeMap<String, Option<Vec<u8>>>) -> CommitId {
        self.commit_to("main", message, files)
    }

    /// Commits files to a branch.
    pub(super) fn commit_to(&self, branch: &str, message: &str, files: BTreeMap<String, Option<Vec<u8>>>) -> CommitId {
        let mut commit = NewCommit {
            branch: branch.to_owned(),
            parent: None,
            files,
            message: message.to_owned(),
            author: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            at: now(),
        };
        // A journal on the same branch may be faster, like a colleague.
        loop {
            commit.parent = self.git(&["rev-parse", "--verify", "--quiet", branch]).trim().parse().ok();
            match tidegate_git::seed(self.repository(), &commit) {
                Err(tidegate_git::Error::Moved { .. }) => {}
                made => return made.unwrap(),
            }
        }
    }

    /// Replaces a string in one file of the tracked branch.
    pub(super) fn edit(&self, path: &str, from: &str, to: &str) -> CommitId {
        let text = self.git(&["show", &format!("main:{path}")]);
        assert!(text.contains(from), "{path} does not contain {from:?}");
        self.commit(&format!("{path}: {to}"), [(path.to_owned(), Some(text.replace(from, to).into_bytes()))].into())
    }

    /// Returns a client of the hub.
    pub(super) fn client(&self) -> kube::Client {
        self.sandbox.client()
    }

    /// Returns the path of a file in this world.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs git on the repository, without any user's configuration.
    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.repository(), arguments)
    }

    /// Waits until the journal on the remote contains a sealed rollout of an add-on.
    pub(super) async fn until_sealed_of(&self, addon: &str, number: u32) {
        let path = format!("tidegate/journal:addons/{addon}/rollouts/{number}.yaml");
        eventually(&format!("rollout {number} of {addon} is sealed"), async || !self.git(&["show", &path]).is_empty())
            .await;
    }

    /// Waits until the journal on the remote contains a sealed rollout of both add-ons.
    pub(super) async fn until_sealed(&self, number: u32) {
        self.until_sealed_of("hello-template", number).await;
        self.until_sealed_of("managed-serviceaccount", number).await;
    }

    /// Waits until a file of the journal on the remote contains a string.
    pub(super) async fn until_journal(&self, path: &str, text: &str) {
        let file = || self.git(&["show", &format!("tidegate/journal:{path}")]);
        eventually(&format!("{path} contains {text:?}"), async || file().contains(text)).await;
    }

    /// Starts a daemon with its own mirror.
    pub(super) async fn daemon(&self, mirror: &str) -> Running {
        self.daemon_on(mirror, self.sandbox.client()).await
    }

    /// Starts a daemon that reaches the hub through this client.
    pub(super) async fn daemon_on(&self, mirror: &str, client: kube::Client) -> Running {
        self.daemon_with(client, self.config(mirror)).await
    }

    /// Returns the configuration of a daemon with its own mirror.
    pub(super) fn config(&self, mirror: &str) -> Config {
        Config {
            remote: Remote::new(&self.repository().to_string_lossy(), Credentials::None).unwrap(),
            reference: Reference::Branch("main".to_owned()),
            policy: Policy::default(),
            path: String::new(),
            journal_branch: None,
            signer: None,
            state_dir: self.directory.path().join(mirror),
            instance: instance_of(mirror),
            writer: Writer { name: mirror.to_owned(), since: now() },
            poll: Duration::from_millis(200),
            journal_interval: JOURNAL_INTERVAL,
            backoff: Backoff { first: Duration::from_millis(50), longest: Duration::from_millis(500) },
            placement_mode: PlacementMode::Builtin,
            delivery: DeliveryMode::Native,
            check: true,
            events: true,
        }
    }

    /// Starts a daemon with this configuration.
    pub(super) async fn daemon_with(&self, client: kube::Client, config: Config) -> Running {
        self.daemon_beside(client, config, |stop| async move { stop.cancelled().await }).await
    }

    /// Starts a daemon with a companion.
    pub(super) async fn daemon_beside<F: Future<Output = ()> + Send + 'static>(
        &self,
        client: kube::Client,
        config: Config,
        companion: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) -> Running {
        let registry = Metrics::default();
        let hub_metrics = registry.register(hub::Metrics::register);
        let hub = Hub::connect(client, Options::default(), hub_metrics).await.unwrap();
        hub.synced(PATIENCE).await.unwrap();
        let metrics = registry.register(metrics::Metrics::register);
        let state_dir = config.state_dir.clone();
        let daemon = Daemon::start(config, hub, Clock::new(now), metrics).await.unwrap().with_companion(companion);
        let (snapshots, look, stop) = (daemon.snapshots(), daemon.look(), CancellationToken::new());
        let task = tokio::spawn(daemon.run(stop.clone()));
        Running { registry, snapshots, look, stop, task, repository: self.repository(), state_dir }
    }
}

/// Returns the identity that a daemon gets if its journal has none. It differs for each mirror.
pub(super) fn instance_of(mirror: &str) -> Instance {
    let digits = sha256_hex(mirror.as_bytes());
    Instance { id: digits[..16].parse().unwrap(), name: String::new() }
}

impl Drop for World {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Runs git in a repository, without any user's configuration. A command that fails has no output.
pub(crate) fn git_in(repository: &Path, arguments: &[&str]) -> String {
    String::from_utf8(git_command(repository).args(arguments).output().unwrap().stdout).unwrap()
}

/// A daemon.
pub(super) struct Running {
    pub(super) registry: Metrics,
    snapshots: watch::Receiver<Arc<Snapshot>>,
    look: watch::Sender<()>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), tidegate::reconciler::daemon::Error>>,
    repository: PathBuf,
    state_dir: PathBuf,
}

impl Running {
    /// Waits until a condition holds for the last tick.
    pub(super) async fn until(&mut self, what: &str, is_so: impl Fn(&Snapshot) -> bool) -> Arc<Snapshot> {
        let waited = tokio::time::timeout(PATIENCE, self.snapshots.wait_for(|snapshot| is_so(snapshot))).await;
        let found = waited.map(|found| found.map(|snapshot| snapshot.clone()));
        match found {
            Ok(Ok(found)) => found,
            Ok(Err(_)) => panic!("waited for {what}; the daemon has ended: {:?}", (&mut self.task).await),
            Err(_) => panic!("waited for {what}; last seen: {:#?}", short(&self.snapshots.borrow())),
        }
    }

    /// Waits until every add-on has its version on all of its clusters, and nothing is left to write.
    pub(super) async fn until_settled(&mut self, version: &str) -> Arc<Snapshot> {
        let what = format!("hello-template {version} on all clusters");
        self.until(&what, |s| s.writes == 0 && is_settled(&s.report, version)).await
    }

    /// Returns the value of a metric, summed over all labels.
    pub(super) fn metric(&self, name: &str) -> f64 {
        let text = self.registry.text();
        let lines = text.lines().filter(|line| line.split(['{', ' ']).next() == Some(name));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    }

    /// Waits until a metric has a value.
    pub(super) async fn until_metric(&self, name: &str, value: f64) {
        eventually(&format!("{name} is {value}"), async || self.metric(name) == value).await;
    }

    /// Returns the channel through which a webhook requests an immediate poll of Git.
    pub(super) fn look(&self) -> &watch::Sender<()> {
        &self.look
    }

    /// Returns `true` if the daemon has ended by itself.
    pub(super) fn has_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits until the daemon has ended by itself.
    pub(super) async fn ended(self) -> Result<(), tidegate::reconciler::daemon::Error> {
        tokio::time::timeout(PATIENCE, self.task).await.expect("the daemon ends").unwrap()
    }

    /// Stops the daemon as SIGTERM does, and verifies its journal.
    pub(super) async fn end(self) {
        let repository = self.repository.clone();
        self.end_unproven().await;
        crate::audit::proven(&repository);
    }

    /// Stops the daemon without verifying its journal, for tests in which someone else has written to it.
    pub(super) async fn end_unproven(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("the daemon ends").unwrap().unwrap();
    }

    /// Stops the daemon as SIGTERM does, and returns how it ended.
    pub(super) async fn stopped(self) -> Result<(), tidegate::reconciler::daemon::Error> {
        self.stop.cancel();
        self.ended().await
    }

    /// Ends the daemon as SIGKILL does: between two instructions, without a clean shutdown.
    pub(super) async fn kill(self) {
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

fn short(snapshot: &Snapshot) -> Vec<String> {
    let addons = snapshot.report.addons.iter().map(|(name, addon)| {
        format!("{name} {} {:?} {:?} {:?}", addon.version, addon.phase, addon.problem, addon.counts())
    });
    addons.chain(snapshot.failures.iter().cloned()).chain(snapshot.facts.revision.complaints.iter().cloned()).collect()
}
