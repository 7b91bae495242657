//! A replica that leads: what it remembers, how it plans, and how it records.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use tidegate_checker::{Checker, Observation};
use tidegate_consent::Approvals;
use tidegate_delivery::upstream::Delivery;
use tidegate_journal::{Facts, Journal, Unwritable, entry};
use tidegate_model::followed::RevisionFacts;
use tidegate_model::instance::Instance;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_model::unseen::Gap;
use tidegate_plan::{Input, Memo, Past, PlacementMode, Plan, plan};
use tidegate_repository::{ClusterContents, Repository};
use tidegate_rollout::gate::checks::Observations;

use crate::Observer;
use crate::declared::Commits;
use crate::hub::View;

/// A tick that is later than this was prevented by something.
const LATE: SignedDuration = SignedDuration::from_secs(5);

/// What a leader remembers.
#[derive(Debug)]
pub(crate) struct Leader {
    pub(crate) term: u64,
    memo: Memo,
    contents: ClusterContents,
    past: Past,
    /// The number of the config commit that it follows.
    pub(crate) followed: usize,
    /// What is in force.
    repository: Arc<Repository>,
    /// How many commits of the journal's remote it knows.
    pub(crate) base: usize,
    pub(crate) journal: Journal,
    /// Whether the remote lacks something.
    pub(crate) is_behind: bool,
    /// Whether the last report has not been committed yet.
    pub(crate) is_new: bool,
    pub(crate) push_at: Timestamp,
    /// When the last entry was written.
    pub(crate) written: Timestamp,
    /// When the hub was looked at last, and when it should be looked at next.
    looked: Option<Timestamp>,
    pub(crate) due: Option<Timestamp>,
    /// Objects whose last write may or may not have been made.
    pub(crate) unsettled: BTreeSet<ObjectKey>,
    /// The time at the last tick, on the own clock and on one that is never set.
    clock: Option<(Timestamp, Timestamp)>,
    is_first: bool,
    /// The state of the view in which nothing is to be decided, and the time until which that is so.
    pub(crate) rests: Option<(u64, Option<Timestamp>)>,
}

static INSTANCE: LazyLock<Instance> = LazyLock::new(crate::instance);

impl Leader {
    /// Continues from a journal.
    pub(crate) fn new(term: u64, (base, journal): (usize, Journal), looked: Option<Timestamp>, now: Timestamp) -> Self {
        let past = Past { readings: journal.readings(), report: Arc::new(journal.report()), ..Past::default() };
        Self {
            term,
            memo: Memo::default(),
            contents: ClusterContents::default(),
            past,
            followed: 0,
            repository: Arc::default(),
            base,
            journal,
            is_behind: false,
            is_new: true,
            push_at: now,
            written: now,
            looked,
            due: None,
            unsettled: BTreeSet::new(),
            clock: None,
            is_first: true,
            rests: None,
        }
    }

    /// Returns `true` if the last tick of this process was longer ago than expected.
    pub(crate) fn is_out_of_date(&self, now: Timestamp) -> bool {
        !self.is_first && self.gap(now).is_some()
    }

    fn gap(&self, now: Timestamp) -> Option<Gap> {
        let is_on_time = self.due.is_some_and(|due| now <= due + LATE);
        self.looked.filter(|looked| !is_on_time && *looked < now).map(|from| Gap { from, to: now })
    }

    /// Takes in a step of the own clock, which shows `now`. A clock that is never set shows `true_time`. Returns `true` if the clock was set while
    /// this process did not run, so that the step is not known exactly.
    fn note_clock(&mut self, now: Timestamp, true_time: Timestamp) -> bool {
        let before = self.clock.replace((now, true_time));
        let stepped = before.map(|(time, then)| time + then.duration_until(true_time));
        let stepped = stepped.filter(|expected| expected.duration_until(now).abs() > LATE);
        let while_away = || self.looked.filter(|looked| *looked > now && self.is_first);
        let Some(expected) = stepped.or_else(while_away) else { return false };
        let shifted = |at: Timestamp| at + expected.duration_until(now);
        (self.looked, self.due) = (self.looked.map(shifted), self.due.map(shifted));
        let report = Arc::make_mut(&mut self.past.report);
        report.clock.add(expected, now);
        report.unseen.stepped(expected, now);
        self.is_new = true;
        before.is_none()
    }

