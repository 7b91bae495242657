//! The rule on objects that move to another unit: a cluster keeps them until the other unit has them there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::groups;
use super::owners::Owners;
use super::snapshot::Snapshot;
use super::start::Start;
use super::takeover::{declaring, objects};
use super::violation::Violation;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_repository::{NAME_LABEL, NAMESPACE_LABEL};

/// The works of a unit on a cluster, by name.
type Works = BTreeMap<String, Arc<ManifestWork>>;

/// A unit that loses objects on a cluster between two observations.
struct Loss<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    unit: &'a UnitName,
    cluster: &'a ClusterName,
}

/// Judges the starts of an application: what its works no longer have there.
pub(super) fn by_starts<'a>(
    unit: &'a UnitName,
    (before, after): (&'a Snapshot, &'a Snapshot),
    starts: &'a [Start<'a>],
) -> impl Iterator<Item = Violation> + 'a {
    let starts = starts.iter().filter(|_| unit.addon().is_none());
    starts.filter_map(move |start| Loss { before, after, unit, cluster: start.cluster }.violation())
}

/// Judges the applications that left the repository, on the clusters whose works of them have changed.
pub(super) fn by_removals<'a>(before: &'a Snapshot, after: &'a Snapshot) -> impl Iterator<Item = Violation> + 'a {
    let has_left = |unit: &UnitName| {
        let is_declared = |snapshot: &Snapshot| snapshot.addons.contains_key(unit);
        unit.addon().is_none() && !is_declared(before) && !is_declared(after)
    };
    let units = before.fleet.works.iter().filter(move |(unit, _)| has_left(unit));
    let losses = units.flat_map(move |(unit, clusters)| {
        let there = clusters.iter().filter(|(cluster, _)| after.fleet.clusters.contains_key(*cluster));
        let now = after.fleet.works.get(unit);
        let changed = there.filter(move |(cluster, works)| {
            let now = now.and_then(|clusters| clusters.get(*cluster));
            !now.is_some_and(|now| is_same(works, now))
        });
        let ours = changed.filter(|(_, works)| {
            works.values().all(|work| Mark::of(&work.metadata).is_some_and(|mark| mark.is_of(&before.instance)))
        });
        ours.map(move |(cluster, _)| Loss { before, after, unit, cluster })
    });
    losses.filter_map(|loss| loss.violation())
}

/// Returns `true` if no work has changed. It is asked in each tick while an application leaves, so the works are not read.
fn is_same(before: &Works, now: &Works) -> bool {
    before.len() == now.len()
        && before.iter().all(|(name, work)| now.get(name).is_some_and(|now| Arc::ptr_eq(work, now)))
}

impl Loss<'_> {
    fn violation(&self) -> Option<Violation> {
        let Self { before, after, unit, cluster } = *self;
        let (had, has) = (objects(before, unit, cluster), objects(after, unit, cluster));
        let (object, to) = had.difference(&has).find_map(|object| Some((object, self.receiver(object)?)))?;
        Some(Violation::GivenUp {
            addon: unit.clone(),
            cluster: cluster.clone(),
            object: Box::new(object.clone()),
            to: to.clone(),
        })
    }

    /// Returns the unit that is to have an object on the cluster, and has it there neither before nor after.
    fn receiver(&self, object: &ObjectKey) -> Option<&UnitName> {
        let both = [self.before, self.after];
        let is_own = |snapshot: &Snapshot| {
            snapshot.addons.get(self.unit).is_some_and(|declared| declared.has(object, self.cluster))
        };
        if object.kind == "Namespace" || both.into_iter().any(is_own) {
            return None;
        }
        let lacks = |snapshot: &Snapshot, to: &UnitName| {
            is_selected(snapshot, to, self.cluster) && !objects(snapshot, to, self.cluster).contains(object)
        };
        let mut receivers = declaring((self.before, self.after), self.unit, (object, self.cluster));
        receivers.find(|to| both.into_iter().all(|snapshot| lacks(snapshot, to)) && !self.waits_back(to))
    }

    /// Returns `true` if a unit may wait for this one, so that this one does not wait for it.
    fn waits_back(&self, to: &UnitName) -> bool {
        let requires =
            |snapshot: &Snapshot| snapshot.addons.get(to).is_some_and(|declared| declared.requires.contains(self.unit));
        let gives_back = |snapshot: &Snapshot| {
            let declares = |object: &ObjectKey| {
                snapshot.addons.get(self.unit).is_some_and(|declared| declared.has(object, self.cluster))
            };
            objects(snapshot, to, self.cluster).iter().any(declares)
        };
        let is_in_the_way = |snapshot: &Snapshot| {
            let works = snapshot.works(self.unit, self.cluster).into_values();
            let manifests =
                works.filter_map(|work| work.spec.workload.as_ref()).flat_map(|workload| workload.objects());
            let there: BTreeSet<Application> = manifests.filter_map(|manifest| application(&manifest)).collect();
            let declared = snapshot.addons.get(to).map(|declared| declared.manifests(self.cluster)).unwrap_or_default();
            declared.iter().filter_map(application).any(|application| there.contains(&application))
        };
        [self.before, self.after]
            .into_iter()
            .any(|snapshot| requires(snapshot) || gives_back(snapshot) || is_in_the_way(snapshot))
    }
}

/// The namespace and the name of an application.
type Application = [String; 2];

/// Returns the application of an object, which its labels name.
fn application(object: &Value) -> Option<Application> {
    let labels = object.pointer("/metadata/labels")?;
    let label = |name: &str| labels.get(name)?.as_str().map(str::to_owned);
    Some([label(NAMESPACE_LABEL)?, label(NAME_LABEL)?])
}

/// Returns `true` if the selections of a unit are known, and a cluster is in one of them.
fn is_selected(snapshot: &Snapshot, unit: &UnitName, cluster: &ClusterName) -> bool {
    let Some(declared) = snapshot.addons.get(unit) else { return false };
    let placements = declared.placements.iter().flatten().map(|placement| &placement.name);
    let groups = groups::decided(&snapshot.fleet, placements);
    Owners::of(declared, &groups).owners.contains_key(cluster)
}
