//! One tick: observe, plan, act, report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::check::{Breach, Check};
use super::clock_watch::ClockWatch;
use super::delivery::Chooser;
use super::gaps::Gaps;
use super::refusals::Refusals;
use super::reverts::Reverts;
use super::signing::Signing;
use super::snapshot::Snapshot;
use crate::hub::{self, Hub, Outcome, Seen};
use crate::reconciler::absence::Part;
use crate::reconciler::announce::Announcer;
use crate::reconciler::checks::{Exchange, exchange};
use crate::reconciler::clock::Clock;
use crate::reconciler::metrics::Metrics;
use crate::reconciler::news::compare::since_journal;
use crate::reconciler::news::{Ended, Recorder};
use crate::reconciler::notification::notices;
use crate::reconciler::source::Followed;
use tidegate_checker::Observation;
use tidegate_consent::Approvals;
use tidegate_delivery::registration;
use tidegate_delivery::upstream::{Delivery, DeliveryMode};
use tidegate_journal::Facts;
use tidegate_journal::fleet::FleetFacts;
use tidegate_journal::pulls::PullFacts;
use tidegate_model::action::Write;
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::instance::Instance;
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp, to_seconds};
use tidegate_model::unseen::Gap;
use tidegate_plan::{Input, Issue, Memo, Past, PlacementMode};
use tidegate_rollout::gate::checks::Observations;

/// The dependencies of a tick, and what it caches between ticks. A new process works correctly without that cache.
pub(crate) struct Ticker {
    hub: Arc<Hub>,
    clock: Clock,
    placement_mode: PlacementMode,
    chooser: Chooser,
    metrics: Metrics,
    check: Check,
    memory: Memory,
    memo: Memo,
    refusals: Refusals,
    reverts: Reverts,
    signing: Signing,
    recorder: Recorder,
    gaps: Gaps,
    clock_watch: ClockWatch,
    announcer: Announcer,
    exchange: Exchange,
    pulls: watch::Receiver<PullFacts>,
    /// The resourceVersion of the hub that the journal recorded, until it has been compared.
    remembered: Option<u64>,
    count: u64,
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
    #[error("{0}")]
    Delivery(String),
}

/// The result of a tick.
#[derive(Debug)]
pub(crate) struct Ticked {
    /// The state, for all observers of the loop.
    pub snapshot: Snapshot,
    /// Whether a write failed with a transient error.
    pub has_to_retry: bool,
    /// The next moment at which a decision changes without any event, or a refused write is retried.
    pub wake_at: Option<Timestamp>,
}

impl Ticked {
    /// Returns the longest time to wait for the next tick if nothing happens.
    pub(crate) fn wake_after(&self, now: Timestamp, period: Duration) -> Duration {
        let retry = if self.has_to_retry { period.min(RETRY) } else { period };
        let wake_after = self.wake_at.map(|at| Duration::try_from(now.duration_until(at)).unwrap_or_default());
        // A moment in the past must not make the loop spin.
        wake_after.map_or(retry, |wake_after| retry.min(wake_after.max(SOONEST)))
    }
}

/// A list of ten thousand objects takes a second. A hub that needs more than this is as good as unreachable.
const LISTED: Duration = Duration::from_secs(10);
/// What people should know while a step of the clock matters.
const CLOCK_WAS_SET: &str = "the clock of the daemon's machine was set while clusters were under way; soak times and deadlines do not count the \
                             difference, but windows, freezes and the age of approvals follow the clock";
