//! The tasks of the daemon, and how they end.
//!
//! `source` follows Git, `loop` ticks, `journal` commits what the ticks found. They pass values through `watch` channels,
//! which keep only the latest one: a slow reader skips the values in between. A task `checks` measures what ticks request for the checks of
//! policies. On a stop signal, the loop finishes its tick,
//! the journal commits and pushes what is left, and the daemon ends. A fourth task, `events`, writes Kubernetes Events if
//! they are enabled, and a fifth one, `notify`, notifies receivers if there are any. Companions, such as the server of the metrics, run next to them; if one dies, the daemon ends.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::config::Config;
use super::error::Error;
use super::start::{Opened, Reviews, open};
use crate::hub::Hub;
use crate::reconciler::announce::Announcer;
use crate::reconciler::checks::{Servers, exchange, measure};
use crate::reconciler::clock::Clock;
use crate::reconciler::events;
use crate::reconciler::forge::{Reviewing, review};
use crate::reconciler::journal::{self, JournalBranch, Unpushed};
use crate::reconciler::journal::{Pace, rival_check, write_journal};
use crate::reconciler::metrics::Metrics;
use crate::reconciler::notification;
use crate::reconciler::source::{Followed, Source};
use crate::reconciler::source::{Following, announce, follow};
use crate::reconciler::tick::Snapshot;
use crate::reconciler::tick::run_ticks;
use crate::reconciler::tick::{Breach, Check};
use crate::reconciler::tick::{Memory, Ticker};

/// A daemon that has read the repository and the journal once and is ready to run.
pub struct Daemon {
    config: Config,
    hub: Arc<Hub>,
    clock: Clock,
    metrics: Metrics,
    source: Source,
    journal_branch: JournalBranch,
    memory: Memory,
    reviews: Reviews,
    followed: watch::Sender<Option<Followed>>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    look: watch::Sender<()>,
    /// Subscribed before the repository is read, so that no request is lost while the daemon starts.
    asked: watch::Receiver<()>,
    companions: Vec<Companion>,
}

