//! The tasks of the daemon, and how they end.
//!
//! `source` follows Git, `loop` ticks, `journal` commits what the ticks found. They pass values through `watch` channels,
//! which keep only the latest one: a slow reader skips the values in between. On a stop signal, the loop finishes its tick,
//! the journal commits and pushes what is left, and the daemon ends. A fourth task, `events`, writes Kubernetes Events if
//! they are enabled.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::announce::Announcer;
use super::clock::Clock;
use super::events;
use super::journal::{self, JournalBranch, Unpushed};
use super::journal::{Pace, write_journal};
use super::metrics::Metrics;
use super::source::Policy;
use super::source::{self, Follow, Followed, OwnJournal, STATUS_DIRECTORY, Source};
use super::source::{Following, announce, follow};
use super::tick::Snapshot;
use super::tick::run_ticks;
use super::tick::{Breach, Check};
use super::tick::{Memory, Ticker};
use crate::hub::Hub;
use tidegate_core::journal::writer::Writer;
use tidegate_core::plan::{Past, PlacementMode};
use tidegate_git::{Mirror, Reference, Remote};
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::Instance;
use tidegate_model::time::Timestamp;
use tidegate_signature::SigningKey;

/// The configuration of the daemon.
#[derive(Debug, Clone)]
pub struct Config {
    /// The config repository.
    pub remote: Remote,
    /// The branch, tag or range of versions to follow.
    pub reference: Reference,
    /// Which revisions are trusted.
    pub policy: Policy,
    /// The directory of declarations; empty to use the one in `tidegate.toml`.
    pub path: String,
    /// The journal's branch; `None` to use the one in `tidegate.toml`.
    pub journal_branch: Option<String>,
    /// The key that signs the commits of the journal; `None` if they are not signed.
    pub signer: Option<Arc<SigningKey>>,
    /// The directory of the mirror of the repository.
    pub state_dir: PathBuf,
    /// The writer of the journal, unique to this process.
    pub writer: Writer,
    /// The identity that the instance gets if its journal has none yet, and its name.
    pub instance: Instance,
    /// How often to poll Git, and to look for another daemon in the journal.
    pub poll: Duration,
    /// How long to gather changes into one commit of the journal.
    pub journal_interval: Duration,
    /// The pauses between retries when a remote fails.
    pub backoff: Backoff,
    /// Which scheduler chooses clusters.
    pub placement_mode: PlacementMode,
    /// Whether the independent checker sees the input of every plan, and ends the daemon if a rule was broken.
    pub check: bool,
    /// Whether news is also written to the hub as Kubernetes Events.
    pub events: bool,
}

/// Why a daemon could not start, or ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The config repository could not be read at the start.
    #[error("the config repository cannot be followed")]
    Source(#[source] source::Error),
    /// The journal could not be read at the start.
    #[error("the journal cannot be opened")]
    Journal(#[source] journal::Error),
    /// A task ended unexpectedly.
    #[error("a task of the daemon ended unexpectedly")]
    Task(#[source] tokio::task::JoinError),
    /// Another daemon keeps the same journal, and started first.
    #[error(transparent)]
    Rival(journal::Error),
    /// The daemon was stopped before all entries of the journal could be pushed.
    #[error(
        "stopped, but {} of the journal could not be pushed to branch {branch}: {} only in {dir:?}, and the next start with the \
         same --state-dir pushes {}",
        counted(*entries), if *entries == 1 { "it is" } else { "they are" }, if *entries == 1 { "it" } else { "them" }
    )]
    Unpushed {
        /// Number of entries.
        entries: usize,
        /// The journal's branch.
        branch: String,
        /// The directory that holds them.
        dir: PathBuf,
    },
    /// The checker found that rules were broken.
    #[error("rules were broken, which is a bug in Tidegate; nothing more is written; please report this:{0}")]
    Breach(Breach),
}

impl Error {
    /// Returns `true` if the configuration is wrong, as opposed to an outage.
    pub fn is_mistake(&self) -> bool {
        match self {
            Self::Source(source::Error::Nothing { .. }) | Self::Journal(journal::Error::Unidentified { .. }) => true,
            Self::Source(source::Error::Git(error)) | Self::Journal(journal::Error::Git(error)) => {
                matches!(
                    error,
                    tidegate_git::Error::Branch { .. }
                        | tidegate_git::Error::Token { .. }
                        | tidegate_git::Error::Open { .. }
                        | tidegate_git::Error::Foreign { .. }
                        | tidegate_git::Error::InUse { .. }
                )
            }
            _ => false,
        }
    }

