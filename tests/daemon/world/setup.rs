//! A repository, and a hub with simulated clusters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use parking_lot::Mutex;
use tidegate_api::ocm::crds;
use tidegate_sandbox::Sandbox;
use tidegate_sandbox::agents::{Agents, Delay, Outcome, Rule, Script};
use tidegate_sandbox::fleet::{self, FleetSpec};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::clock::now;
use super::recorded::Recordings;

use crate::scratch::tempdir;

/// The delay of the simulated clusters.
const DELAY: Delay = Delay::Uniform(Duration::ZERO, DELAY_OF_EACH);
/// By how much the delays of two clusters differ at most.
const DELAY_OF_EACH: Duration = Duration::from_millis(20);

/// Returns the rule that keeps works that contain this string from becoming ready on any cluster.
fn unhealthy(text: &str) -> Rule {
    Rule { containing: Some(text.to_owned()), ..Rule::named(vec!["*".to_owned()], Outcome::Unhealthy) }
}

/// Creates a hub without clusters.
pub(in crate::daemon) fn empty_hub() -> Sandbox {
    static CRDS: LazyLock<Vec<CustomResourceDefinition>> = LazyLock::new(|| crds::all().unwrap());
    Sandbox::new(&CRDS, now)
}

/// A repository and a hub.
pub(in crate::daemon) struct World {
    pub(in crate::daemon) directory: tempfile::TempDir,
    pub(in crate::daemon) sandbox: Sandbox,
    /// Wakes the daemons that follow the repository.
    pub(super) looks: Looks,
    agents: Agents,
    stop: CancellationToken,
    /// By how many seconds the clock of the daemons is wrong.
    pub(super) clock_error: Arc<AtomicI64>,
    pub(super) recordings: Recordings,
}

/// The channels through which daemons are asked to poll Git.
#[derive(Debug, Clone, Default)]
pub(super) struct Looks(Arc<Mutex<Vec<watch::Sender<()>>>>);

impl Looks {
    /// Adds the channel of a daemon.
    pub(super) fn add(&self, look: watch::Sender<()>) {
        self.0.lock().push(look);
    }

    /// Asks all daemons to poll Git now.
    pub(super) fn send(&self) {
        self.0.lock().iter().for_each(|look| look.send_replace(()));
    }
}

impl World {
    /// Creates a repository from the example, and a hub with this number of simulated clusters, ten of them canaries.
    pub(in crate::daemon) fn new(clusters: usize) -> Self {
        let directory = tempdir();
        let repository = directory.path().join("repo.git");
        tidegate_git::init_bare(&repository, "main").unwrap();
        let sandbox = empty_hub();
        sandbox.seed(fleet::cluster_sets()).unwrap();
        sandbox.seed(fleet::clusters(&FleetSpec { clusters, ..FleetSpec::default() })).unwrap();
        let world = Self::around(directory, sandbox);
        let mut files = crate::example_tree::tree().files;
        // Ends with the section `[prune]`.
        files.get_mut("tidegate.toml").unwrap().extend_from_slice(b"settle_seconds = 0\n");
        world.commit("add-ons", files.into_iter().map(|(path, bytes)| (path, Some(bytes))).collect());
        world
    }

    /// Simulates the clusters of a hub, for a directory with a repository.
    pub(in crate::daemon) fn around(directory: tempfile::TempDir, sandbox: Sandbox) -> Self {
        let agents = Agents::new(Script { delay: DELAY, ..Script::default() });
        let stop = CancellationToken::new();
        tokio::spawn({
            let (agents, sandbox, stop) = (agents.clone(), sandbox.clone(), stop.clone());
            async move { agents.run(sandbox, stop).await }
        });
        Self::of(directory, sandbox, (agents, stop))
    }

