//! Objects that two units have on some cluster only: the name of one of them depends on the cluster.

use std::collections::BTreeMap;

use crate::writers::Writers;
use tidegate_model::glob;
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Repository, objects_by_cluster};

/// By unit, its objects that may be those of another unit, with that unit and the object as it has it. The name of one of the two depends on
/// the cluster.
pub(crate) type Alike = BTreeMap<UnitName, Vec<(ObjectKey, UnitName, ObjectKey)>>;

/// Returns the objects of units that may be the same on some cluster, because the name of one of them depends on the cluster.
pub(crate) fn found<'w>(repository: &Repository, writers: impl FnOnce() -> &'w Writers) -> Alike {
    let named = |(name, unit)| objects_by_cluster(name, unit).into_iter().map(move |object| (object, name));
    let open: Vec<(ObjectKey, &UnitName)> = repository.addons.iter().flat_map(named).collect();
    let mut alike = Alike::new();
    if open.is_empty() {
        return alike;
    }
    for (object, writers) in writers() {
        for (pattern, owner) in open.iter().filter(|(pattern, _)| may_be(pattern, object)) {
            for writer in writers.iter().filter(|writer| writer != owner) {
                let of = |unit: &UnitName, own: &ObjectKey, other: &UnitName, of_other: &ObjectKey| {
                    (unit.clone(), (own.clone(), other.clone(), of_other.clone()))
                };
                for (unit, entry) in [of(writer, object, owner, pattern), of(owner, pattern, writer, object)] {
                    alike.entry(unit).or_default().push(entry);
                }
            }
        }
    }
    alike
}

/// Returns `true` if an object whose name depends on the cluster may be another one.
fn may_be(pattern: &ObjectKey, object: &ObjectKey) -> bool {
    (&pattern.group, &pattern.kind) == (&object.group, &object.kind)
        && glob::matches(&pattern.namespace, &object.namespace)
        && glob::matches(&pattern.name, &object.name)
}
