//! The steps of the demo.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::place::Place;
use super::running::Running;
use super::{ADDON, BROKEN, FILE, FROM, TO};
use crate::cli::args::DemoArgs;
use crate::cli::commands::examples;
use crate::cli::commands::sandbox::Fleet;
use crate::cli::failure::Failure;
use crate::cli::output::live_table::LiveTable;
use crate::cli::signal::stop_on_signal;
use crate::telemetry::log;
use tidegate_core::plan::report::Report;
use tidegate_git::NewCommit;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_sandbox::agents::{Delay, Outcome, Rule, Script};

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
