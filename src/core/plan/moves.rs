//! Objects that move to another unit. A unit that gives up an object before the other one has it on a cluster lets the agent delete it there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::input::Input;
use crate::occupants::{Occupants, has, objects, own_objects};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_repository::Unit;

/// An object that a unit has on a cluster, and that another one is to get there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The object.
    pub object: ObjectKey,
    /// The unit that is to get it.
    pub to: UnitName,
}

/// A unit on a cluster.
#[derive(Debug, Clone, Copy)]
struct Giver<'a> {
    name: &'a UnitName,
    /// The unit as the cluster is to get it; `None` if the cluster is to lose it.
    unit: Option<&'a Unit>,
    cluster: &'a ClusterName,
}

/// Returns an object that the agent of a cluster would delete although another unit is to have it there: a unit starts without it, or leaves the
/// cluster (`unit` is `None`), and the other one does not have it yet.
///
/// Two units that wait for each other would wait forever, so a unit does not wait for one that requires it, or that waits for it to
/// leave (an Application, and an AppDeployment of its revisions); and of two units that give each other
/// something, the first one by name does not wait.
pub(crate) fn pending(
    input: &Input<'_>,
    occupants: &Occupants<'_>,
    (name, unit): (&UnitName, Option<&Unit>),
    cluster: &ClusterName,
) -> Option<Move> {
    let giver = Giver { name, unit, cluster };
    let waits_back = |to: &UnitName| {
        let receiver = input.repository.addons.get(to);
        let gives_back = || {
            let back = Giver { name: to, unit: receiver, cluster };
            name < to && unit.is_some() && given(input, occupants, back).any(|given| given.to == *name)
        };
        receiver.is_some_and(|receiver| receiver.requires().contains(name))
            || Occupants::is_in_the_way(input, name, to, cluster)
            || gives_back()
    };
    given(input, occupants, giver).find(|given| !waits_back(&given.to))
}

/// Returns the objects that a unit gives up on a cluster and that another one is to get there, and does not have yet.
fn given<'a>(input: &'a Input<'_>, occupants: &'a Occupants, giver: Giver<'a>) -> impl Iterator<Item = Move> + 'a {
    let Giver { name, unit, cluster } = giver;
    let own: BTreeSet<ObjectKey> = unit.map(|unit| own_objects(name, unit, cluster)).unwrap_or_default();
    let works: Option<&BTreeMap<String, Arc<ManifestWork>>> =
        input.fleet.works.get(name).and_then(|works| works.get(cluster));
    let had = works.into_iter().flat_map(BTreeMap::values).flat_map(objects);
    had.filter(move |object| !own.contains(object)).filter_map(move |object| {
        let lacks = |to: &&UnitName| {
            *to != name
                && occupants.is_to_have(input, to, cluster)
                && gets(input, to, (cluster, &object))
                && !has(input, to, (cluster, &object))
        };
        let to = occupants.writers(input.repository, &object).find(lacks)?.clone();
        Some(Move { object, to })
    })
}

/// Returns `true` unless the content of a unit depends on the cluster, and does not have an object there.
fn gets(input: &Input<'_>, name: &UnitName, (cluster, object): (&ClusterName, &ObjectKey)) -> bool {
    let Some(unit) = input.repository.addons.get(name) else { return false };
    let Some(per_cluster) = &unit.per_cluster else { return true };
    let is_same = |manifest: &Value| ObjectKey::of(manifest).as_ref() == Some(object);
    let has = |content: &Value| {
        let manifests = content.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
        manifests.into_iter().flatten().any(is_same)
    };
    let mut given = unit.configurations.iter().filter(|(reference, _)| per_cluster.has(reference, cluster));
    given.any(|(_, configuration)| has(&configuration.object))
}
