//! What is kept between two ticks to find out what happened.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compare::compare;
use super::item::News;
use super::repair::{Repair, Repairs, Ticks, repairs};
use tidegate_api::fleet::Fleet;
use tidegate_core::plan::report::Report;
use tidegate_core::repository::Repository;
use tidegate_model::action::Lane;
use tidegate_model::name::AddonName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;

/// Compares each tick with the one before.
#[derive(Debug, Default)]
pub struct Recorder {
    before: Option<Before>,
    repairs: Repairs,
}

#[derive(Debug)]
struct Before {
    report: Arc<Report>,
    repository: Arc<Repository>,
    unfinished: BTreeSet<ObjectKey>,
}

/// What happened in a tick.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// What is reported.
    pub news: Vec<News>,
    /// For each object that was repaired, its add-on if that is known; those that are not reported any more included.
    pub repaired: Vec<Option<AddonName>>,
}

/// How a tick ended.
#[derive(Debug)]
pub struct Ended {
    /// Its report.
    pub report: Arc<Report>,
    /// The repository that it followed.
    pub repository: Arc<Repository>,
    /// What it was about to repair, as [`Recorder::repairs`] returned it.
    pub repairs: Vec<Repair>,
    /// What it planned to write.
    pub planned: Vec<ObjectKey>,
    /// Whether all of that was written.
    pub is_finished: bool,
    /// What could not be written.
    pub failed: BTreeSet<ObjectKey>,
    /// When it ended.
    pub now: Timestamp,
}

impl Recorder {
    /// Returns the repairs among the writes that are about to be made; none in the first tick of a process, which cannot tell them from
    /// what another process left undone.
    pub fn repairs(&self, report: &Report, repository: &Arc<Repository>, fleet: &Fleet, lanes: &[Lane]) -> Vec<Repair> {
        let Some(before) = &self.before else { return Vec::new() };
        let ticks = Ticks {
            report_before: &before.report,
            report,
            repository_before: &before.repository,
            repository,
            is_same_revision: Arc::ptr_eq(&before.repository, repository),
            unfinished: &before.unfinished,
            fleet,
        };
        repairs(&ticks, lanes)
    }

    /// Notes how a tick ended, and returns what happened in it.
    pub fn ended(&mut self, ended: Ended) -> Happened {
        let Ended { report, repository, repairs, planned, is_finished, failed, now } = ended;
        let mut news = compare(self.before.as_ref().map(|before| &*before.report), &report);
        let is_written = |repair: &Repair| repair.lane.iter().all(|object| !failed.contains(object));
        let repairs: Vec<Repair> = repairs.into_iter().filter(is_written).collect();
        let repaired = repairs.iter().map(|repair| repair.addon.clone()).collect();
        news.extend(self.repairs.note(repairs, now));
        let unfinished = if is_finished { BTreeSet::new() } else { planned.into_iter().collect() };
        self.before = Some(Before { report, repository, unfinished });
        Happened { news, repaired }
    }
}