    /// Takes in the time since the last tick. Returns `true` if it is not known exactly, because the clock was set in the meantime.
    pub(crate) fn look(&mut self, now: Timestamp, true_time: Timestamp) -> bool {
        let is_inexact = self.note_clock(now, true_time);
        let gap = self.gap(now);
        (self.looked, self.is_first) = (Some(now), false);
        self.past.is_old = gap.is_some();
        if let Some(gap) = gap {
            Arc::make_mut(&mut self.past.report).unseen.add(gap);
            self.is_new = true;
        }
        is_inexact
    }

    /// Follows a commit of the config repository.
    pub(crate) fn follow(&mut self, commits: &Commits, at: usize) {
        self.is_new |= self.followed != at;
        self.followed = at;
        self.repository = commits.in_force(at, &self.past.report);
    }

    /// Judges what is known of the hub by the rules. Returns the rules that were broken.
    pub(crate) fn check(
        &self,
        checker: &mut Checker,
        (commits, view): (&Commits, &View),
        now: Timestamp,
    ) -> Vec<String> {
        let approvals = commits.all.get(self.followed).map_or(&*NO_APPROVALS, |declared| &declared.approvals);
        let report = &self.past.report;
        let last_good = report.good_digests();
        let violations = checker.check(&Observation {
            repository: &self.repository,
            approvals,
            last_good: &last_good,
            rules: report.rules.as_ref(),
            fleet: view.fleet(),
            delivery: Delivery::Native,
            instance: &INSTANCE,
            unseen: &report.unseen,
            clock: &report.clock,
            now,
        });
        violations.iter().map(ToString::to_string).collect()
    }

    pub(crate) fn plan(
        &mut self,
        commits: &Commits,
        view: &View,
        now: Timestamp,
        observer: Option<&mut Observer>,
    ) -> Option<Plan> {
        let declared = commits.all.get(self.followed)?;
        let unobserved = BTreeSet::new();
        let rendered = self.contents.of(&self.repository, &view.fleet().clusters);
        let archive = self.contents.archive(&declared.archive);
        let input = Input {
            repository: rendered.as_ref().unwrap_or(&self.repository),
            fleet: view.fleet(),
            unobserved: &unobserved,
            placement_mode: PlacementMode::Builtin,
            delivery: Delivery::Native,
            instance: &INSTANCE,
            revision: Some(&declared.commit),
            past: &self.past,
            archive: &archive,
            approvals: &declared.approvals,
            observations: Observations::none(),
            now,
        };
        let planned = plan(&input, &mut self.memo);
        if let Some(observer) = observer {
            observer(&input, &planned);
        }
        Some(planned)
    }

    /// Remembers what a plan found, and which of its objects could not be written. Returns `true` if something is new.
    pub(crate) fn remember(&mut self, plan: Plan, failed: &BTreeSet<ObjectKey>) -> bool {
        let before = self.past.report.clone();
        self.past.report = Arc::new(plan.report).without_starts(&before, failed);
        let is_news = self.past.report != before;
        self.is_new |= is_news;
        self.past.readings = plan.readings;
        self.past.distrusted = plan.distrusted;
        self.past.drifts = plan.drifts;
        is_news
    }

    /// Commits what the journal does not have yet to the own copy of it.
    ///
    /// # Errors
    /// [`Unwritable`] if a document cannot be written as YAML.
    pub(crate) fn commit(&mut self, commits: &Commits, now: Timestamp) -> Result<(), Unwritable> {
        self.is_new = false;
        let seen = commits.followed(self.followed);
        let revision = RevisionFacts { seen, ..RevisionFacts::default() };
        let facts = Facts { revision, looked: self.looked, ..Facts::default() };
        if let Some(entry) = entry(&self.journal, &self.past.report, &facts, now)? {
            self.journal = entry.journal;
            self.is_behind = true;
            self.written = now;
        }
        Ok(())
    }

    /// Returns what is in force.
    pub(crate) fn repository(&self) -> Arc<Repository> {
        Arc::clone(&self.repository)
    }

    /// Returns the last report.
    pub(crate) fn report(&self) -> &tidegate_plan::report::Report {
        &self.past.report
    }
}

static NO_APPROVALS: LazyLock<Arc<Approvals>> = LazyLock::new(Arc::default);
