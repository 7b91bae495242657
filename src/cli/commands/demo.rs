//! `tidegate demo`: a repository, a hub with a simulated fleet, the daemon and an upgrade, all on this machine.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::examples;
use super::run::start_failure;
use super::sandbox::Fleet;
use crate::cli::args::DemoArgs;
use crate::cli::compose;
use crate::cli::failure::Failure;
use crate::cli::output::live_table::LiveTable;
use crate::cli::signal::stop_on_signal;
use crate::hub::Options;
use crate::reconciler::clock::Clock;
use crate::reconciler::source::Policy;
use crate::reconciler::{Config, Daemon, Snapshot, daemon, metrics};
use crate::telemetry::log;
use crate::telemetry::metrics::Metrics;
use tidegate_core::plan::PlacementMode;
use tidegate_core::plan::report::Report;
use tidegate_git::{Credentials, NewCommit, Reference, Remote};
use tidegate_model::backoff::Backoff;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::agents::{Delay, Outcome, Rule, Script};

/// The add-on that is upgraded, the file that contains its version, and the two versions.
const ADDON: &str = "hello-template";
const FILE: &str = "fleet/addons/hello-template/addon.yaml";
const FROM: &str = "0.4.0";
const TO: &str = "0.4.1";
/// A version that no simulated cluster can run, and the directory of the templates.
const BROKEN: &str = "9.9.9";
const TEMPLATES: &str = "fleet/addons/hello-template";

/// Runs the demo.
pub(crate) async fn run(args: DemoArgs) -> Result<(), Failure> {
    log::start(&args.log, log::Format::Text);
    let stop = stop_on_signal()?;
    let place = Place::make(args.dir.as_ref())?;
    let repository = place.repository();
    let first = commit_examples(&repository)?;
    let mut screen = LiveTable::stdout();
    screen.say(&format!("repository  {}", repository.display()));

    let mut fleet = Fleet::start(args.clusters as usize, script(), &stop)?;
    if let Some(port) = args.port {
        let address = fleet.serve(SocketAddr::from(([127, 0, 0, 1], port)), &stop).await?;
        screen.say(&format!("hub         kubectl --server http://{address} get clustermanagementaddons"));
    }
    screen.say(&format!("fleet       {} simulated clusters\n", args.clusters));

    let daemon = Running::start(&args, &place, &fleet).await?;
    tokio::select! {
        shown = show(&args, &place, first, daemon, &mut screen, &stop) => shown?,
        failure = fleet.failed() => return Err(failure),
    }
    place.keep();
    Ok(())
}

/// Shows the installation, the upgrade, and then whatever is pushed.
async fn show(
    args: &DemoArgs,
    place: &Place,
    first: CommitId,
    mut daemon: Running,
    screen: &mut LiveTable,
    stop: &CancellationToken,
) -> Result<(), Failure> {
    let deadline = Instant::now() + args.timeout.0;
    screen.say(&format!("installing the add-ons of the repository, including {ADDON} {FROM}"));
    daemon.until(screen, deadline, stop, |report| has_completed(report, None)).await?;
    screen.settle();

    upgrade(&place.repository(), first)?;
    screen.say(&format!("\ncommitted an upgrade: {ADDON} {FROM} -> {TO}; canaries go first"));
    let deadline = Instant::now() + args.timeout.0;
    daemon.until(screen, deadline, stop, |report| has_completed(report, Some(TO))).await?;
    screen.settle();
    screen.say(&format!("\n{ADDON} {TO} is on all clusters\n{}", place.epilogue(args.exit_when_done)));
    if !args.exit_when_done {
        daemon.follow(screen, stop).await;
    }
    daemon.end().await?;
    if !args.exit_when_done {
        screen.settle();
        screen.say(&format!("stopped; the repository and its journal stay in {}", place.directory.display()));
    }
    Ok(())
}

fn has_completed(report: &Report, version: Option<&str>) -> bool {
    let is_done = |phase| phase == Phase::Completed;
    match version {
        None => {
            !report.addons.is_empty()
                && report.addons.values().all(|addon| is_done(addon.phase) && !addon.clusters.is_empty())
        }
        Some(version) => report.addons.get(ADDON).is_some_and(|addon| is_done(addon.phase) && addon.version == version),
    }
}

