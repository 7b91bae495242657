//! The three tasks of the daemon, and how they end.
//!
//! `source` follows Git, `loop` ticks, `journal` commits what the ticks found. They hand on values by `watch` channels, in which
//! only the latest counts: a slow reader skips what is overtaken. When told to stop, the loop finishes its tick, the journal
//! commits and pushes what is left, and the daemon ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::check::{Breach, Check};
use super::clock::Clock;
use super::journaling::{self, Journaling};
use super::metrics::Metrics;
use super::snapshot::Snapshot;
use super::source::{self, Followed, Source};
use super::tick::Ticker;
use crate::git::{self, Mirror, Remote};
use crate::hub::{Health, Hub};
use crate::plan::PlacementMode;
use crate::telemetry::chain::Chain;

/// What the daemon is told at its start.
#[derive(Debug, Clone)]
pub struct Config {
    /// The config repository.
    pub remote: Remote,
    /// The branch to follow.
    pub branch: String,
    /// The directory of declarations; empty for what `tidegate.toml` says.
    pub path: String,
    /// The journal's branch; `None` for what `tidegate.toml` says.
    pub journal_branch: Option<String>,
    /// Where the mirror of the repository lies.
    pub state_dir: PathBuf,
    /// How often Git is looked at.
    pub poll: Duration,
    /// For how long changes are gathered into one commit of the journal.
    pub journal_interval: Duration,
    /// Who chooses clusters.
    pub placement_mode: PlacementMode,
    /// Whether the independent checker looks at what every plan is made from, and ends the daemon if a rule was broken.
    pub check: bool,
}

/// Why a daemon could not start, or ended by itself.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The config repository could not be read at the start.
    #[error("the config repository cannot be followed")]
    Source(#[source] source::Error),
    /// The journal could not be read at the start.
    #[error("the journal cannot be opened")]
    Journal(#[source] journaling::Error),
    /// A task ended that should not have.
    #[error("a task of the daemon ended unexpectedly")]
    Task(#[source] tokio::task::JoinError),
    /// The checker found that rules were broken.
    #[error("rules were broken, which is a fault of Tidegate: nothing more is written; please report this:{0}")]
    Breach(Breach),
}

impl Error {
    /// Says whether Git could not be reached, as opposed to a fault of what is there.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Source(_) | Self::Journal(_))
    }
}

/// A daemon that has read the repository and the journal once, and is ready to run.
pub struct Daemon {
    config: Config,
    hub: Arc<Hub>,
    clock: Clock,
    metrics: Metrics,
    source: Source,
    journaling: Journaling,
    followed: watch::Sender<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
}

/// How long a failing remote is left alone, at first and at most.
const BACK_OFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// The loop looks at everything this often even if nothing says so.
const PERIOD: Duration = Duration::from_secs(60);
/// Events of one burst are gathered for so long into one tick: long enough for a batch of acknowledgements, too short to notice.
const DEBOUNCE: Duration = Duration::from_millis(50);
/// Being away is told this often.
const REMIND: Duration = Duration::from_secs(60);

impl Daemon {
    /// Reads the repository and the journal once.
    ///
    /// # Errors
    /// [`Error`] if Git cannot be reached: at the start this is more likely a mistake than an outage.
    pub async fn start(config: Config, hub: Hub, clock: Clock, metrics: Metrics) -> Result<Self, Error> {
        let opened = tokio::task::spawn_blocking({
            let config = config.clone();
            move || open(&config)
        });
        let (source, journaling, followed) = opened.await.map_err(Error::Task)??;
        Ok(Self {
            config,
            hub: Arc::new(hub),
            clock,
            metrics,
            source,
            journaling,
            followed: watch::Sender::new(followed),
            snapshots: watch::Sender::new(Arc::new(Snapshot::default())),
        })
    }

    /// Returns where the outcome of each tick is to be seen.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.subscribe()
    }

    /// Runs until told to stop.
    ///
    /// # Errors
    /// [`Error::Task`] if a task ended by itself, and [`Error::Breach`] if a rule was broken; the journal is kept to its end
    /// then.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Error> {
        let Self { config, hub, clock, metrics, source, journaling, followed, snapshots } = self;
        let check = Check::new(config.check);
        let ticker = Ticker::new(hub.clone(), clock.clone(), config.placement_mode, metrics.clone(), check);
        let stop = stop.child_token();
        let mut tasks = JoinSet::new();
        let seen = followed.subscribe();
        let latest = snapshots.subscribe();
        // The journal ends when the loop has dropped its sender, so that the last tick is told.
        tasks.spawn(follow(source, followed, config.clone(), metrics.clone(), stop.clone()).map(Ok));
        tasks.spawn(turn(ticker, hub, seen, snapshots, clock.clone(), stop.clone()));
        tasks.spawn(keep(journaling, latest, config.journal_interval, clock, metrics).map(Ok));
        let mut outcome = Ok(());
        while let Some(ended) = tasks.join_next().await {
            if let Err(breach) = ended.map_err(Error::Task)? {
                outcome = Err(Error::Breach(breach));
                stop.cancel();
            }
        }
        outcome
    }
}

