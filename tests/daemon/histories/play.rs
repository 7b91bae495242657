//! Plays a history against the real daemon, the sandbox and a bare repository.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use tidegate_daemon::reconciler::Config;
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_fake_forge::ForgeSandbox;

use super::super::world::{HubGate, Running, World, now, short};
use super::end;
use super::forge;
use super::manager::Manager;
use super::observer::Observer;
use super::plan;
use super::replicas;
use super::step::{BAD, GOOD, LAST, Rule, Step};
use crate::git_command::git;

pub(super) const NAME: &str = "hello-template";
pub(super) const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
pub(super) const SETTINGS: &str = "tidegate.toml";

/// A world, and what is the case in it.
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) observer: Observer,
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
    /// The clusters on which the add-on is ready and not ready in turn.
    pub(super) flapping: BTreeSet<String>,
    pub(super) mirrors: usize,
    /// Whether a freeze has ever been declared.
    pub(super) was_frozen: bool,
    /// Whether approvals of a team have ever been required.
    had_team: bool,
    /// Whether a rollout has ever been told to go through all clusters.
    pub(super) was_unlimited: bool,
    /// The commits of decisions about rollouts.
    pub(super) decided: BTreeSet<String>,
    /// A clone whose journal is from the start of the history.
    pub(super) stale: PathBuf,
    /// The objects that people have changed on the hub: namespaces of works.
    pub(super) edited: BTreeSet<String>,
}

/// Returns the version that the followed branch declares.
pub(super) fn declared(world: &World) -> String {
    let text = world.read("main", ADDON);
    let (_, version) = text.split_once("name: hello-template-").unwrap();
    version.chars().take_while(|c| !c.is_whitespace()).collect()
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
        world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 1m");
        let template = "fleet/addons/hello-template/template-0.4.1.yaml";
        let text = world.read("main", template);
        let of =
            |version: &str| (template.replace("0.4.1", version), Some(text.replace("0.4.1", version).into_bytes()));
        world.commit("versions", [of(GOOD[2]), of(BAD), of(LAST)].into());
        let forge = forge::needed(&world, steps).await;
        let (hub, gate) = world.gated();
        let observer = Observer::start(world.client());
        let stale = world.path("stale");
        let mut stage = Self {
            manager: Manager::new(world.client()),
            observer,
            daemon: None,
            has_replicas: replicas::needed(&world, steps).await,
            forge,
            hub,
            gate,
            delay: Duration::ZERO,
            flapping: BTreeSet::new(),
            mirrors: 0,
            was_frozen: false,
            had_team: false,
            was_unlimited: false,
            decided: BTreeSet::new(),
            edited: BTreeSet::new(),
            stale,
            world,
        };
        stage.agents(Duration::ZERO);
        stage.start(false).await;
        stage.daemon.as_mut().unwrap().until_settled("0.4.0").await;
        stage.world.until_journal("fleet.yaml", "kind: Fleet").await;
        git(&stage.world.path(""), &["clone", "-q", stage.world.repository().to_str().unwrap(), "stale"]);
        stage
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

    /// Runs a command as a person does. It may be refused: it may be too late, or without effect.
    fn command(&mut self, arguments: &[&str], cluster: Option<&str>) {
        if !self.world.repository().exists() {
            return;
        }
        let source = self.world.repository();
        let mut line = vec![arguments[0], NAME, "--reason", "a history", "--source", source.to_str().unwrap()];
        line.extend(&arguments[1..]);
        line.extend(cluster.into_iter().flat_map(|name| ["--clusters", name]));
        let head = |world: &World| world.git(&["rev-parse", "main"]).trim().to_owned();
        let before = head(&self.world);
        let output = crate::cli::tidegate_at(now(), &line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some_and(|code| code < 4), "{line:?}: {said}");
        assert!(!said.contains("panicked") && !said.contains("bug"), "{line:?}: {said}");
        if arguments[0] != "rollback" && head(&self.world) != before {
            self.decided.insert(head(&self.world));
        }
        self.world.look();
    }

    /// Pushes the upgrade to a version, unless the repository declares it already. It uses the command, and edits the line if the command
    /// refuses.
    pub(super) fn push(&self, version: &str) {
        if !self.world.repository().exists() {
            return;
        }
        let declared = declared(&self.world);
        if declared == version {
            return;
        }
        let source = self.world.repository();
        let line = ["upgrade", NAME, version, "--push", "--source", source.to_str().unwrap()];
        let said = crate::cli::tidegate_at(now(), &line);
        assert!(said.status.code().is_some_and(|code| code < 4), "{}", String::from_utf8_lossy(&said.stderr));
        if self::declared(&self.world) == version {
            self.world.look();
        } else {
            self.world.edit(ADDON, &format!("hello-template-{declared}"), &format!("hello-template-{version}"));
        }
    }

    /// Asks for the plan of a version. It must always be possible.
    fn plan(&self, version: &str) {
        if self.world.repository().exists() {
            plan::planned(&self.world, version);
        }
    }

    /// Adds a rule, or removes it.
    pub(super) fn rule(&mut self, rule: Rule, is_there: bool) {
        // The team would have to review the removal of a freeze in a pull request, and people push here.
        let is_stuck = (rule == Rule::Freeze && self.had_team) || (rule == Rule::Team && self.was_frozen);
        if is_there && is_stuck {
            return;
        }
        self.had_team |= rule == Rule::Team && is_there;
        self.was_frozen |= rule == Rule::Freeze && is_there;
        self.was_unlimited |= rule == Rule::Continue && is_there;
        let (path, spec) = rule.file();
        if !self.world.repository().exists() || is_there != self.world.read("main", path).is_empty() {
            return;
        }
        let name = format!("{rule:?}").to_lowercase();
        let text = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {{name: {name}}}\nspec:\n  selector: {{addOns: [{NAME}]}}\n  {spec}\n"
        );
        let content = is_there.then(|| text.into_bytes());
        self.world.commit(&name, [(path.to_owned(), content)].into());
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
            Step::Push(version) => self.push(version),
            Step::Command(arguments) => self.command(arguments, None),
            Step::Cluster(arguments, cluster) => self.command(arguments, Some(cluster)),
            Step::Rule(rule, is_there) => self.rule(*rule, *is_there),
            Step::Plan(version) => self.plan(version),
            Step::Approve { break_glass } => self.approve(*break_glass),
            Step::Confirm => self.confirm(),
            Step::Merge => self.merge(),
            Step::Team(is_in) => self.team(*is_in),
            Step::Forge(answers) => self.forge(*answers),
            Step::Cloud(cloud, is_in) => self.cloud(cloud, *is_in).await,
            Step::EditWork(cluster) => self.edit_work(cluster).await,
            Step::DeleteWork(cluster) => self.delete_work(cluster).await,
            Step::Unmark(cluster) => self.unmark(cluster).await,
            Step::Adopt => self.adopt().await,
            Step::Lie(cluster, lie) => self.lie(cluster, *lie).await,
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
