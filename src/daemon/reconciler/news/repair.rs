//! Repairs: objects that are written although no change was requested, because someone else changed or deleted them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::item::News;
use crate::reconciler::last_writer::{changed_by, last_writer};
use tidegate_api::fleet::{Fleet, unit_of_work};
use tidegate_api::key;
use tidegate_delivery::upstream::manager::is_manager;
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_plan::report::Report;
use tidegate_repository::Repository;

/// An object that is repaired [`MANY`] times within this time has another writer.
pub const WINDOW: SignedDuration = SignedDuration::from_mins(10);
/// Number of repairs of one object within [`WINDOW`] that are not an accident: two can be a person who tries the same thing twice.
pub const MANY: usize = 3;
/// Maximum number of objects that are remembered. If there are more, one writer is changing everything, and a few examples
/// are enough.
const REMEMBERED: usize = 1_000;

/// The input of two consecutive ticks.
#[derive(Debug, Clone, Copy)]
pub struct Ticks<'a> {
    /// The report of the tick before.
    pub report_before: &'a Report,
    /// The report of this tick.
    pub report: &'a Report,
    /// The repository of the tick before.
    pub repository_before: &'a Repository,
    /// The repository of this tick.
    pub repository: &'a Repository,
    /// Whether both are the same revision.
    pub is_same_revision: bool,
    /// The writes that the tick before planned, if not all of them succeeded: writing them now is not a repair.
    pub unfinished: &'a BTreeSet<ObjectKey>,
    /// The observed state before the writes of this tick.
    pub fleet: &'a Fleet,
}

/// An object that is written although no change was requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The add-on that it belongs to, if it is known.
    pub addon: Option<UnitName>,
    /// The object.
    pub object: ObjectKey,
    /// The objects of the same lane: if one of them cannot be written, it is not certain that this object was.
    pub lane: Vec<ObjectKey>,
}

/// Returns the repairs among the writes of a tick. Statuses, decisions and deletions are never repairs.
pub fn repairs(ticks: &Ticks<'_>, lanes: &[Lane]) -> Vec<Repair> {
    let of_lane = |lane: &Lane| -> Vec<Repair> {
        let keys = || lane.writes.iter().filter_map(Write::key).collect::<Vec<_>>();
        let found = lane.writes.iter().filter_map(|write| repair(ticks, lane.stage, write));
        found.map(|(addon, object)| Repair { addon, object, lane: keys() }).collect()
    };
    lanes.iter().flat_map(of_lane).collect()
}

fn repair(ticks: &Ticks<'_>, stage: Stage, write: &Write) -> Option<(Option<UnitName>, ObjectKey)> {
    let key = write.key().filter(|key| !ticks.unfinished.contains(key))?;
    match (stage, write) {
        (Stage::Prepare | Stage::Declare, Write::Apply { object } | Write::Declare { object }) => {
            let is_others = is_declared_before(ticks, &key, object)
                && !changed_by(ticks.fleet, &key).is_some_and(|manager| is_manager(&manager));
            is_others.then(|| (addon_of_declared(&key), key))
        }
        // A patch removes what others have added to a declared object, or what Tidegate applied for another delivery.
        (Stage::Declare, Write::Patch { .. }) => {
            let is_others = changed_by(ticks.fleet, &key).is_some_and(|manager| !is_manager(&manager));
            is_others.then(|| (addon_of_declared(&key), key))
        }
        (Stage::Deliver, Write::Create { .. } | Write::Patch { .. }) => {
            let addon = match key.kind.as_str() {
                "ManagedClusterAddOn" => key.name.parse().ok()?,
                _ => addon_of_work(ticks.fleet, write, &key)?,
            };
            let is_others = match write {
                Write::Create { .. } => ticks.is_same_revision,
                _ => is_changed_by_others(ticks.fleet, &key),
            };
            (is_others && is_delivered_before(ticks, &addon, &key)).then_some((Some(addon), key))
        }
        _ => None,
    }
}

