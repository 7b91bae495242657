//! Objects that move to another unit. A unit that gives up an object before the other one has it on a cluster lets the agent delete it there.

use std::collections::BTreeMap;

use crate::input::Input;
use crate::occupants::{Occupants, has, is_in_the_way, objects};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_repository::may_get;

/// An object that a unit has on a cluster, and that another one is to get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The object.
    pub object: ObjectKey,
    /// The unit that is to get it.
    pub to: UnitName,
}

/// Returns an object that the agent of a cluster would delete although another unit is to have it there: a unit starts without it, or leaves the
/// cluster, and the other one does not have it yet.
///
/// Two units that wait for each other would wait forever. So a unit does not wait for one that requires it, or that waits for it to leave: an
/// Application, and an AppDeployment of its revisions. Of two units that give each other something, the first one by name does not wait.
pub(crate) fn pending(
    input: &Input<'_>,
    occupants: &Occupants<'_>,
    name: &UnitName,
    cluster: &ClusterName,
) -> Option<Move> {
    let waits_back = |to: &UnitName| {
        let requires = input.repository.addons.get(to).is_some_and(|receiver| receiver.requires().contains(name));
        let gives_back = || name < to && given(input, occupants, (to, cluster)).any(|given| given.to == *name);
        requires || is_in_the_way(input, name, to, cluster) || gives_back()
    };
    given(input, occupants, (name, cluster)).find(|given| !waits_back(&given.to))
}

/// Returns the objects that a unit has on a cluster and no longer writes, and that another one is to get there, and does not have yet.
fn given<'a>(
    input: &'a Input<'_>,
    occupants: &'a Occupants<'_>,
    (name, cluster): (&'a UnitName, &'a ClusterName),
) -> impl Iterator<Item = Move> + 'a {
    let works = input.fleet.works.get(name).and_then(|works| works.get(cluster));
    let had = works.into_iter().flat_map(BTreeMap::values).flat_map(objects);
    let is_given = move |object: &ObjectKey| !occupants.writes(input.repository, name, (cluster, object));
    had.filter(is_given).filter_map(move |object| {
        let lacks = |to: &&UnitName| {
            let may_get = |unit| may_get(unit, cluster, &object);
            occupants.is_to_have(input, to, cluster)
                && input.repository.addons.get(*to).is_some_and(may_get)
                && !has(input, to, (cluster, &object))
        };
        let to = occupants.writers(input.repository, &object).find(lacks)?.clone();
        Some(Move { object, to })
    })
}
