//! One tick: observe, check, plan, defer, act, record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::check::{Breach, View};
use super::decided::act;
use super::reverts::Parts;
use super::ticker::{Memory, Ticker};
use crate::hub::{self, Outcome, Seen};
use crate::reconciler::news::Ended;
use crate::reconciler::news::compare::since_journal;
use crate::reconciler::news::repair::Repair;
use crate::reconciler::notification::notices;
use crate::reconciler::snapshot::Snapshot;
use crate::reconciler::source::Followed;
use tidegate_api::fleet::Fleet;
use tidegate_checker::Observation;
use tidegate_consent::Approvals;
use tidegate_delivery::registration;
use tidegate_delivery::upstream::Delivery;
use tidegate_journal::Facts;
use tidegate_journal::fleet::FleetFacts;
use tidegate_journal::pulls::PullFacts;
use tidegate_model::action::{Lane, Write};
use tidegate_model::digest::Digest;
use tidegate_model::error_chain::ErrorChain;
use tidegate_model::followed::RevisionFacts;
use tidegate_model::name::UnitName;
use tidegate_model::object::{GroupKind, ObjectKey};
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;
use tidegate_plan::{Input, Issue, Memo, Plan};
use tidegate_repository::{Archive, Repository};

/// Delay before the next tick if a write failed with a transient error.
const RETRY: Duration = Duration::from_secs(1);
/// Minimum delay between ticks that only a timer triggers.
const SOONEST: Duration = Duration::from_millis(50);

/// The result of a tick.
#[derive(Debug)]
pub(crate) struct Ticked {
    /// The state, for all observers of the loop.
    pub snapshot: Snapshot,
    /// Whether a write failed with a transient error.
    pub has_to_retry: bool,
    /// The next moment at which a decision changes without any event, or a refused write is retried.
    pub look_at: Option<Timestamp>,
}

impl Ticked {
    /// Returns the longest time to wait for the next tick if nothing happens.
    pub(crate) fn wake_after(&self, now: Timestamp, period: Duration) -> Duration {
        let retry = if self.has_to_retry { period.min(RETRY) } else { period };
        let wake_after = self.look_at.map(|at| Duration::try_from(now.duration_until(at)).unwrap_or_default());
        // A moment in the past must not make the loop spin.
        wake_after.map_or(retry, |wake_after| retry.min(wake_after.max(SOONEST)))
    }
}

/// What a tick decides from.
pub(super) struct Observed {
    pub(super) seen: Seen,
    pub(super) delivery: Delivery,
    /// The kinds that cannot be observed, each with the reason.
    unserved: BTreeMap<GroupKind, String>,
    pulls: PullFacts,
    /// What is followed, with what each cluster gets.
    pub(super) repository: Arc<Repository>,
    /// The configurations of earlier revisions, and what was rendered for clusters.
    pub(super) archive: Arc<Archive>,
    pub(super) approvals: Arc<Approvals>,
    pub(super) now: Timestamp,
}

/// The writes that are carried out now, and those that were planned.
struct Deferred {
    lanes: Vec<Lane>,
    /// What the writes change, to recognize a writer that changes it back.
    parts: Parts,
    /// How many writes were planned.
    writes: usize,
    /// The objects of all planned writes.
    planned: Vec<ObjectKey>,
}

/// What became of the writes.
struct Acted {
    outcome: Outcome,
    repairs: Vec<Repair>,
    /// The objects that could not be written.
    failed: BTreeSet<ObjectKey>,
    /// What is withheld as long as the hub refuses decisions, one line for each add-on.
    undecided: Vec<String>,
    writes: usize,
    planned: Vec<ObjectKey>,
}