fn open(config: &Config) -> Result<(Source, Journaling, Option<Followed>), Error> {
    let mirror = Arc::new(
        Mirror::open(&config.state_dir, config.remote.clone())
            .map_err(|error| Error::Source(source::Error::Git(error)))?,
    );
    let branch = match &config.journal_branch {
        Some(branch) => branch.clone(),
        None => source::journal_branch(&mirror, &config.branch).map_err(Error::Source)?,
    };
    let journaling = Journaling::open(mirror.clone(), &branch, &config.branch).map_err(Error::Journal)?;
    // What the journal knows of held add-ons counts before the repository is looked at.
    let mut source = Source::new(mirror, &config.branch, &config.path);
    source.resume(journaling.journal()).map_err(|error| Error::Source(source::Error::Git(error)))?;
    let followed = source.poll().map_err(Error::Source)?;
    Ok((source, journaling, followed))
}

/// Follows Git: on a local change, and on a period. Failures are told at first and then once a minute, and tried again.
async fn follow(
    mut source: Source,
    followed: watch::Sender<Option<Followed>>,
    config: Config,
    metrics: Metrics,
    stop: CancellationToken,
) {
    let (poke, mut poked) = watch::channel(());
    // Nobody listens any more when the task ends, and then nothing is lost.
    let watcher = git::watch(&config.remote, move || poke.send(()).unwrap_or_default());
    if let Err(error) = &watcher {
        tracing::warn!(error = %Chain(error), "local repository cannot be watched; it is looked at from time to time");
    }
    let mut outage = Outage::default();
    loop {
        let pause = outage.pause().unwrap_or(config.poll);
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
            // Without a watcher the sender is gone, and there is nothing but the period.
            Ok(()) = poked.changed() => {}
        }
        let polling = tokio::task::spawn_blocking(move || (source.poll(), source));
        let (polled, back) = tokio::select! {
            polled = polling => match polled {
                Ok(polled) => polled,
                Err(_) => break,
            },
            // A remote that does not answer must not hold up the end; what it would have said is asked again at the next start.
            () = stop.cancelled() => break,
        };
        source = back;
        match polled {
            Ok(change) => {
                outage.over("config repository");
                if let Some(change) = change {
                    announce(&change);
                    followed.send_replace(Some(change));
                }
            }
            Err(error) => {
                metrics.source_failures.inc();
                outage.tell("config repository", &Chain(&error).to_string());
            }
        }
    }
    drop(watcher);
}

fn announce(change: &Followed) {
    let commit = change.facts.seen.as_ref().map(|seen| seen.commit.short().to_owned()).unwrap_or_default();
    tracing::info!(commit, complaints = change.facts.complaints.len(), "revision seen");
    for complaint in &change.facts.complaints {
        tracing::warn!(commit, %complaint, "complaint");
    }
}

