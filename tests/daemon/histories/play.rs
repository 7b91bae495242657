//! Plays a history against the real daemon, the sandbox and a bare repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_fake_forge::ForgeSandbox;
use tidegate_model::progress::Phase;

use super::super::world::{HubGate, Running, World, now, short};
use super::end;
use super::forge;
use super::manager::Manager;
use super::observer::Observer;
use super::replicas;
use super::step::{BAD, GOOD, LAST, Step};
use super::unit::{DEFINITION, Form, Unit, definition, revision};
use crate::git_command::git;

pub(super) const SETTINGS: &str = "tidegate.toml";
/// The setting with which applications are read, and the one with which they are not.
pub(super) const ENABLED: &str = "[applications]\nenabled = true\n";
pub(super) const DISABLED: &str = "[applications]\nenabled = false\n";

/// A world, and what is the case in it.
pub(super) struct Stage {
    pub(super) world: World,
    /// An observer of each unit.
    pub(super) observers: BTreeMap<Unit, Observer>,
    pub(super) daemon: Option<Running>,
    pub(super) manager: Manager,
    /// Whether daemons are replicas, which elect a leader.
    pub(super) has_replicas: bool,
    /// The forge, if the history has one.
    pub(super) forge: Option<ForgeSandbox>,
    pub(super) hub: kube::Client,
    pub(super) gate: HubGate,
    /// How long agents need.
    delay: Duration,
    /// The last version and form of the application that were declared.
    pub(super) application: (String, Form),
    /// The clusters on which the add-on is ready and not ready in turn.
    pub(super) flapping: BTreeSet<String>,
    pub(super) mirrors: usize,
    /// Whether a freeze has ever been declared.
    pub(super) was_frozen: bool,
    /// Whether approvals of a team have ever been required.
    pub(super) had_team: bool,
    /// How often two daemons that are no replicas have run at once.
    pub(super) rivals: usize,
    /// Whether a rollout has ever been told to go through all clusters.
    pub(super) was_unlimited: bool,
    /// The commits of decisions about rollouts, with the unit.
    pub(super) decided: BTreeMap<String, Unit>,
    /// A clone whose journal is from the start of the history.
    pub(super) stale: PathBuf,
    /// The objects that people have changed on the hub: namespaces of works.
    pub(super) edited: BTreeSet<String>,
}

/// Plays a history to its end, and asserts what holds then.
pub(super) async fn history(steps: &[Step]) {
    let mut stage = Stage::new(steps).await;
    for step in steps {
        stage.step(step).await;
        stage.trace(&format!("{step:?}"));
    }
    end::check(stage).await;
}

