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
    let declaring = || new.iter().find_map(|object| Some((declaring(span, cluster, object)?, (*object).clone())));
    let kept = keepers.filter(|_| !new.is_empty()).find_map(|keeper| Some((keeper, kept(keeper)?)));
    let (keeper, object) = kept.or_else(declaring)?;
    Some(Violation::TakenOver {
        addon: span.addon.clone(),
        cluster: start.cluster.clone(),
        object: Box::new(object),
        keeper: keeper.clone(),
    })
}

/// Returns another unit that has an object on a cluster, and declares it before and after.
fn declaring<'s>(span: &Span<'s>, cluster: &ClusterName, object: &ObjectKey) -> Option<&'s UnitName> {
    let Span { addon, before, after, .. } = span;
    let is_before = |other: &&UnitName| before.declaring(addon, (object, cluster)).any(|was| was == *other);
    after.addons.keys().find(|other| {
        after.declaring(addon, (object, cluster)).any(|now| now == *other)
            && is_before(other)
            && objects(before, other, cluster).contains(object)
    })
}

/// Returns the objects in the works of a unit on a cluster.
pub(super) fn objects(snapshot: &Snapshot, unit: &UnitName, cluster: &ClusterName) -> BTreeSet<ObjectKey> {
    let works = snapshot.works(unit, cluster).into_values();
    let workloads = works.filter_map(|work| work.spec.workload.as_ref());
    workloads.flat_map(|workload| &workload.manifests).filter_map(|manifest| ObjectKey::of(&manifest.value())).collect()
}