/// The directory of a demo. It is kept if the demo succeeds, so that its journal can be read.
struct Place {
    directory: PathBuf,
    temporary: Option<tempfile::TempDir>,
}

impl Place {
    fn make(given: Option<&PathBuf>) -> Result<Self, Failure> {
        let unusable = |path: &Path, why: String| {
            Failure::Usage(format!("{} cannot be used: {why}; give another --dir", path.display()))
        };
        match given {
            Some(path) => {
                std::fs::create_dir_all(path).map_err(|error| unusable(path, error.to_string()))?;
                let mut entries = std::fs::read_dir(path).map_err(|error| unusable(path, error.to_string()))?;
                if entries.next().is_some() {
                    return Err(unusable(path, "it is not empty".to_owned()));
                }
                let directory = path.canonicalize().map_err(|error| unusable(path, error.to_string()))?;
                Ok(Self { directory, temporary: None })
            }
            None => {
                let temporary = tempfile::Builder::new().prefix("tidegate-demo-").tempdir();
                let temporary = temporary.map_err(|error| {
                    Failure::Usage(format!("cannot create a temporary directory: {error}; give one with --dir"))
                })?;
                Ok(Self { directory: temporary.path().to_owned(), temporary: Some(temporary) })
            }
        }
    }

    fn repository(&self) -> PathBuf {
        self.directory.join("repo.git")
    }

    fn mirror(&self) -> PathBuf {
        self.directory.join("mirror.git")
    }

    fn keep(self) {
        if let Some(temporary) = self.temporary {
            // The epilogue has shown the directory to the user, who owns it from now on.
            let _ = temporary.keep();
        }
    }

    /// Returns the commands to try next.
    fn epilogue(&self, has_ended: bool) -> String {
        let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
        let (dir, repo) = (quoted(&self.directory), quoted(&self.repository()));
        let follow = if has_ended {
            "without --exit-when-done, the demo would now follow what you push:"
        } else {
            "the demo follows what you push; press Ctrl-C to end it:"
        };
        let clone = |work: &str| format!("git clone -q {repo} {dir}/{work} && cd {dir}/{work}");
        let push = |message: &str| format!("git add -A && git commit -qm '{message}' && git push -q");
        format!(
            "\nthe repository is {repo}\n\nthe state of the add-ons, the reason for it, what happened, and the commits of the journal:\n  \
             tidegate status --source {repo}\n  tidegate explain --source {repo} {ADDON}\n  tidegate history --source {repo}\n  \
             git --git-dir {repo} log --stat tidegate/journal\n\n{follow}\n\n\
             the next upgrade, here back to {FROM}:\n  {next} && sed -i s/{ADDON}-{TO}/{ADDON}-{FROM}/ {FILE} && {push_next}\n\n\
             an upgrade that never becomes ready on the canaries, and so stops there (after 10 minutes they count as failed):\n  {bad} && sed s/{TO}/{BROKEN}/ {TEMPLATES}/template-{TO}.yaml \
             > {TEMPLATES}/template-{BROKEN}.yaml && sed -i 's/{ADDON}-0.4../{ADDON}-{BROKEN}/' {FILE} && {push_bad}\n",
            next = clone("next"),
            bad = clone("bad"),
            push_next = push("hello-template: back to 0.4.0"),
            push_bad = push("hello-template: a broken version"),
        )
    }
}

/// Returns the behavior of the clusters: they answer within a second and a half, and the broken version never becomes ready.
fn script() -> Script {
    let rule = Rule { containing: Some(format!("v{BROKEN}")), ..Rule::named(vec!["*".to_owned()], Outcome::Unhealthy) };
    let delay = Delay::Uniform(Duration::from_millis(200), Duration::from_millis(1_500));
    Script { delay, rules: vec![rule], ..Script::default() }
}