/// A task that runs as long as the daemon does. It gets the token that stops it.
type Companion = Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, ()> + Send>;

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
        let hub = Arc::new(hub);
        let (look, asked) = watch::channel(());
        let opened = tokio::task::spawn_blocking({
            let (config, hub, clock) = (config.clone(), Arc::clone(&hub), clock.clone());
            move || open(&config, &hub, &clock)
        });
        let Opened { source, journal_branch, memory, followed, reviews } = opened.await.map_err(Error::Task)??;
        Ok(Self {
            config,
            hub,
            clock,
            metrics,
            source,
            journal_branch,
            memory,
            reviews,
            followed: watch::Sender::new(followed),
            snapshots: watch::Sender::new(Arc::new(Snapshot::default())),
            look,
            asked,
            companions: Vec::new(),
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

    /// Runs a task next to those of the daemon, until the token that it gets is cancelled. If the task panics, the daemon ends
    /// with [`Error::Task`].
    #[must_use]
    pub fn with_companion<F: Future<Output = ()> + Send + 'static>(
        mut self,
        task: impl FnOnce(CancellationToken) -> F + Send + 'static,
    ) -> Self {
        self.companions.push(Box::new(|stop| task(stop).boxed()));
        self
    }

    /// Runs until stopped.
    ///
    /// # Errors
    /// [`Error::Task`] if a task ended by itself, [`Error::Breach`] if a rule was broken, and [`Error::Rival`] if another
    /// daemon keeps the same journal. After a breach, the journal is still completed. [`Error::Unpushed`] if the daemon was
    /// stopped and entries of the journal could not be pushed.
    pub async fn run(self, stop: CancellationToken) -> Result<(), Error> {
        let Self {
            config,
            hub,
            clock,
            metrics,
            source,
            journal_branch,
            memory,
            reviews,
            followed,
            snapshots,
            look,
            asked,
            companions,
        } = self;
        let check = Check::new(config.check);
        let stop = stop.child_token();
        let mut tasks = JoinSet::new();
        for companion in companions {
            tasks.spawn(companion(stop.clone()).map(Ok));
        }
        let mut announcer = Announcer::default();
        if config.events {
            let (drafts, waiting) = mpsc::channel(events::QUEUE);
            announcer = Announcer::new(drafts, metrics.events.clone());
            let from = (clock.clone(), config.writer.name.clone());
            tasks.spawn(events::publish(hub.clone(), waiting, from, metrics.events.clone(), stop.clone()).map(Ok));
        }
        let instance = memory.instance.clone();
        if !config.notify.is_empty() {
            let (notices, waiting) = mpsc::channel(notification::QUEUE);
            announcer = announcer.with_notices(notices, metrics.notifications.clone());
            let sender = notification::Sender {
                transport: config.transport,
                clock: clock.clone(),
                instance: memory.instance.clone(),
                metrics: metrics.notifications.clone(),
            };
            tasks.spawn(notification::dispatch(config.notify, waiting, sender, stop.clone()).map(Ok));
        }
        let ticker = Ticker::new(
            hub.clone(),
            clock.clone(),
            (config.placement_mode, config.delivery),
            metrics.clone(),
            check,
            memory,
        );
        let (exchange, desk) = exchange();
        tasks.spawn(measure(desk, Servers::new(config.checks), clock.clone(), stop.clone()).map(Ok));
        let ticker = ticker.with_announcer(announcer).with_exchange(exchange);
        let ticker = ticker.remember(journal_branch.journal().hub_version());
        let seen = followed.subscribe();
        let latest = snapshots.subscribe();
        if let Some(first) = followed.borrow().as_ref() {
            announce(first);
        }
        let (pulls, reviewed) = watch::channel(reviews.known);
        let ticker = if config.forge.is_some() { ticker.with_pulls(reviewed) } else { ticker };
        if let Some((forge, branch)) = config.forge.zip(config.reference.branch().map(str::to_owned)) {
            let reviewing = Reviewing {
                config: forge,
                trees: reviews.trees,
                branch,
                instance,
                floor: config.floor.policies,
                hub: hub.clone(),
                clock: clock.clone(),
                journal: reviews.journal,
                followed: followed.subscribe(),
                snapshots: snapshots.subscribe(),
                pulls,
                look: asked.clone(),
                backoff: config.backoff,
            };
            tasks.spawn(review(reviewing, stop.clone()).map(Ok));
        }
        // The journal task ends when the loop has dropped its sender, so that the last tick is journaled.
        let following = Following {
            remote: config.remote,
            poll: config.poll,
            backoff: config.backoff,
            look,
            asked,
            metrics: metrics.clone(),
            snapshots: snapshots.subscribe(),
            clock: clock.clone(),
        };
        tasks.spawn(follow(source, followed, following, stop.clone()).map(Ok));
        let fresh = watch::Sender::new(0);
        let (rival_check, checks) = rival_check();
        let halted = hub.clone();
        tasks.spawn(
            run_ticks(ticker, hub, seen, snapshots, clock.clone(), (fresh.subscribe(), rival_check, stop.clone()))
                .map(|end| end.map_err(Ended::Breach)),
        );
        let pace = Pace { interval: config.journal_interval, poll: config.poll, backoff: config.backoff };
        let journal_task = write_journal(journal_branch, latest, (pace, fresh, checks), clock, metrics);
        let ending = stop.clone();
        // Once another daemon is known to be at work, nothing more may be written, not even the rest of a tick.
        let stopped = move |rival| {
            halted.halt();
            ending.cancel();
            Ended::Rival(rival)
        };
        tasks.spawn(journal_task.map(move |end| match end {
            Ok(None) => Ok(()),
            Ok(Some(unpushed)) => Err(Ended::Unpushed(unpushed)),
            Err(rival) => Err(stopped(rival)),
        }));
        let mut outcome = Ok(());
        while let Some(ended) = tasks.join_next().await {
            let dir = config.state_dir.clone();
            let why = match ended {
                Ok(Ok(())) => continue,
                // The other tasks still end in order, so that the journal is completed.
                Err(panic) => Error::Task(panic),
                Ok(Err(Ended::Breach(breach))) => Error::Breach(breach),
                Ok(Err(Ended::Rival(rival))) => Error::Rival(rival),
                Ok(Err(Ended::Unpushed(Unpushed { entries, branch }))) => Error::Unpushed { entries, branch, dir },
            };
            // The first reason is the one that ended the daemon.
            outcome = outcome.and(Err(why));
            stop.cancel();
        }
        outcome
    }
}
