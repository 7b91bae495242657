//! What a tick needs: the hub, the clock, and what is known from earlier ticks.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::check::Check;
use super::clock_watch::ClockWatch;
use super::delivery::Chooser;
use super::gaps::Gaps;
use super::refusals::Refusals;
use super::reverts::Reverts;
use super::signing::Signing;
use crate::hub::{self, Hub, Seen};
use crate::reconciler::absence::Part;
use crate::reconciler::announce::Announcer;
use crate::reconciler::checks::{Exchange, exchange};
use crate::reconciler::clock::Clock;
use crate::reconciler::metrics::Metrics;
use crate::reconciler::news::Recorder;
use crate::reconciler::source::Followed;
use tidegate_delivery::upstream::manager::Unknown;
use tidegate_delivery::upstream::{Delivery, DeliveryMode};
use tidegate_journal::pulls::PullFacts;
use tidegate_model::instance::Instance;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Memo, Past, PlacementMode};
use tidegate_repository::ClusterContents;
use tidegate_rollout::gate::checks::Observations;

/// The dependencies of a tick, and what it caches between ticks. A new process works correctly without that cache.
pub(crate) struct Ticker {
    pub(super) hub: Arc<Hub>,
    pub(super) clock: Clock,
    pub(super) placement_mode: PlacementMode,
    pub(super) chooser: Chooser,
    pub(super) metrics: Metrics,
    pub(super) check: Check,
    pub(super) memory: Memory,
    pub(super) memo: Memo,
    /// What clusters get of units whose definitions read the cluster.
    pub(super) contents: ClusterContents,
    pub(super) refusals: Refusals,
    pub(super) reverts: Reverts,
    pub(super) signing: Signing,
    pub(super) recorder: Recorder,
    pub(super) gaps: Gaps,
    pub(super) clock_watch: ClockWatch,
    pub(super) announcer: Announcer,
    pub(super) exchange: Exchange,
    pub(super) pulls: watch::Receiver<PullFacts>,
    /// The resourceVersion of the hub that the journal recorded, until it has been compared.
    pub(super) remembered: Option<u64>,
    pub(super) count: u64,
    /// Records what plans are made from.
    pub(super) recording: Option<tidegate_recording::Recorder>,
}

/// The identity of this instance, and what it observed and decided before.
#[derive(Debug)]
pub(crate) struct Memory {
    /// This instance.
    pub instance: Instance,
    /// What the journal and the last tick recorded.
    pub past: Past,
    /// When an earlier process is known to have looked at the hub last.
    pub looked: Option<Timestamp>,
}

/// Why no tick can be made now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unprepared {
    /// The hub is not fully observed.
    #[error(transparent)]
    Hub(#[from] hub::Error),
    /// It is not known who delivers.
    #[error(transparent)]
    Delivery(#[from] Unknown),
}

/// A list of ten thousand objects takes a second. A hub that needs more than this is as good as unreachable.
const LISTED: Duration = Duration::from_secs(10);

impl Ticker {
    /// Creates a ticker for a hub.
    pub(crate) fn new(
        hub: Arc<Hub>,
        clock: Clock,
        (placement_mode, delivery_mode): (PlacementMode, DeliveryMode),
        metrics: Metrics,
        check: Check,
        memory: Memory,
    ) -> Self {
        Self {
            hub,
            clock,
            placement_mode,
            chooser: Chooser::new(delivery_mode),
            metrics,
            check,
            gaps: Gaps::since(memory.looked),
            clock_watch: ClockWatch::default(),
            memory,
            memo: Memo::default(),
            contents: ClusterContents::default(),
            refusals: Refusals::default(),
            reverts: Reverts::default(),
            signing: Signing::default(),
            recorder: Recorder::default(),
            announcer: Announcer::default(),
            exchange: exchange().0,
            pulls: watch::channel(PullFacts::default()).1,
            remembered: None,
            count: 0,
            recording: None,
        }
    }

    /// Records what every plan is made from, if there is a recorder.
    #[must_use]
    pub(crate) fn with_recording(self, recording: Option<tidegate_recording::Recorder>) -> Self {
        Self { recording, ..self }
    }

    /// Reports news through this announcer, instead of only to the log.
    #[must_use]
    pub(crate) fn with_announcer(self, announcer: Announcer) -> Self {
        Self { announcer, ..self }
    }

    /// Lets checks of policies be measured by the task at the other end.
    #[must_use]
    pub(crate) fn with_exchange(self, exchange: Exchange) -> Self {
        Self { exchange, ..self }
    }

    /// Judges the pull requests in this channel.
    #[must_use]
    pub(crate) fn with_pulls(self, pulls: watch::Receiver<PullFacts>) -> Self {
        Self { pulls, ..self }
    }

    /// Returns a channel that shows when something new is known of pull requests.
    pub(crate) fn pulls(&self) -> watch::Receiver<PullFacts> {
        self.pulls.clone()
    }

    /// Returns a channel that shows when a check was measured.
    pub(crate) fn observations(&self) -> watch::Receiver<Arc<Observations>> {
        self.exchange.observations()
    }

    /// Sets the resourceVersion that the journal recorded for the hub. The hub is compared with it once it has been observed.
    pub(crate) fn remember(self, version: Option<u64>) -> Self {
        Self { remembered: version, ..self }
    }

    /// Watches every kind that the repository needs, waits until each has been listed once, and returns the observed
    /// state and who delivers. Objects of a kind that was not listed yet must not be treated as absent.
    ///
    /// # Errors
    /// [`Unprepared`]; the watches continue.
    pub(crate) async fn prepare(&mut self, followed: &Followed) -> Result<(Seen, Delivery), Unprepared> {
        let seen = self.hub.look_at_all(LISTED).await?;
        if let Some(version) = self.remembered.take() {
            self.hub.compare(version);
        }
        let (instance, now) = (&self.memory.instance, self.clock.now());
        let is_underway = || self.memory.past.report.is_underway();
        let delivery = self.chooser.choose(&self.hub, &seen.fleet, instance, (is_underway, now)).await?;
        self.hub.watch_kinds(&tidegate_plan::watched_kinds(&followed.repository, &seen.fleet, delivery)).await;
        if followed.repository.has_applications() {
            self.hub.watch_all_works();
        }
        Ok((self.hub.look_at_all(LISTED).await?, delivery))
    }

    /// Records that the hub can be used.
    pub(crate) fn note_hub(&self) {
        self.metrics.absences.back(Part::Hub);
    }
}