/// Ticks: when the repository or the hub has changed, when a moment has come, and on a period; ends if a rule was broken.
async fn turn(
    mut ticker: Ticker,
    hub: Arc<Hub>,
    mut followed: watch::Receiver<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    clock: Clock,
    stop: CancellationToken,
) -> Result<(), Breach> {
    loop {
        let current = followed.borrow_and_update().clone();
        let mut pause = PERIOD;
        // While the hub is away, what is known of it is from before; the hub edge says so and tries again.
        if let (Some(current), Health::Connected) = (current, hub.health()) {
            match ticker.prepare(&current).await {
                Ok(()) => {
                    let ticked = ticker.tick(&current).await?;
                    pause = ticked.pause(clock.now(), pause);
                    snapshots.send_replace(Arc::new(ticked.snapshot));
                }
                Err(error) => {
                    pause = BACK_OFF.0;
                    tracing::warn!(error = %Chain(&error), "hub not seen completely yet");
                }
            }
        } else {
            pause = BACK_OFF.0;
        }
        let changed = async {
            tokio::select! {
                () = hub.changed() => {}
                Ok(()) = followed.changed() => {}
            }
            tokio::time::sleep(DEBOUNCE).await;
        };
        tokio::select! {
            () = stop.cancelled() => break,
            () = changed => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
    let current = followed.borrow().clone();
    current.map_or(Ok(()), |current| ticker.look_back(&current))
}

/// Keeps the journal: what the ticks found, gathered for an interval; and once more at the end.
async fn keep(
    mut journaling: Journaling,
    mut latest: watch::Receiver<Arc<Snapshot>>,
    interval: Duration,
    clock: Clock,
    metrics: Metrics,
) {
    let mut outage = Outage::default();
    let mut is_ending = false;
    while !is_ending {
        let retry = outage.pause().unwrap_or(PERIOD);
        tokio::select! {
            changed = latest.changed() => is_ending = changed.is_err(),
            () = tokio::time::sleep(retry), if journaling.is_behind() => {}
        }
        let snapshot = latest.borrow_and_update().clone();
        let began = Instant::now();
        if snapshot.tick > 0 {
            let now = clock.now();
            let work = move || {
                let committed = journaling.commit(&snapshot.report, &snapshot.facts, now);
                let pushed = journaling.push();
                (journaling, committed, pushed)
            };
            let Ok((back, committed, pushed)) = tokio::task::spawn_blocking(work).await else { break };
            journaling = back;
            if let Ok(true) = committed {
                metrics.journal_commits.inc();
            }
            match committed.map(drop).and(pushed) {
                Ok(()) => outage.over("journal"),
                Err(error) => {
                    metrics.journal_push_failures.inc();
                    outage.tell("journal", &Chain(&error).to_string());
                }
            }
        }
        if !is_ending {
            let ended = async { while latest.changed().await.is_ok() {} };
            tokio::select! {
                () = tokio::time::sleep_until(began + interval) => latest.mark_changed(),
                () = ended => {}
            }
        }
    }
}

/// Something that is away: told at first and once a minute, tried again after a growing pause.
#[derive(Debug, Default)]
struct Outage {
    since: Option<Instant>,
    told: Option<Instant>,
    tries: u32,
}

impl Outage {
    fn pause(&self) -> Option<Duration> {
        self.since?;
        Some((BACK_OFF.0 * 2_u32.saturating_pow(self.tries.saturating_sub(1).min(6))).min(BACK_OFF.1))
    }

    fn tell(&mut self, what: &str, error: &str) {
        let now = Instant::now();
        let since = *self.since.get_or_insert(now);
        self.tries += 1;
        if self.told.is_none_or(|told| now.duration_since(told) >= REMIND) {
            self.told = Some(now);
            let seconds = now.duration_since(since).as_secs();
            tracing::warn!(what, error, away_seconds = seconds, "away; trying again until it is back");
        }
    }

    fn over(&mut self, what: &str) {
        if let Some(since) = self.since.take() {
            tracing::info!(what, away_seconds = since.elapsed().as_secs(), "back");
        }
        *self = Self::default();
    }
}
