//! The state that is kept between two ticks to find out what happened.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compare::compare;
use super::item::News;
use super::repair::{Repair, Repairs, Ticks, repairs};
use tidegate_api::fleet::Fleet;
use tidegate_model::action::Lane;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::Report;
use tidegate_repository::Repository;

/// Compares each tick with the previous one.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
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
pub(crate) struct Happened {
    /// The news to report.
    pub news: Vec<News>,
    /// The add-on of each repaired object, if it is known. Includes repairs that are no longer reported.
    pub repaired: Vec<Option<UnitName>>,
}

/// How a tick ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its report.
    pub report: Arc<Report>,
    /// The repository that it followed.
    pub repository: Arc<Repository>,
    /// The repairs that it planned, as [`Recorder::repairs`] returned them.
    pub repairs: Vec<Repair>,
    /// The objects that it planned to write.
    pub planned: Vec<ObjectKey>,
    /// Whether all of them were written.
    pub is_finished: bool,
    /// The objects that could not be written.
    pub failed: BTreeSet<ObjectKey>,
    /// When it ended.
    pub now: Timestamp,
}

impl Recorder {
    /// Returns the repairs among the planned writes. Empty in the first tick of a process, which cannot distinguish them
    /// from writes that another process left undone.
    pub(crate) fn repairs(
        &self,
        report: &Report,
        repository: &Arc<Repository>,
        fleet: &Fleet,
        lanes: &[Lane],
    ) -> Vec<Repair> {
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

    /// Records the end of a tick and returns what happened in it.
    pub(crate) fn ended(&mut self, ended: Ended) -> Happened {
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