fn commit_examples(repository: &Path) -> Result<CommitId, Failure> {
    let made = tidegate_git::init_bare(repository, "main");
    made.map_err(|error| Failure::internal(&error))?;
    let files =
        examples::FILES.iter().map(|(path, text)| ((*path).to_owned(), Some(text.as_bytes().to_vec()))).collect();
    let first = NewCommit {
        branch: "main".to_owned(),
        parent: None,
        files,
        message: "Add-ons of the demonstration fleet\n".to_owned(),
        author: "demo".to_owned(),
        email: "demo@localhost".to_owned(),
        at: Timestamp::now(),
    };
    tidegate_git::seed(repository, &first).map_err(|error| Failure::internal(&error))
}

/// Commits an upgrade as a person would: changes one line of one file.
fn upgrade(repository: &Path, parent: CommitId) -> Result<(), Failure> {
    let text = examples::FILES.iter().find(|(path, _)| *path == FILE).map(|(_, text)| *text).unwrap_or_default();
    let text = text.replace(&format!("{ADDON}-{FROM}"), &format!("{ADDON}-{TO}"));
    let commit = NewCommit {
        branch: "main".to_owned(),
        parent: Some(parent),
        files: [(FILE.to_owned(), Some(text.into_bytes()))].into(),
        message: format!("{ADDON}: upgrade to {TO}\n\nReviewed-by: demo <demo@localhost>\n"),
        author: "demo".to_owned(),
        email: "demo@localhost".to_owned(),
        at: Timestamp::now(),
    };
    tidegate_git::seed(repository, &commit).map(drop).map_err(|error| Failure::internal(&error))
}

/// The daemon of a demo.
struct Running {
    snapshots: watch::Receiver<Arc<Snapshot>>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), daemon::Error>>,
}

impl Running {
    async fn start(args: &DemoArgs, place: &Place, fleet: &Fleet) -> Result<Self, Failure> {
        let registry = Metrics::default();
        let hub = compose::connected(fleet.client(), Options::default(), &registry).await?;
        let config = Config {
            remote: Remote::new(&place.repository().to_string_lossy(), Credentials::None)
                .map_err(|error| Failure::internal(&error))?,
            reference: Reference::Branch("main".to_owned()),
            policy: Policy::default(),
            signer: None,
            path: String::new(),
            journal_branch: None,
            state_dir: place.mirror(),
            writer: compose::writer(),
            instance: compose::new_instance("demo".to_owned())?,
            poll: Duration::from_secs(1).min(args.timeout.0),
            journal_interval: Duration::from_secs(1),
            backoff: Backoff::default(),
            placement_mode: PlacementMode::Builtin,
            // The checker verifies everything that the demo shows.
            check: true,
            events: true,
        };
        let metrics = registry.register(metrics::Metrics::register);
        let daemon =
            Daemon::start(config, hub, Clock::system(), metrics).await.map_err(|error| start_failure(&error))?;
        let (snapshots, stop) = (daemon.snapshots(), CancellationToken::new());
        let task = tokio::spawn(daemon.run(stop.clone()));
        Ok(Self { snapshots, stop, task })
    }

    /// Shows progress until the condition holds.
    async fn until(
        &mut self,
        screen: &mut LiveTable,
        deadline: Instant,
        stop: &CancellationToken,
        is_far_enough: impl Fn(&Report) -> bool,
    ) -> Result<(), Failure> {
        loop {
            let snapshot = self.snapshots.borrow_and_update().clone();
            screen.show(&snapshot.report);
            if is_far_enough(&snapshot.report) {
                return Ok(());
            }
            tokio::select! {
                changed = self.snapshots.changed() => if changed.is_err() { return Err(self.ended().await) },
                () = tokio::time::sleep_until(deadline) => return Err(Failure::Unfinished(unfinished(&snapshot))),
                () = stop.cancelled() => return Err(Failure::Unfinished("stopped before it was done".to_owned())),
            }
        }
    }

    async fn follow(&mut self, screen: &mut LiveTable, stop: &CancellationToken) {
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

    async fn end(self) -> Result<(), Failure> {
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