    /// Returns `true` if Git could not be used at the start, as opposed to a failure while the daemon ran.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Source(_) | Self::Journal(_))
    }
}

/// A daemon that has read the repository and the journal once and is ready to run.
pub struct Daemon {
    config: Config,
    hub: Arc<Hub>,
    clock: Clock,
    metrics: Metrics,
    source: Source,
    journal_branch: JournalBranch,
    memory: Memory,
    followed: watch::Sender<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    look: watch::Sender<()>,
}

fn counted(entries: usize) -> String {
    if entries == 1 { "one entry".to_owned() } else { format!("{entries} entries") }
}

/// Why a task ended the daemon.
enum Ended {
    Unpushed(Unpushed),
    Breach(Breach),
    Rival(journal::Error),
}

impl Daemon {
    /// Reads the repository and the journal once.
    ///
    /// # Errors
    /// [`Error`] if Git cannot be reached: at the start, this is more likely a misconfiguration than an outage.
    pub async fn start(config: Config, hub: Hub, clock: Clock, metrics: Metrics) -> Result<Self, Error> {
        let opened = tokio::task::spawn_blocking({
            let (config, now) = (config.clone(), clock.now());
            move || open(&config, now)
        });
        let Opened { source, journal_branch, memory, followed } = opened.await.map_err(Error::Task)??;
        Ok(Self {
            config,
            hub: Arc::new(hub),
            clock,
            metrics,
            source,
            journal_branch,
            memory,
            followed: watch::Sender::new(followed),
            snapshots: watch::Sender::new(Arc::new(Snapshot::default())),
            look: watch::Sender::new(()),
        })
    }

    /// Returns a channel with the outcome of the latest tick.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.subscribe()
    }

    /// Returns a channel that makes the daemon poll Git now, as a webhook does. Many requests cost no more than one.
    pub fn look(&self) -> watch::Sender<()> {
        self.look.clone()
    }

    /// Runs until stopped.
    ///
    /// # Errors
    /// [`Error::Task`] if a task ended by itself, [`Error::Breach`] if a rule was broken, and [`Error::Rival`] if another
    /// daemon keeps the same journal. After a breach, the journal is still completed. [`Error::Unpushed`] if the daemon was
    /// stopped and entries of the journal could not be pushed.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Error> {
        let Self { config, hub, clock, metrics, source, journal_branch, memory, followed, snapshots, look } = self;
        let check = Check::new(config.check);
        let stop = stop.child_token();
        let mut tasks = JoinSet::new();
        let mut announcer = Announcer::default();
        if config.events {
            let (drafts, waiting) = mpsc::channel(events::QUEUE);
            announcer = Announcer::new(drafts, metrics.events.clone());
            let from = (clock.clone(), config.writer.name.clone());
            tasks.spawn(events::publish(hub.clone(), waiting, from, metrics.events.clone(), stop.clone()).map(Ok));
        }
        let ticker = Ticker::new(hub.clone(), clock.clone(), config.placement_mode, metrics.clone(), check, memory);
        let ticker = ticker.with_announcer(announcer).remember(journal_branch.journal().hub_version());
        let seen = followed.subscribe();
        let latest = snapshots.subscribe();
        if let Some(first) = followed.borrow().as_ref() {
            announce(first);
        }
        // The journal task ends when the loop has dropped its sender, so that the last tick is journaled.
        let following = Following {
            remote: config.remote,
            poll: config.poll,
            backoff: config.backoff,
            look,
            metrics: metrics.clone(),
            clock: clock.clone(),
        };
        tasks.spawn(follow(source, followed, following, stop.clone()).map(Ok));
        let fresh = watch::Sender::new(0);
        let halted = hub.clone();
        tasks.spawn(
            run_ticks(ticker, hub, seen, snapshots, clock.clone(), (fresh.subscribe(), stop.clone()))
                .map(|end| end.map_err(Ended::Breach)),
        );
        let pace = Pace { interval: config.journal_interval, poll: config.poll, backoff: config.backoff };
        let kept = write_journal(journal_branch, latest, (pace, fresh), clock, metrics);
        let ending = stop.clone();
        // Once another daemon is known to be at work, nothing more may be written, not even the rest of a tick.
        let stopped = move |rival| {
            halted.halt();
            ending.cancel();
            Ended::Rival(rival)
        };
        tasks.spawn(kept.map(move |end| match end {
            Ok(None) => Ok(()),
            Ok(Some(unpushed)) => Err(Ended::Unpushed(unpushed)),
            Err(rival) => Err(stopped(rival)),
        }));
        let mut outcome = Ok(());
        while let Some(ended) = tasks.join_next().await {
            if let Err(why) = ended.map_err(Error::Task)? {
                let dir = config.state_dir.clone();
                let why = match why {
                    Ended::Breach(breach) => Error::Breach(breach),
                    Ended::Rival(rival) => Error::Rival(rival),
                    Ended::Unpushed(Unpushed { entries, branch }) => Error::Unpushed { entries, branch, dir },
                };
                // The first reason is the one that ended the daemon.
                outcome = outcome.and(Err(why));
                stop.cancel();
            }
        }
        outcome
    }
}