impl Stage {
    async fn new(steps: &[Step]) -> Self {
        let world = World::settled(20).await.recorded();
        for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.com")] {
            world.git(&["config", key, value]);
        }
        world.edit(Unit::AddOn.file(), "progressDeadline: 10m", "progressDeadline: 1m");
        let template = "fleet/addons/hello-template/template-0.4.1.yaml";
        let text = world.read("main", template);
        let of =
            |version: &str| (template.replace("0.4.1", version), Some(text.replace("0.4.1", version).into_bytes()));
        // The file still ends with the section `[prune]`, to which removals that are confirmed are added.
        let settings = format!("{ENABLED}deadline_minutes = 1\n{}", world.read("main", SETTINGS)).into_bytes();
        let application = Unit::Application;
        let web = application.with(&world, GOOD[0]).into_bytes();
        let own = [
            (SETTINGS.to_owned(), Some(settings)),
            (application.file().to_owned(), Some(web)),
            (DEFINITION.to_owned(), Some(definition(false).into_bytes())),
        ];
        let revisions = GOOD.iter().chain(&[BAD, LAST]).map(|version| revision(version));
        world.commit("versions", [of(GOOD[2]), of(BAD), of(LAST)].into_iter().chain(own).chain(revisions).collect());
        for (cloud, number) in ["aws", "gcp"].into_iter().flat_map(|cloud| (6..=10).map(move |number| (cloud, number)))
        {
            world.label(&format!("{cloud}-{number:03}"), "tier", "rest").await;
        }
        let forge = forge::needed(&world, steps).await;
        let (hub, gate) = world.gated();
        let observers = Unit::ALL.map(|unit| (unit, Observer::of(unit, world.client()))).into();
        let stale = world.path("stale");
        let mut stage = Self {
            manager: Manager::new(world.client()),
            observers,
            daemon: None,
            has_replicas: replicas::needed(&world, steps).await,
            forge,
            hub,
            gate,
            delay: Duration::ZERO,
            application: (GOOD[0].to_owned(), Form::Groups),
            flapping: BTreeSet::new(),
            mirrors: 0,
            was_frozen: false,
            had_team: false,
            rivals: 0,
            was_unlimited: false,
            decided: BTreeMap::new(),
            edited: BTreeSet::new(),
            stale,
            world,
        };
        stage.agents(Duration::ZERO);
        stage.start(false).await;
        stage.settle("0.4.0").await;
        stage.world.until_journal("fleet.yaml", "kind: Fleet").await;
        let first = format!("{}/rollouts/1.yaml", Unit::Application.folder());
        stage.world.until_journal(&first, "Completed").await;
        git(&stage.world.path(""), &["clone", "-q", stage.world.repository().to_str().unwrap(), "stale"]);
        stage
    }

    /// Waits until both units are rolled out with a version, and returns what is the case then.
    pub(super) async fn settle(&mut self, version: &str) -> Arc<Snapshot> {
        let daemon = self.daemon.as_mut().unwrap();
        daemon.until_settled(version).await;
        let is_done = |s: &Snapshot| {
            let web = s.report.addons.get(Unit::Application.name());
            web.is_some_and(|web| web.phase == Phase::Completed && web.version == version && !web.clusters.is_empty())
        };
        daemon.until("the application is settled", is_done).await
    }

    /// Returns the versions that each unit has had on each cluster.
    pub(super) fn versions(&self) -> BTreeMap<Unit, BTreeMap<String, Vec<String>>> {
        self.observers.iter().map(|(unit, observer)| (*unit, observer.versions())).collect()
    }

    /// Prints the state, if histories are traced.
    pub(super) fn trace(&self, after: &str) {
        if std::env::var_os("TIDEGATE_HISTORY_TRACE").is_some() {
            let seen = self.daemon.as_ref().map(|daemon| short(&daemon.latest()));
            eprintln!("{} {after}: {seen:#?}", now());
        }
    }

    /// Lets agents need this time. Nothing makes the bad version ready.
    pub(super) fn agents(&mut self, delay: Duration) {
        self.delay = delay;
        self.world.break_works_of_agents(&format!("v{BAD}"), &self.flapping, delay);
    }

    fn flapping(&mut self, cluster: &str, is_flapping: bool) {
        match is_flapping {
            true => self.flapping.insert(cluster.to_owned()),
            false => self.flapping.remove(cluster),
        };
        self.agents(self.delay);
    }

    /// Starts a daemon, unless one runs. A daemon that starts needs the hub and the remote.
    pub(super) async fn start(&mut self, is_lost: bool) {
        if self.daemon.is_none() && self.is_complete() {
            self.mirrors += usize::from(is_lost);
            self.daemon = Some(self.started().await);
        }
    }

    /// Stops the daemon in order, if one runs.
    pub(super) async fn stop(&mut self) {
        if let Some(daemon) = self.daemon.take() {
            // It fails if the remote is unreachable: some entries are not pushed.
            let stopped = daemon.stopped().await;
            assert!(stopped.is_ok() || !self.world.repository().exists(), "{stopped:?}");
        }
    }

    /// Returns `true` if the hub and the remote are reachable.
    pub(super) fn is_complete(&self) -> bool {
        !self.gate.is_closed() && self.world.repository().exists()
    }

    /// Starts a daemon with the last state directory. A replica leads as soon as the Lease is free.
    pub(super) async fn started(&self) -> Running {
        match self.has_replicas {
            true => self.replica(self.hub.clone()).await.until_leading().await,
            false => self.world.daemon_with(self.hub.clone(), self.config()).await,
        }
    }

    /// Returns the configuration of a daemon with the last state directory.
    pub(super) fn config(&self) -> Config {
        let mirror = if self.mirrors == 0 { "mirror.git".to_owned() } else { format!("mirror-{}.git", self.mirrors) };
        let config = self.world.config_with_bob(&mirror);
        Config { delivery: DeliveryMode::Auto, forge: self.forge_config(), ..config }
    }

    /// Makes the remote reachable, or not.
    pub(super) fn remote(&self, is_there: bool) {
        let (here, away) = (self.world.repository(), self.world.path("away.git"));
        match is_there {
            true if away.exists() => std::fs::rename(away, here).unwrap(),
            false if here.exists() => std::fs::rename(here, away).unwrap(),
            _ => return,
        }
        self.world.look();
    }

    pub(super) fn hub(&self, is_there: bool) {
        if is_there { self.gate.open() } else { self.gate.close() }
    }

    /// Lets all clusters of a cloud join the fleet, or leave it.
    pub(super) async fn cloud(&self, cloud: &str, is_in: bool) {
        for number in 1..=10 {
            self.member(&format!("{cloud}-{number:03}"), is_in).await;
        }
    }

    async fn member(&self, cluster: &str, is_in: bool) {
        self.world.label(cluster, "fleet", if is_in { "demo" } else { "other" }).await;
    }

    async fn step(&mut self, step: &Step) {
        match step {
            Step::Push(unit, version) => self.push(*unit, version),
            Step::Command(unit, arguments) => self.command(*unit, arguments, None),
            Step::Cluster(unit, arguments, cluster) => self.command(*unit, arguments, Some(cluster)),
            Step::Application(edit) => self.edit(*edit),
            Step::Rule(rule, is_there) => self.rule(*rule, *is_there),
            Step::Plan(unit, version) => self.plan(*unit, version),
            Step::Approve { break_glass } => self.approve(*break_glass),
            Step::Confirm => self.confirm(),
            Step::Merge => self.merge(),
            Step::Team(is_in) => self.team(*is_in),
            Step::Forge(answers) => self.forge(*answers),
            Step::Cloud(cloud, is_in) => self.cloud(cloud, *is_in).await,
            Step::EditWork(unit, cluster) => self.edit_work(*unit, cluster).await,
            Step::DeleteWork(unit, cluster) => self.delete_work(*unit, cluster).await,
            Step::Unmark(unit, cluster) => self.unmark(*unit, cluster).await,
            Step::DeleteRecord(cluster) => self.delete_record(cluster).await,
            Step::Adopt => self.adopt().await,
            Step::Lie(unit, cluster, lie) => self.lie(*unit, cluster, *lie).await,
            Step::Member(cluster, is_in) => self.member(cluster, *is_in).await,
            Step::Agents(delay) => self.agents(*delay),
            Step::Flapping(cluster, is_flapping) => self.flapping(cluster, *is_flapping),
            Step::Manager(is_there) => self.manager.run(*is_there).await,
            Step::CrashManager => self.manager.crash().await,
            Step::Rival => self.rival().await,
            Step::FailOver(loss) => self.fail_over(*loss).await,
            Step::DeleteJournal => self.delete_journal().await,
            Step::Kill => {
                if let Some(daemon) = self.daemon.take() {
                    daemon.kill().await;
                }
            }
            Step::Stop => self.stop().await,
            Step::Start { is_lost } => self.start(*is_lost).await,
            Step::Remote(is_there) => self.remote(*is_there),
            Step::Hub(is_there) => self.hub(*is_there),
            Step::Clock(seconds) => self.world.set_clock(*seconds),
            Step::Wait(time) => tokio::time::sleep(*time).await,
            Step::Freeze(time) => tokio::time::advance(*time).await,
        }
    }
}