impl Ticker {
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
        let observed = self.observe(followed, seen, delivery);
        self.check(followed, &observed)?;
        let began = Instant::now();
        let mut plan = self.plan(followed, &observed);
        self.metrics.planned(began.elapsed(), &plan.report, plan.at_rest);
        let deferred = self.defer(followed, &observed, &mut plan).await;
        let acted = self.act(followed, &observed, &plan.report, deferred).await;
        Ok(self.record(followed, observed, plan, acted, began))
    }

    /// Takes in what is known now, and notes the time since the last tick.
    fn observe(&mut self, followed: &Followed, seen: Seen, delivery: Delivery) -> Observed {
        self.count += 1;
        let now = self.clock.now();
        self.note_gap(now);
        let pulls = self.pulls.borrow().clone();
        let approvals = reviewed(&followed.approvals, &pulls);
        let rendered = self.contents.of(&followed.repository, &seen.fleet.clusters);
        let repository = rendered.map_or_else(|| followed.repository.clone(), Arc::new);
        let archive = self.contents.archive(&followed.archive);
        Observed { seen, delivery, unserved: self.hub.unserved(), pulls, repository, archive, approvals, now }
    }

    /// Checks what the hub shows since the last tick.
    fn check(&mut self, followed: &Followed, observed: &Observed) -> Result<(), Breach> {
        let Observed { seen, delivery, approvals, now, .. } = observed;
        let last_good = self.last_good();
        let observation = observation(&self.memory, followed, approvals, &last_good, (&seen.fleet, *delivery, *now));
        if self.check.look(&observation, self.view(seen.rewinds), self.memory.past.is_old)? {
            self.memo = Memo::default();
        }
        Ok(())
    }

    fn plan(&mut self, followed: &Followed, observed: &Observed) -> Plan {
        let observations = self.exchange.observed();
        let unobserved = observed.unserved.keys().cloned().collect();
        let input = Input {
            repository: &observed.repository,
            fleet: &observed.seen.fleet,
            unobserved: &unobserved,
            placement_mode: self.placement_mode,
            delivery: observed.delivery,
            instance: &self.memory.instance,
            revision: revision(followed),
            past: &self.memory.past,
            archive: &observed.archive,
            approvals: &observed.approvals,
            observations: &observations,
            now: observed.now,
        };
        let plan = tidegate_plan::plan(&input, &mut self.memo);
        self.record_plan(followed, observed, (unobserved, observations), &plan);
        plan
    }

    /// Asks for what the plan needs besides the hub, and leaves out the writes that wait after a refusal or a revert.
    async fn defer(&mut self, followed: &Followed, observed: &Observed, plan: &mut Plan) -> Deferred {
        let now = observed.now;
        self.exchange.ask(std::mem::take(&mut plan.requests));
        let mut lanes = std::mem::take(&mut plan.lanes);
        // The writes of certificates that the hub refuses wait like all others, and are not signed until then.
        let key = |issue: &Issue| registration::key_of(&issue.request);
        let issues = std::mem::take(&mut plan.issues).into_iter();
        let (waiting, issues): (Vec<Issue>, _) = issues.partition(|issue| self.refusals.is_waiting(&key(issue), now));
        lanes.extend(self.signing.lanes(&self.hub, issues, now).await);
        let writes = lanes.iter().map(|lane| lane.writes.len()).sum();
        let mut planned: Vec<ObjectKey> = lanes.iter().flat_map(|lane| &lane.writes).filter_map(Write::key).collect();
        planned.extend(waiting.iter().map(key));
        let lanes = self.refusals.defer(lanes, revision(followed), now);
        let (lanes, parts) = self.reverts.defer(lanes, &observed.seen.fleet, now);
        Deferred { lanes, parts, writes, planned }
    }

    async fn act(
        &mut self,
        followed: &Followed,
        observed: &Observed,
        report: &Report,
        Deferred { lanes, parts, writes, planned }: Deferred,
    ) -> Acted {
        for repair in &report.repairs {
            tracing::warn!(tick = self.count, repair, "someone else changed a declared object");
        }
        let repairs = self.recorder.repairs(report, &observed.repository, &observed.seen.fleet, &lanes);
        let (outcome, withheld) = act(&self.hub, lanes, &followed.repository, &planned).await;
        let quiet = self.refusals.note(&planned, &outcome, observed.now);
        let mut failed = outcome.failed();
        failed.extend(withheld.keys);
        let lasts = withheld.unwritten.iter().any(|key| self.refusals.is_waiting(key, observed.now));
        let undecided = withheld.undecided.addons().filter(|_| lasts).map(undecided).collect();
        self.reverts.note(parts, &failed, observed.now);
        self.log(writes, &outcome, &quiet);
        Acted { outcome, repairs, failed, undecided, writes, planned }
    }

    /// Remembers what was found and done, announces it, and returns the state for all observers.
    fn record(&mut self, followed: &Followed, observed: Observed, plan: Plan, acted: Acted, began: Instant) -> Ticked {
        let Acted { outcome, repairs, failed, undecided, writes, planned } = acted;
        let before = self.memory.past.report.clone();
        let report = Arc::new(plan.report).without_starts(&before, &failed);
        let mut standing = self.standing(followed, &observed, &report);
        standing.extend(undecided);
        let by_chance = outcome.failures.iter().filter(|failure| failure.error.is_transient());
        let mut failures: Vec<String> = by_chance.map(described).collect();
        let has_to_retry = !failures.is_empty() || !outcome.unsent.is_empty();
        failures.extend(standing.iter().cloned());
        let fleet = observed.seen.fleet;
        failures.extend(fleet.unreadable.iter().map(|(key, why)| format!("{key} on the hub cannot be read: {why}")));
        self.metrics.ticked(began.elapsed(), failures.len());
        if failures.is_empty() && outcome.unsent.is_empty() {
            self.metrics.carried_out(followed.facts.seen.as_ref(), self.clock.now());
        }
        self.announce(
            followed,
            &fleet,
            Ended {
                report: report.clone(),
                repository: followed.repository.clone(),
                repairs,
                is_finished: outcome.written == planned.len(),
                planned,
                failed,
                now: observed.now,
            },
        );
        let past = &mut self.memory.past;
        past.report = report.clone();
        past.readings = plan.readings;
        past.distrusted = plan.distrusted;
        past.drifts = plan.drifts;
        let notices = self.signing.lines().chain(plan.suspects).chain(self.notices_of_time(observed.now)).collect();
        let observed_fleet =
            if followed.repository.settings.journal_fleet { FleetFacts::Observed(fleet) } else { FleetFacts::Off };
        let said = (standing, notices);
        let facts = self.facts_with((&followed.facts, observed.now), said, (observed_fleet, observed.pulls));
        let snapshot = Snapshot { tick: self.count, report, facts, writes, failures, asked: 0 };
        let due = [plan.look_at, self.refusals.look_at(), self.reverts.look_at(), self.signing.look_at()];
        let look_at = due.into_iter().chain([self.chooser.look_at()]).flatten().min();
        Ticked { snapshot, has_to_retry, look_at }
    }

    /// Returns what keeps the revision from being applied until someone changes something.
    fn standing(&mut self, followed: &Followed, observed: &Observed, report: &Report) -> Vec<String> {
        let (repository, fleet) = (&followed.repository, &observed.seen.fleet);
        let mut standing = self.refusals.lines(repository);
        standing.extend(self.reverts.lines(repository));
        if !observed.unserved.is_empty() {
            // A kind that is no longer declared keeps nothing from being applied.
            let declared = tidegate_plan::watched_kinds(repository, fleet, observed.delivery);
            let unserved = observed.unserved.iter().filter(|(kind, _)| declared.contains(kind));
            standing.extend(unserved.map(|(_, why)| why.clone()));
        }
        standing.extend(self.chooser.conflict(fleet, observed.now));
        standing.extend(report.collisions.iter().cloned());
        standing
    }

    /// Reports what happened to the log, as Events, in metrics and to receivers of notifications.
    fn announce(&mut self, followed: &Followed, fleet: &Fleet, ended: Ended) {
        let report = ended.report.clone();
        let happened = self.recorder.ended(ended);
        self.metrics.repaired(happened.repaired.iter().map(Option::as_ref));
        self.announcer.announce(&happened.news, fleet);
        let between = (&*self.memory.past.report, &*report);
        let news = if self.count == 1 { since_journal(between) } else { happened.news };
        self.announcer.notify(notices(&news, between, &followed.facts.addons));
    }

    /// Logs which writes succeeded and which failed. Failures of objects in `quiet` are logged at level DEBUG only.
    fn log(&self, writes: usize, outcome: &Outcome, quiet: &BTreeSet<ObjectKey>) {
        let Outcome { written, conflicts, failures, unsent, .. } = outcome;
        if writes > 0 {
            tracing::debug!(tick = self.count, writes, written, conflicts = conflicts.len(), "tick wrote to the hub");
        }
        if !unsent.is_empty() {
            let objects = unsent.len();
            tracing::warn!(tick = self.count, objects, "writes were not sent, because this daemon may not write now");
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
        (revision, looked): (&RevisionFacts, Timestamp),
        (failures, notices): (Vec<String>, Vec<String>),
        (fleet, pulls): (FleetFacts, PullFacts),
    ) -> Arc<Facts> {
        let (hub_version, rewind) = (self.hub.version(), self.hub.rewind());
        let (revision, looked) = (revision.clone(), Some(looked));
        Arc::new(Facts { revision, looked, failures, notices, hub_version, rewind, fleet, pulls })
    }

    /// Returns the last digest of each add-on that all of its clusters completed.
    fn last_good(&self) -> BTreeMap<UnitName, Digest> {
        let addons = self.memory.past.report.addons.iter();
        addons.filter_map(|(name, report)| Some((name.clone(), report.last_good.as_ref()?.digest.clone()))).collect()
    }

    fn view(&self, rewinds: u64) -> View {
        View { rewinds, has_all_works: self.hub.watches_all_works() }
    }

    /// Checks the state that the last tick left behind.
    ///
    /// # Errors
    /// [`Breach`] if the checker found that a rule was broken.
    pub(crate) fn look_back(&mut self, followed: &Followed) -> Result<(), Breach> {
        let (seen, now) = (self.hub.look(), self.clock.now());
        let approvals = reviewed(&followed.approvals, &self.pulls.borrow());
        let (last_good, delivery) = (self.last_good(), self.chooser.current());
        let observation = observation(&self.memory, followed, &approvals, &last_good, (&seen.fleet, delivery, now));
        self.check.look(&observation, self.view(seen.rewinds), self.gaps.at(now).is_some()).map(drop)
    }
}