/// Clocks that differ by more are a problem, as for `tidegate doctor`.
const APART: SignedDuration = SignedDuration::from_mins(5);
/// Delay before the next tick if a write failed with a transient error.
const RETRY: Duration = Duration::from_secs(1);
/// Minimum delay between ticks that only a timer triggers.
const SOONEST: Duration = Duration::from_millis(50);

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
            refusals: Refusals::default(),
            reverts: Reverts::default(),
            signing: Signing::default(),
            recorder: Recorder::default(),
            announcer: Announcer::default(),
            exchange: exchange().0,
            pulls: watch::channel(PullFacts::default()).1,
            remembered: None,
            count: 0,
        }
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
        let delivery = self.chooser.choose(&self.hub, &seen.fleet, instance, (is_underway, now)).await;
        let delivery = delivery.map_err(Unprepared::Delivery)?;
        self.hub.watch_kinds(&tidegate_plan::watched_kinds(&followed.repository, &seen.fleet, delivery)).await;
        Ok((self.hub.look_at_all(LISTED).await?, delivery))
    }

    /// Records that the hub can be used.
    pub(crate) fn note_hub(&self) {
        self.metrics.absences.back(Part::Hub);
    }

    /// Records since when the hub cannot be used, and why.
    pub(crate) fn note_absence(&mut self, why: &str, since: tokio::time::Instant) {
        self.gaps.lost();
        self.metrics.absences.lost_since(Part::Hub, why, (since, self.clock.now()));
    }

    /// Returns `true` if the last tick of this process was longer ago than expected.
    pub(crate) fn is_out_of_date(&self) -> bool {
        self.count > 0 && self.gaps.at(self.clock.now()).is_some()
    }

    /// Records that the next tick follows within this time.
    pub(crate) fn expect(&mut self, after: Duration) {
        self.gaps.expect(self.clock.now(), after);
    }

    /// Returns since when clusters have waited for an add-on manager that is away.
    fn manager_away_since(&self) -> Option<Timestamp> {
        self.chooser.away_since(|| self.memory.past.report.is_underway())
    }

    /// Returns the time on the hub if its clock and that of this machine are far apart.
    fn time_of_hub(&self, now: Timestamp) -> Option<Timestamp> {
        self.hub.time().filter(|time| time.duration_until(now).abs() >= APART)
    }

    /// Records a step of the clock since the last tick. The first tick compares the clock with the last entry of the journal, and with the
    /// clock of the hub: it may have been set while no daemon ran.
    fn note_clock(&mut self, now: Timestamp) {
        let stepped = self.clock_watch.stepped(now);
        let while_away = || {
            // An entry of the journal that is later than now was written before the clock was set back.
            let journaled = self.memory.looked.filter(|looked| *looked > now);
            journaled.or_else(|| self.time_of_hub(now)).filter(|_| self.count == 1)
        };
        let Some(expected) = stepped.or_else(while_away) else { return };
        tracing::warn!(%expected, %now, "the clock of this machine was set; soak times and deadlines do not count the difference");
        self.metrics.clock_steps.inc();
        self.gaps.stepped(expected, now);
        let report = Arc::make_mut(&mut self.memory.past.report);
        report.clock.add(expected, now);
        report.unseen.stepped(expected, now);
    }

    /// Records the time in which the hub was not observed, if it ends now, and the time in which no one delivered.
    fn note_gap(&mut self, now: Timestamp) {
        self.note_clock(now);
        let gap = self.gaps.at(now);
        self.gaps.looked(now);
        self.memory.past.is_old = gap.is_some();
        if let Some(gap) = gap {
            tracing::info!(from = %gap.from, to = %gap.to, "the hub was not looked at; this time does not count for deadlines");
            Arc::make_mut(&mut self.memory.past.report).unseen.add(gap);
        }
        if let Some(from) = self.manager_away_since() {
            Arc::make_mut(&mut self.memory.past.report).unseen.add(Gap { from, to: now });
        }
    }

    /// Plans from the observed state, carries out the plan, and reports the result.
    ///
    /// # Assumptions
    /// [`Ticker::prepare`] has just returned `seen` and `delivery` for the same repository.
    ///
    /// A failed write is not an error of the tick: the next tick observes and decides again.
    ///
    /// # Errors
    /// [`Breach`] if the checker found that a rule was broken; then nothing is planned or written.
    pub(crate) async fn tick(
        &mut self,
        followed: &Followed,
        (seen, delivery): (Seen, Delivery),
    ) -> Result<Ticked, Breach> {
        self.count += 1;
        let repository = &followed.repository;
        let unserved = self.hub.unserved();
        let unobserved = unserved.keys().cloned().collect();
        let now = self.clock.now();
        self.note_gap(now);
        let instance = &self.memory.instance;
        let pulls = self.pulls.borrow().clone();
        let approvals = &reviewed(&followed.approvals, &pulls);
        let last_good = &self.last_good();
        let fleet = &seen.fleet;
        let rules = self.memory.past.report.rules.as_ref();
        let (unseen, clock) = (&self.memory.past.report.unseen, &self.memory.past.report.clock);
        let observation =
            Observation { repository, approvals, last_good, rules, fleet, delivery, instance, unseen, clock, now };
        if self.check.look(&observation, seen.rewinds, self.memory.past.is_old)? {
            self.memo = Memo::default();
        }
        let fleet = seen.fleet;
        let observations = self.exchange.observed();
        let revision = followed.facts.seen.as_ref().map(|seen| &seen.commit);
        let input = Input {
            repository,
            fleet: &fleet,
            unobserved: &unobserved,
            placement_mode: self.placement_mode,
            delivery,
            instance,
            revision,
            past: &self.memory.past,
            archive: &followed.archive,
            approvals,
            observations: &observations,
            now,
        };
        let began = Instant::now();
        let plan = tidegate_plan::plan(&input, &mut self.memo);
        self.metrics.planned(began.elapsed(), &plan.report);
        self.exchange.ask(plan.requests);
        let report = Arc::new(plan.report);
        let mut lanes = plan.lanes;
        // The writes of certificates that the hub refuses wait like all others, and are not signed until then.
        let key = |issue: &Issue| registration::key_of(&issue.request);
        let (waiting, issues): (Vec<Issue>, _) =
            plan.issues.into_iter().partition(|issue| self.refusals.is_waiting(&key(issue), now));
        lanes.extend(self.signing.lanes(&self.hub, issues, now).await);
        let writes = lanes.iter().map(|lane| lane.writes.len()).sum();
        let mut planned: Vec<ObjectKey> = lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key).collect();
        planned.extend(waiting.iter().map(key));
        for repair in &report.repairs {
            tracing::warn!(tick = self.count, repair, "someone else changed a declared object");
        }
        let (lanes, parts) = self.reverts.defer(self.refusals.defer(lanes, revision, now), &fleet, now);
        let repairs = self.recorder.repairs(&report, repository, &fleet, &lanes);
        let outcome = self.hub.act(lanes).await;
        let quiet = self.refusals.note(&planned, &outcome, now);
        let failed = failed(&outcome);
        let report = report.without_starts(&self.memory.past.report, &failed);
        self.reverts.note(parts, &failed, now);
        let mut standing = self.refusals.lines(repository);
        standing.extend(self.reverts.lines(repository));
        if !unserved.is_empty() {
            // A kind that is no longer declared keeps nothing from being applied.
            let declared = tidegate_plan::watched_kinds(repository, &fleet, delivery);
            standing.extend(unserved.into_iter().filter(|(kind, _)| declared.contains(kind)).map(|(_, why)| why));
        }
        standing.extend(self.chooser.conflict(&fleet, now));
        standing.extend(report.collisions.iter().cloned());
        let by_chance = outcome.failures.iter().filter(|failure| failure.error.is_transient());
        let mut failures: Vec<String> = by_chance.map(described).collect();
        let has_to_retry = !failures.is_empty();
        failures.extend(standing.iter().cloned());
        failures.extend(fleet.unreadable.iter().map(|(key, why)| format!("{key} on the hub cannot be read: {why}")));
        self.metrics.ticked(began.elapsed(), failures.len());
        self.log(writes, &outcome, &quiet);
        let happened = self.recorder.ended(Ended {
            report: report.clone(),
            repository: repository.clone(),
            repairs,
            is_finished: outcome.written == planned.len(),
            planned,
            failed,
            now,
        });
        self.metrics.repaired(happened.repaired.iter().map(Option::as_ref));
        self.announcer.announce(&happened.news, &fleet);
        let between = (&*self.memory.past.report, &*report);
        let news = if self.count == 1 { since_journal(between) } else { happened.news };
        self.announcer.notify(notices(&news, between, &followed.facts.addons));
        self.memory.past.report = report.clone();
        self.memory.past.readings = plan.readings;
        self.memory.past.distrusted = plan.distrusted;
        self.memory.past.drifts = plan.drifts;
        let away = self.manager_away_since().map(|since| manager_is_away(to_seconds(since)));
        let clock = (!report.clock.is_empty()).then(|| CLOCK_WAS_SET.to_owned());
        let apart = self.time_of_hub(now).map(|time| clocks_differ(time < now));
        let notices = self.signing.lines().chain(plan.suspects).chain(away).chain(clock).chain(apart).collect();
        let observed = if repository.settings.journal_fleet { FleetFacts::Observed(fleet) } else { FleetFacts::Off };
        let facts = self.facts_with(&followed.facts, (standing, notices), (observed, pulls));
        let snapshot = Snapshot { tick: self.count, report, facts, writes, failures, asked: 0 };
        let due = [plan.wake_at, self.refusals.wake_at(), self.reverts.wake_at(), self.signing.wake_at()];
        let wake_at = due.into_iter().chain([self.chooser.wake_at()]).flatten().min();
        Ok(Ticked { snapshot, has_to_retry, wake_at })
    }

    /// Logs which writes succeeded and which failed. Failures of objects in `quiet` are logged at level DEBUG only.
    fn log(&self, writes: usize, outcome: &Outcome, quiet: &BTreeSet<ObjectKey>) {
        let Outcome { written, conflicts, failures, .. } = outcome;
        if writes > 0 {
            tracing::debug!(tick = self.count, writes, written, conflicts = conflicts.len(), "tick wrote to the hub");
        }
        for failure in failures.iter().chain(conflicts) {
            if failure.key.as_ref().is_some_and(|key| quiet.contains(key)) {
                tracing::debug!(tick = self.count, failure = described(failure), "write failed");
            } else {
                tracing::warn!(tick = self.count, failure = described(failure), "write failed");
            }
        }
    }

    /// Adds to the facts of a revision the failures that keep it from being applied, notices, the version of the hub, and the fleet.
    fn facts_with(
        &self,
        revision: &RevisionFacts,
        (failures, notices): (Vec<String>, Vec<String>),
        (fleet, pulls): (FleetFacts, PullFacts),
    ) -> Arc<Facts> {
        let (hub_version, rewind) = (self.hub.version(), self.hub.rewind());
        Arc::new(Facts { revision: revision.clone(), failures, notices, hub_version, rewind, fleet, pulls })
    }

    /// Returns the last digest of each add-on that all of its clusters completed.
    fn last_good(&self) -> BTreeMap<AddonName, Digest> {
        let addons = self.memory.past.report.addons.iter();
        addons.filter_map(|(name, report)| Some((name.clone(), report.last_good.as_ref()?.digest.clone()))).collect()
    }

    /// Checks the state that the last tick left behind.
    ///
    /// # Errors
    /// [`Breach`] if the checker found that a rule was broken.
    pub(crate) fn look_back(&mut self, followed: &Followed) -> Result<(), Breach> {
        let (seen, now) = (self.hub.look(), self.clock.now());
        let instance = &self.memory.instance;
        let (repository, delivery) = (&followed.repository, self.chooser.current());
        let approvals = &reviewed(&followed.approvals, &self.pulls.borrow());
        let (last_good, fleet) = (&self.last_good(), &seen.fleet);
        let rules = self.memory.past.report.rules.as_ref();
        let (unseen, clock) = (&self.memory.past.report.unseen, &self.memory.past.report.clock);
        let observation =
            Observation { repository, approvals, last_good, rules, fleet, delivery, instance, unseen, clock, now };
        self.check.look(&observation, seen.rewinds, self.gaps.at(now).is_some()).map(drop)
    }
}

