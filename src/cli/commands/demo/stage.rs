//! The steps that the demos have in common: they show progress until something has happened, and what the journal reports of it.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ADDON;
use super::forge::Forge;
use super::place::Place;
use super::repository::Repository;
use super::running::Running;
use crate::cli::args::{DemoArgs, SourceArgs};
use crate::cli::commands::explain;
use crate::cli::failure::Failure;
use crate::cli::journal::archive::History;
use crate::cli::output::live_table::LiveTable;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::Journal;
use tidegate_journal::record::AddonStatus;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_plan::report::{AddonReport, Report};

/// How often the journal or the forge is read while something is awaited.
const PAUSE: Duration = Duration::from_millis(200);

/// The number of commits of the journal that are shown at the end.
const COMMITS: usize = 8;

/// A demo that runs: its repository, its daemon, and the screen.
pub(super) struct Stage<'a> {
    pub(super) place: &'a Place,
    pub(super) repository: Repository,
    /// The forge that has the repository, if the scenario has one.
    pub(super) forge: Option<Forge>,
    daemon: Running,
    screen: LiveTable,
    timeout: Duration,
    stop: &'a CancellationToken,
}

impl<'a> Stage<'a> {
    pub(super) fn new(
        args: &DemoArgs,
        place: &'a Place,
        (repository, forge): (Repository, Option<Forge>),
        daemon: Running,
        screen: LiveTable,
        stop: &'a CancellationToken,
    ) -> Self {
        Self { place, repository, forge, daemon, screen, timeout: args.timeout.0, stop }
    }

    /// Prints a text above the table.
    pub(super) fn say(&mut self, text: &str) {
        self.screen.say(text);
    }

    /// Shows progress until all add-ons of the repository are installed.
    pub(super) async fn installed(&mut self) -> Result<(), Failure> {
        self.until_report(|report| {
            let is_done = |addon: &AddonReport| addon.phase == Phase::Completed && !addon.clusters.is_empty();
            !report.addons.is_empty() && report.addons.values().all(|addon| is_done(addon))
        })
        .await
    }

    /// Shows progress until the condition holds for the add-on of the demo.
    pub(super) async fn until(&mut self, is_far_enough: impl Fn(&AddonReport) -> bool) -> Result<(), Failure> {
        self.until_report(|report| report.addon(ADDON).is_some_and(&is_far_enough)).await
    }

    /// Shows progress until the daemon follows a commit.
    pub(super) async fn followed(&mut self, commit: &CommitId) -> Result<(), Failure> {
        self.until_snapshot(|snapshot| snapshot.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == *commit))
            .await
    }

    async fn until_report(&mut self, is_far_enough: impl Fn(&Report) -> bool) -> Result<(), Failure> {
        self.until_snapshot(|snapshot| is_far_enough(&snapshot.report)).await
    }

    async fn until_snapshot(&mut self, is_far_enough: impl Fn(&Snapshot) -> bool) -> Result<(), Failure> {
        let deadline = Instant::now() + self.timeout;
        self.daemon.until(&mut self.screen, deadline, self.stop, is_far_enough).await?;
        self.screen.settle();
        Ok(())
    }

    /// Waits until the journal has the add-on of the demo in a state, and returns the journal.
    pub(super) async fn journaled(&self, is_it: impl Fn(&AddonStatus) -> bool) -> Result<Journal, Failure> {
        self.found("the journal was not written", || {
            // Before the first entry, there is no branch to read.
            let (journal, _) = History::open(&self.source()).and_then(|history| history.journal()).ok()?;
            journal.addons.get(ADDON).is_some_and(&is_it).then_some(journal)
        })
        .await
    }

    /// Looks for something until it is there, and returns it. `missing` describes the error if the time is over.
    pub(super) async fn found<T>(&self, missing: &str, look: impl Fn() -> Option<T>) -> Result<T, Failure> {
        let deadline = Instant::now() + self.timeout;
        loop {
            if let Some(found) = look() {
                return Ok(found);
            }
            if Instant::now() >= deadline {
                return Err(Failure::Unfinished(format!("{missing} in time; allow more time with --timeout")));
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = self.stop.cancelled() => return Err(Failure::Unfinished("stopped before it was done".to_owned())),
            }
        }
    }

    /// Returns something about the current state of the add-on.
    pub(super) fn addon<T>(&self, of: impl Fn(&AddonReport) -> T) -> Option<T> {
        self.daemon.report().addon(ADDON).map(of)
    }

    /// Prints what `tidegate explain` prints about the add-on, once the journal has it in a state.
    pub(super) async fn explain(&mut self, is_it: impl Fn(&AddonStatus) -> bool) -> Result<(), Failure> {
        let journal = self.journaled(is_it).await?;
        let text = explain::explained(&journal, ADDON)?;
        self.say(&format!("\n$ tidegate explain {ADDON}\n{}", indented(&text)));
        Ok(())
    }

    /// Prints the last commits of the journal, oldest first, and the commands to try next.
    pub(super) fn epilogue(&mut self) -> Result<(), Failure> {
        let history = History::open(&self.source())?;
        let mut lines: Vec<String> = Vec::new();
        history.walk(
            |_| false,
            |link| {
                let subject = link.message.lines().next().unwrap_or_default();
                if subject.contains(ADDON) {
                    lines.push(format!("  {} {subject}\n", link.id.short()));
                }
            },
        )?;
        let shown: String = lines.split_off(lines.len().saturating_sub(COMMITS)).concat();
        let commands = self.place.commands(ADDON);
        self.say(&format!("\nthe last commits of the journal about {ADDON}:\n{shown}\n{commands}"));
        Ok(())
    }

    /// Follows what is pushed, unless the demo is done, and stops the daemon.
    pub(super) async fn end(mut self, is_done: bool) -> Result<(), Failure> {
        if !is_done {
            self.daemon.follow(&mut self.screen, self.stop).await;
        }
        self.daemon.end().await?;
        if !is_done {
            self.screen.settle();
            let directory = self.place.directory.display();
            self.screen.say(&format!("stopped; the repository and its journal stay in {directory}"));
        }
        Ok(())
    }

    fn source(&self) -> SourceArgs {
        SourceArgs { source: Some(self.repository.path().to_string_lossy().into_owned()), ..SourceArgs::default() }
    }
}

/// Returns `true` if all clusters of an add-on have a version.
pub(super) fn is_completed(addon: &AddonReport, version: &str) -> bool {
    addon.phase == Phase::Completed && addon.version == version
}

/// Returns a text with spaces before each line.
pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}