/// Returns what the checker needs to know about a moment.
fn observation<'a>(
    memory: &'a Memory,
    followed: &'a Followed,
    approvals: &'a Arc<Approvals>,
    last_good: &'a BTreeMap<UnitName, Digest>,
    (fleet, delivery, now): (&'a Fleet, Delivery, Timestamp),
) -> Observation<'a> {
    let report = &memory.past.report;
    Observation {
        repository: &followed.repository,
        approvals,
        last_good,
        rules: report.rules.as_ref(),
        fleet,
        delivery,
        instance: &memory.instance,
        unseen: &report.unseen,
        clock: &report.clock,
        now,
    }
}

/// Returns the revision that was seen last.
pub(super) fn revision(followed: &Followed) -> Option<&CommitId> {
    followed.facts.seen.as_ref().map(|seen| &seen.commit)
}

/// Returns approvals with the reviews of pull requests.
fn reviewed(approvals: &Arc<Approvals>, pulls: &PullFacts) -> Arc<Approvals> {
    if pulls.records.is_empty() {
        return approvals.clone();
    }
    Arc::new(Approvals { pulls: pulls.records.clone(), ..approvals.as_ref().clone() })
}

fn undecided(addon: &UnitName) -> String {
    format!(
        "add-on {addon}: nothing of it is started, completed or removed until the hub accepts its PlacementDecisions"
    )
}

fn described(failure: &hub::Failure) -> String {
    let object = failure.key.as_ref().map_or_else(|| "an object without identity".to_owned(), ToString::to_string);
    format!("{object} could not be written: {}", ErrorChain(&failure.error))
}