/// Returns approvals with the reviews of pull requests.
fn reviewed(approvals: &Arc<Approvals>, pulls: &PullFacts) -> Arc<Approvals> {
    if pulls.records.is_empty() {
        return approvals.clone();
    }
    Arc::new(Approvals { pulls: pulls.records.clone(), ..approvals.as_ref().clone() })
}

/// Returns the objects that could not be written.
fn failed(outcome: &Outcome) -> BTreeSet<ObjectKey> {
    outcome.failures.iter().chain(&outcome.conflicts).filter_map(|failure| failure.key.clone()).collect()
}

fn clocks_differ(is_ahead: bool) -> String {
    format!(
        "the clock of the daemon's machine is five minutes or more {} that of the hub; windows, freezes and the age of approvals follow it; \
         check the time synchronization of both",
        if is_ahead { "ahead of" } else { "behind" }
    )
}

fn manager_is_away(since: Timestamp) -> String {
    format!(
        "OCM's add-on manager, which delivers, has been away since {since}, so the clusters that are under way wait; start it \
         (`kubectl get pods -n {}`)",
        tidegate_api::key::HUB_NAMESPACE
    )
}

fn described(failure: &hub::Failure) -> String {
    let object = failure.key.as_ref().map_or_else(|| "an object without identity".to_owned(), ToString::to_string);
    format!("{object} could not be written: {}", ErrorChain(&failure.error))
}