    fn of(directory: tempfile::TempDir, sandbox: Sandbox, (agents, stop): (Agents, CancellationToken)) -> Self {
        Self {
            directory,
            sandbox,
            looks: Looks::default(),
            agents,
            stop,
            clock_error: Arc::default(),
            recordings: Recordings::default(),
        }
    }

    /// Sets the clock of the daemons, not that of the hub and the agents, by this many seconds.
    pub(in crate::daemon) fn set_clock(&self, seconds: i64) {
        self.clock_error.store(seconds, Ordering::SeqCst);
    }

    /// Creates a second repository for the same hub, with these files.
    pub(in crate::daemon) fn beside(&self, files: BTreeMap<String, Option<Vec<u8>>>) -> Self {
        let directory = tempdir();
        tidegate_git::init_bare(directory.path().join("repo.git"), "main").unwrap();
        let (sandbox, agents, stop) = (self.sandbox.clone(), self.agents.clone(), CancellationToken::new());
        let world = Self::of(directory, sandbox, (agents, stop));
        world.commit("another team", files);
        world
    }

    /// From now on, keeps all works that contain this string from becoming ready on any cluster.
    pub(in crate::daemon) fn break_works_with(&self, text: &str) {
        self.agents.set_script(Script { delay: DELAY, rules: vec![unhealthy(text)], ..Script::default() });
    }

    /// From now on, lets all clusters refuse works that contain this string.
    pub(in crate::daemon) fn refuse_works_with(&self, text: &str) {
        let rule = Rule { containing: Some(text.to_owned()), ..Rule::named(vec!["*".to_owned()], Outcome::NotApplied) };
        self.agents.set_script(Script { delay: DELAY, rules: vec![rule], ..Script::default() });
    }

    /// From now on, keeps works that contain this string from becoming ready, lets those of some clusters alternate between ready and not
    /// ready every half a minute, and lets agents need this time for each change.
    pub(in crate::daemon) fn break_works_of_agents(&self, text: &str, flapping: &BTreeSet<String>, delay: Duration) {
        let (turn, delay) = (Duration::from_secs(30), Delay::Uniform(delay, delay + DELAY_OF_EACH));
        let outcome = Outcome::Flapping { well: turn, unwell: turn };
        let flapping = (!flapping.is_empty()).then(|| Rule::named(flapping.iter().cloned().collect(), outcome));
        let rules = [Some(unhealthy(text)), flapping].into_iter().flatten().collect();
        self.agents.set_script(Script { delay, rules, ..Script::default() });
    }

    /// From now on, keeps works that contain this string from becoming ready, and lets agents report the health of what they applied only
    /// after this time, as OCM's work agent does.
    pub(in crate::daemon) fn break_works_of_slow_agents(&self, text: &str, status_interval: Duration) {
        let rules = vec![unhealthy(text)];
        self.agents.set_script(Script { delay: DELAY, status_interval, rules, ..Script::default() });
    }

    /// From now on, keeps all works of one cluster from becoming ready.
    pub(in crate::daemon) fn break_works_on(&self, cluster: &str) {
        let rule = Rule::named(vec![cluster.to_owned()], Outcome::Unhealthy);
        self.agents.set_script(Script { delay: DELAY, rules: vec![rule], ..Script::default() });
    }

    /// From now on, lets agents need this time for each change.
    pub(in crate::daemon) fn slow_agents(&self, delay: Duration) {
        self.agents.set_script(Script { delay: Delay::Uniform(delay, delay), ..Script::default() });
    }

    /// Lets all works become ready again.
    pub(in crate::daemon) fn heal_works(&self) {
        self.agents.set_script(Script { delay: DELAY, ..Script::default() });
    }

    /// Returns a client of the hub.
    pub(in crate::daemon) fn client(&self) -> kube::Client {
        self.sandbox.client()
    }

    /// Returns the path of a file in this world.
    pub(in crate::daemon) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(in crate::daemon) fn repository(&self) -> PathBuf {
        self.directory.path().join("repo.git")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
