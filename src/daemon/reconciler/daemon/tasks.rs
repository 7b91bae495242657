//! The tasks of the daemon, and how they end.
//!
//! `source` follows Git, `loop` ticks, `journal` commits what the ticks found. They pass values through `watch` channels,
//! which keep only the latest one: a slow reader skips the values in between. On a stop signal, the loop finishes its tick, the
//! journal commits and pushes what is left, and the daemon ends.
//!
//! `checks` measures what ticks request for the checks of policies. If they are enabled, `events` writes Kubernetes Events,
//! `notification` notifies receivers, and `forge` follows pull requests. Companions, such as the server of the metrics, run next to
//! them; if one dies, the daemon ends.

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
use crate::reconciler::checks::{Exchange, Servers, exchange, measure};
use crate::reconciler::clock::Clock;
use crate::reconciler::events;
use crate::reconciler::forge::{Reviewing, review};
use crate::reconciler::journal::{self, JournalBranch, Unpushed};
use crate::reconciler::journal::{Pace, rival_check, write_journal};
use crate::reconciler::metrics::Metrics;
use crate::reconciler::notification;
use crate::reconciler::snapshot::Snapshot;
use crate::reconciler::source::{Followed, Source};
use crate::reconciler::source::{Following, announce, follow};
use crate::reconciler::tick::run_ticks;
use crate::reconciler::tick::{Breach, Check};
use crate::reconciler::tick::{Memory, Ticker};
use tidegate_journal::pulls::PullFacts;
use tidegate_recording::Recorder;

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
    recorder: Option<Recorder>,
}

/// A task that runs as long as the daemon does. It gets the token that stops it.
type Companion = Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, ()> + Send>;

