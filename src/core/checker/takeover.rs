//! Objects that a start takes over from a unit that cannot give them away.

use std::collections::BTreeSet;

use super::scenario::Span;
use super::snapshot::Snapshot;
use super::start::Start;
use super::violation::Violation;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Returns the violation if a start gave a unit an object that another one has on the cluster, and keeps there.
///
/// Units without works of their own write the works after the start, which is not judged.
pub(super) fn violation(span: &Span<'_>, start: &Start<'_>) -> Option<Violation> {
    let cluster = start.cluster;
    let (had, has) = (objects(span.before, span.addon, cluster), objects(span.after, span.addon, cluster));
    let new: BTreeSet<&ObjectKey> = has.difference(&had).filter(|object| object.kind != "Namespace").collect();
    let keepers = span.before.keepers.intersection(&span.after.keepers).filter(|keeper| *keeper != span.addon);
    let kept =
        |keeper: &UnitName| objects(span.before, keeper, cluster).into_iter().find(|object| new.contains(object));
    // A unit that still declares an object keeps it as well.
    let Span { addon, before, after, .. } = *span;
    let has = |object: &ObjectKey, unit: &UnitName| objects(before, unit, cluster).contains(object);
    let of_declaring =
        |object: &ObjectKey| declaring((before, after), addon, (object, cluster)).find(|unit| has(object, unit));
    let declaring = || new.iter().find_map(|object| Some((of_declaring(object)?, (*object).clone())));
    let kept = keepers.filter(|_| !new.is_empty()).find_map(|keeper| Some((keeper, kept(keeper)?)));
    let (keeper, object) = kept.or_else(declaring)?;
    Some(Violation::TakenOver {
        addon: span.addon.clone(),
        cluster: start.cluster.clone(),
        object: Box::new(object),
        keeper: keeper.clone(),
    })
}

/// Returns the units other than this one that declare an object on a cluster, before and after.
pub(super) fn declaring<'s>(
    (before, after): (&'s Snapshot, &'s Snapshot),
    unit: &'s UnitName,
    (object, cluster): (&ObjectKey, &ClusterName),
) -> impl Iterator<Item = &'s UnitName> {
    let declares = |snapshot: &Snapshot, other: &UnitName| {
        snapshot.addons.get(other).is_some_and(|declared| declared.has(object, cluster))
    };
    let units = after.addons.keys().filter(move |other| *other != unit);
    units.filter(move |other| declares(after, other) && declares(before, other))
}

/// Returns the objects in the works of a unit on a cluster.
pub(super) fn objects(snapshot: &Snapshot, unit: &UnitName, cluster: &ClusterName) -> BTreeSet<ObjectKey> {
    let works = snapshot.works(unit, cluster).into_values();
    let workloads = works.filter_map(|work| work.spec.workload.as_ref());
    workloads.flat_map(|workload| &workload.manifests).filter_map(|manifest| ObjectKey::of(&manifest.value())).collect()
}
