//! Metrics of the loop.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::absence::{Absences, AwaySince};
use super::leader::Leads;
use super::{addons, events, notification};
use tidegate_model::followed::Revision;
use tidegate_model::name::UnitName;
use tidegate_model::progress::Phase;
use tidegate_model::revision::CommitId;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;

/// Metrics of the loop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metrics {
    ticks: Counter,
    plan_seconds: Histogram,
    at_rest: Gauge,
    tick_seconds: Histogram,
    lag_seconds: Histogram,
    /// The commit that was carried out last.
    carried_out: Arc<Mutex<Option<CommitId>>>,
    failures: Counter,
    stopped: Gauge,
    brakes: Gauge,
    addons: addons::metrics::Metrics,
    /// Commits made to the journal.
    pub journal_commits: Counter,
    /// How often the clock of the machine was set.
    pub clock_steps: Counter,
    /// Pushes of the journal that failed.
    pub journal_push_failures: Counter,
    /// 1 if entries of the journal wait to be pushed, else 0.
    pub journal_behind: Gauge,
    /// Polls of the config repository that failed.
    pub source_failures: Counter,
    /// Kubernetes Events.
    pub events: events::Metrics,
    /// Whether this replica leads. Always so without replicas.
    pub leader: Leads,
    /// Counts notifications.
    pub notifications: notification::Metrics,
    /// The parts that the daemon needs and cannot use.
    pub absences: Absences,
}

impl Metrics {
    /// Registers the metrics.
    pub fn register(registry: &mut Registry) -> Self {
        // A millisecond to half a minute.
        let seconds = || Histogram::new(exponential_buckets(0.001, 2.0, 16));
        let metrics = Self {
            ticks: Counter::default(),
            plan_seconds: seconds(),
            at_rest: Gauge::default(),
            tick_seconds: seconds(),
            // A second to twelve days.
            lag_seconds: Histogram::new(exponential_buckets(1.0, 2.0, 21)),
            carried_out: Arc::default(),
            failures: Counter::default(),
            stopped: Gauge::default(),
            brakes: Gauge::default(),
            addons: addons::metrics::Metrics::register(registry),
            journal_commits: Counter::default(),
            clock_steps: Counter::default(),
            journal_push_failures: Counter::default(),
            journal_behind: Gauge::default(),
            source_failures: Counter::default(),
            leader: Leads::register(registry),
            events: events::Metrics::register(registry),
            notifications: notification::Metrics::register(registry),
            absences: Absences::new(AwaySince::register(registry)),
        };
        registry.register("tidegate_ticks", "Ticks of the loop", metrics.ticks.clone());
        registry.register("tidegate_plan_seconds", "Time to make a plan", metrics.plan_seconds.clone());
        registry.register(
            "tidegate_addons_at_rest",
            "Add-ons that the last plan did not examine again, because nothing about them has changed",
            metrics.at_rest.clone(),
        );
        registry.register("tidegate_tick_seconds", "Time of a tick, writes included", metrics.tick_seconds.clone());
        registry.register(
            "tidegate_commit_lag_seconds",
            "Time from a commit of the repository until a tick had carried out all its writes",
            metrics.lag_seconds.clone(),
        );
        registry.register("tidegate_tick_failures", "Writes and observations that failed", metrics.failures.clone());
        registry.register("tidegate_addons_stopped", "Add-ons stopped by too many failures", metrics.stopped.clone());
        registry.register("tidegate_brakes_held", "Changes that are held back", metrics.brakes.clone());
        registry.register(
            "tidegate_clock_steps",
            "How often the clock of the daemon's machine was set by more than five seconds",
            metrics.clock_steps.clone(),
        );
        registry.register("tidegate_journal_commits", "Commits made to the journal", metrics.journal_commits.clone());
        registry.register(
            "tidegate_journal_push_failures",
            "Pushes of the journal that failed",
            metrics.journal_push_failures.clone(),
        );
        registry.register(
            "tidegate_journal_behind",
            "1 if entries of the journal wait to be pushed, else 0",
            metrics.journal_behind.clone(),
        );
        registry.register(
            "tidegate_source_failures",
            "Polls of the config repository that failed",
            metrics.source_failures.clone(),
        );
        metrics
    }

    /// Records a plan, in which this number of add-ons was at rest.
    pub fn planned(&self, took: Duration, report: &Report, at_rest: usize) {
        self.at_rest.set(i64::try_from(at_rest).unwrap_or(i64::MAX));
        self.ticks.inc();
        self.plan_seconds.observe(took.as_secs_f64());
        let stopped = report.addons.values().filter(|addon| addon.phase == Phase::Stopped).count();
        self.stopped.set(i64::try_from(stopped).unwrap_or(i64::MAX));
        let held = report.addons.values().filter(|addon| addon.phase == Phase::Held).count();
        self.brakes.set(i64::try_from(report.notices.len() + held).unwrap_or(i64::MAX));
        self.addons.planned(report);
    }

    /// Counts repairs, each with the add-on of the object that was repaired.
    pub fn repaired<'a>(&self, repairs: impl IntoIterator<Item = Option<&'a UnitName>>) {
        repairs.into_iter().for_each(|addon| self.addons.repaired(addon));
    }

    /// Records that all writes of a tick for this revision have succeeded. The first revision of a process may have been carried out before, so it
    /// is not measured.
    pub fn carried_out(&self, revision: Option<&Revision>, now: Timestamp) {
        let Some(revision) = revision else { return };
        let before = self.carried_out.lock().replace(revision.commit.clone());
        if before.is_some_and(|before| before != revision.commit) {
            self.lag_seconds.observe(revision.time.duration_until(now).as_secs_f64().max(0.0));
        }
    }

    /// Records a whole tick.
    pub fn ticked(&self, took: Duration, failures: usize) {
        self.tick_seconds.observe(took.as_secs_f64());
        self.failures.inc_by(failures as u64);
    }
}