/// The state that was read at the start.
struct Opened {
    source: Source,
    journal_branch: JournalBranch,
    memory: Memory,
    followed: Option<Followed>,
}

fn open(config: &Config, now: Timestamp) -> Result<Opened, Error> {
    let failed = |error| Error::Source(source::Error::Git(error));
    let mut mirror = Mirror::open(&config.state_dir, config.remote.clone()).map_err(failed)?;
    if let Some(key) = config.signer.clone() {
        mirror = mirror.with_signer(Box::new(move |payload| key.sign(payload).map_err(|error| error.to_string())));
    }
    let mirror = Arc::new(mirror);
    match open_in(&mirror, config, now) {
        Err(error) if is_recovered(&mirror, &error) => open_in(&mirror, config, now),
        opened => opened,
    }
}

/// Creates the mirror again if damage to it caused an error at the start of the daemon. Returns `true` if so.
fn is_recovered(mirror: &Mirror, error: &Error) -> bool {
    let caused = match error {
        Error::Source(source::Error::Git(error)) | Error::Journal(journal::Error::Git(error)) => error,
        _ => return false,
    };
    mirror.recover(caused).unwrap_or(false)
}

fn open_in(mirror: &Arc<Mirror>, config: &Config, now: Timestamp) -> Result<Opened, Error> {
    let failed = |error| Error::Source(source::Error::Git(error));
    let branch = match &config.journal_branch {
        Some(branch) => branch.clone(),
        None => source::journal_branch(mirror, &config.reference).map_err(Error::Source)?,
    };
    let shares_journal = source::is_branch(&config.reference, &branch);
    let prefix = if shares_journal { STATUS_DIRECTORY } else { "" };
    let mut journal_branch =
        JournalBranch::open(mirror.clone(), &branch, prefix, config.writer.clone()).map_err(Error::Journal)?;
    journal_branch = journal_branch.with_followed(config.reference.clone());
    let before = journal_branch.journal().clone();
    // Check this before the identity is committed: that commit is signed by us, too, but proves nothing about its ancestors.
    let is_proven = match &config.signer {
        Some(key) => journal_branch.is_signed_by(key).map_err(failed)?,
        None => false,
    };
    let identity = journal_branch.identify(&config.instance, now).map_err(Error::Journal)?;
    let follow = Follow {
        reference: config.reference.clone(),
        path: config.path.clone(),
        policy: config.policy.clone(),
        shares_journal,
        state_dir: config.state_dir.clone(),
        journal: OwnJournal { branch: branch.clone(), prefix, instance: identity.id.clone() },
    };
    // The held add-ons must be taken from the journal before the repository is polled.
    let mut source = Source::new(mirror.clone(), follow);
    source.resume(&before, is_proven).map_err(failed)?;
    let memory = Memory {
        instance: identity.instance(),
        past: Past {
            proof: source.proof(&before, identity.had_journal.then_some(identity.since)),
            readings: before.readings(),
            report: Arc::new(before.report()),
            ..Past::default()
        },
    };
    let followed = source.poll().map_err(Error::Source)?;
    Ok(Opened { source, journal_branch, memory, followed })
}