/// The running tasks. A task that ends with an error ends the daemon.
type Tasks = JoinSet<Result<(), Ended>>;

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
    pub async fn start(
        config: Config,
        hub: impl Into<Arc<Hub>>,
        clock: Clock,
        metrics: Metrics,
    ) -> Result<Self, Error> {
        let hub = hub.into();
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
            recorder: None,
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

    /// Records what every plan is made from.
    #[must_use]
    pub fn with_recorder(self, recorder: Recorder) -> Self {
        Self { recorder: Some(recorder), ..self }
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
        let dir = self.config.state_dir.clone();
        let stop = stop.child_token();
        let mut tasks = self.spawn(&stop);
        let mut outcome = Ok(());
        while let Some(ended) = tasks.join_next().await {
            let why = match ended {
                Ok(Ok(())) => continue,
                // The other tasks still end in order, so that the journal is completed.
                Err(panic) => Error::Task(panic),
                Ok(Err(Ended::Breach(breach))) => Error::Breach(breach),
                Ok(Err(Ended::Rival(rival))) => Error::Rival(rival),
                Ok(Err(Ended::Unpushed(Unpushed { entries, branch }))) => {
                    Error::Unpushed { entries, branch, dir: dir.clone() }
                }
            };
            // The first reason is the one that ended the daemon.
            outcome = outcome.and(Err(why));
            stop.cancel();
        }
        outcome
    }

    /// Starts all tasks.
    fn spawn(mut self, stop: &CancellationToken) -> Tasks {
        let mut tasks = Tasks::new();
        for companion in std::mem::take(&mut self.companions) {
            tasks.spawn(companion(stop.clone()).map(Ok));
        }
        if let Some(first) = self.followed.borrow().as_ref() {
            announce(first);
        }
        let announcer = self.spawn_announcer(&mut tasks, stop);
        let exchange = self.spawn_checks(&mut tasks, stop);
        let reviewed = self.spawn_forge(&mut tasks, stop);
        let recorder = self.recorder.take();
        let Self {
            config, hub, clock, metrics, source, journal_branch, memory, followed, snapshots, look, asked, ..
        } = self;
        let mut ticker = Ticker::new(
            hub.clone(),
            clock.clone(),
            (config.placement_mode, config.delivery),
            metrics.clone(),
            Check::new(config.check),
            memory,
        )
        .with_announcer(announcer)
        .with_exchange(exchange)
        .with_recording(recorder)
        .remember(journal_branch.journal().hub_version());
        if let Some(reviewed) = reviewed {
            ticker = ticker.with_pulls(reviewed);
        }
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
        let (seen, latest) = (followed.subscribe(), snapshots.subscribe());
        tasks.spawn(follow(source, followed, following, stop.clone()).map(Ok));
        let fresh = watch::Sender::new(0);
        let (rival_check, checks) = rival_check();
        let ticks = (fresh.subscribe(), rival_check, stop.clone());
        // The journal task ends when the loop has dropped its sender, so that the last tick is journaled.
        let run = run_ticks(ticker, hub.clone(), seen, snapshots, clock.clone(), ticks);
        tasks.spawn(run.map(|end| end.map_err(Ended::Breach)));
        let pace = Pace { interval: config.journal_interval, poll: config.poll, backoff: config.backoff };
        let journal_task = write_journal(journal_branch, latest, (pace, fresh, checks), clock, metrics);
        let ending = stop.clone();
        // Once another daemon is known to be at work, nothing more may be written, not even the rest of a tick.
        let stopped = move |rival| {
            hub.halt();
            ending.cancel();
            Ended::Rival(rival)
        };
        tasks.spawn(journal_task.map(move |end| match end {
            Ok(None) => Ok(()),
            Ok(Some(unpushed)) => Err(Ended::Unpushed(unpushed)),
            Err(rival) => Err(stopped(rival)),
        }));
        tasks
    }

    /// Starts the tasks that write Events and notify receivers, if they are enabled.
    fn spawn_announcer(&mut self, tasks: &mut Tasks, stop: &CancellationToken) -> Announcer {
        let (config, metrics) = (&mut self.config, &self.metrics);
        let mut announcer = Announcer::default();
        if config.events {
            let (drafts, waiting) = mpsc::channel(events::QUEUE);
            announcer = Announcer::new(drafts, metrics.events.clone());
            let from = (self.clock.clone(), config.writer.name.clone());
            let publish = events::publish(self.hub.clone(), waiting, from, metrics.events.clone(), stop.clone());
            tasks.spawn(publish.map(Ok));
        }
        if !config.notify.is_empty() {
            let (notices, waiting) = mpsc::channel(notification::QUEUE);
            announcer = announcer.with_notices(notices, metrics.notifications.clone());
            let sender = notification::Sender {
                transport: config.transport.clone(),
                clock: self.clock.clone(),
                instance: self.memory.instance.clone(),
                metrics: metrics.notifications.clone(),
            };
            let receivers = std::mem::take(&mut config.notify);
            tasks.spawn(notification::dispatch(receivers, waiting, sender, stop.clone()).map(Ok));
        }
        announcer
    }

    /// Starts the task that measures what checks ask for.
    fn spawn_checks(&mut self, tasks: &mut Tasks, stop: &CancellationToken) -> Exchange {
        let (exchange, desk) = exchange();
        let servers = Servers::new(std::mem::take(&mut self.config.checks));
        tasks.spawn(measure(desk, servers, self.clock.clone(), stop.clone()).map(Ok));
        exchange
    }

    /// Starts the task that follows pull requests, if there is a forge. Returns the channel with what it knows.
    fn spawn_forge(&mut self, tasks: &mut Tasks, stop: &CancellationToken) -> Option<watch::Receiver<PullFacts>> {
        let config = self.config.forge.take()?;
        let (pulls, reviewed) = watch::channel(std::mem::take(&mut self.reviews.known));
        // Pull requests are merged into a branch: a tag or a commit has none.
        if let Some(branch) = self.config.reference.branch().map(str::to_owned) {
            let reviewing = Reviewing {
                config,
                trees: self.reviews.trees.clone(),
                branch,
                instance: self.memory.instance.clone(),
                floor: self.config.floor.policies.clone(),
                hub: self.hub.clone(),
                clock: self.clock.clone(),
                journal: self.reviews.journal.clone(),
                followed: self.followed.subscribe(),
                snapshots: self.snapshots.subscribe(),
                pulls,
                look: self.asked.clone(),
                backoff: self.config.backoff,
            };
            tasks.spawn(review(reviewing, stop.clone()).map(Ok));
        }
        Some(reviewed)
    }
}