/// Returns `true` if exactly this object was applied before: the hub has it with the same hash, or the repository declared the same
/// object in the tick before.
fn is_declared_before(ticks: &Ticks<'_>, key: &ObjectKey, object: &Value) -> bool {
    let hash = |object: &Value| {
        let annotations = object.pointer("/metadata/annotations")?;
        annotations.get(key::APPLIED_HASH)?.as_str().map(str::to_owned)
    };
    match ticks.fleet.declared.get(key) {
        Some(observed) => hash(observed).is_some() && hash(observed) == hash(object),
        None => {
            let declared =
                |repository: &Repository| repository.objects.get(key).map(|declared| declared.object.clone());
            let before = declared(ticks.repository_before);
            before.is_some() && before == declared(ticks.repository)
        }
    }
}

/// Returns `true` if someone else has changed an object since Tidegate wrote it. OCM's add-on manager, which may deliver or have delivered, is
/// no one else.
fn is_changed_by_others(fleet: &Fleet, key: &ObjectKey) -> bool {
    last_writer(fleet, key, false).is_some_and(|manager| !is_manager(&manager))
}

/// Returns `true` if the cluster has not started again since the tick before, so that no write was due for it.
fn is_delivered_before(ticks: &Ticks<'_>, addon: &UnitName, key: &ObjectKey) -> bool {
    let cluster = |report: &'_ Report| {
        let found = report.addons.get(addon)?.clusters.get(key.namespace.as_str())?;
        (!found.hash.is_empty()).then(|| (found.hash.clone(), found.started, found.state))
    };
    let Some((hash, started, state)) = cluster(ticks.report_before) else { return false };
    if state.is_unselected() {
        return false;
    }
    // A deleted ManagedClusterAddOn takes the known state of its cluster with it.
    let is_lost = key.kind == "ManagedClusterAddOn";
    cluster(ticks.report).map_or(is_lost, |(now, at, _)| now == hash && at == started)
}

fn addon_of_declared(key: &ObjectKey) -> Option<UnitName> {
    if key.kind == "ClusterManagementAddOn" { key.name.parse().ok() } else { None }
}

fn addon_of_work(fleet: &Fleet, write: &Write, key: &ObjectKey) -> Option<UnitName> {
    if let Write::Create { object } = write {
        return unit_of_work(&object.json.value()).ok()?;
    }
    let has = |cluster: &BTreeMap<String, _>| cluster.contains_key(&key.name);
    let found = fleet.works.iter().find(|(_, clusters)| clusters.get(key.namespace.as_str()).is_some_and(has));
    found.map(|(addon, _)| addon.clone())
}

/// The repairs of the last ten minutes.
#[derive(Debug, Default)]
pub struct Repairs(BTreeMap<ObjectKey, Times>);

#[derive(Debug, Default)]
struct Times {
    at: VecDeque<Timestamp>,
    is_reported: bool,
}

impl Repairs {
    /// Records the repairs of a tick and returns the news: one item for the repairs of each add-on, and one for each object that is
    /// repaired repeatedly. Further repairs of such an object are not reported until it needed none for [`WINDOW`].
    pub fn note(&mut self, repairs: Vec<Repair>, now: Timestamp) -> Vec<News> {
        for times in self.0.values_mut() {
            while times.at.front().is_some_and(|at| now.duration_since(*at) > WINDOW) {
                times.at.pop_front();
            }
        }
        self.0.retain(|_, times| !times.at.is_empty());
        let (mut drift, mut foreign): (BTreeMap<Option<UnitName>, Vec<ObjectKey>>, Vec<News>) = Default::default();
        for Repair { addon, object, .. } in repairs {
            if !self.0.contains_key(&object) && self.0.len() >= REMEMBERED {
                drift.entry(addon).or_default().push(object);
                continue;
            }
            let times = self.0.entry(object.clone()).or_default();
            times.at.push_back(now);
            // A reported object needs no exact count; it is only remembered for as long as the repairs continue.
            times.at.drain(..times.at.len().saturating_sub(MANY));
            if times.is_reported {
                continue;
            }
            if times.at.len() == MANY {
                times.is_reported = true;
                foreign.push(News::ForeignWriter { addon, object, repairs: MANY });
            } else {
                drift.entry(addon).or_default().push(object);
            }
        }
        let folded = drift.into_iter().map(|(addon, objects)| {
            let only = if objects.len() == 1 { objects.first().cloned() } else { None };
            News::DriftRepaired { addon, objects: objects.iter().collect(), object: only }
        });
        folded.chain(foreign).collect()
    }
}
