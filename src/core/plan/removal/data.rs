//! What users have stored on a cluster that an application leaves: it stays, and the agent has to know that before a work is deleted.

use std::sync::Arc;

use crate::hub_objects::ownership::Owner;
use crate::input::Input;
use tidegate_api::mark::Mark;
use tidegate_api::object_key;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::precondition::precondition;
use tidegate_delivery::{Unkept, is_state_of, unkept};
use tidegate_model::action::Write;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::object::ObjectKey;

/// Returns the works of this instance for an application on a cluster. An add-on has none here: the hub deletes its works.
pub(super) fn works<'i>(
    input: &Input<'i>,
    unit: &UnitName,
    cluster: &ClusterName,
) -> Vec<(&'i String, &'i Arc<ManifestWork>)> {
    let works = input.fleet.works.get(unit).and_then(|works| works.get(cluster));
    let ownership = input.ownership();
    let is_ours = |(name, work): &(&String, &Arc<ManifestWork>)| {
        unit.addon().is_none()
            && is_state_of(unit, &object_key::work(cluster.as_str(), name))
            && ownership.of_mark(Mark::of(&work.metadata)) == Owner::Ours
    };
    works.into_iter().flatten().filter(is_ours).collect()
}

/// Returns an object that would be deleted together with the works of an application on a cluster although it has to stay.
pub(super) fn lost(input: &Input<'_>, unit: &UnitName, cluster: &ClusterName) -> Option<ObjectKey> {
    unkept_works(input, unit, cluster).next().map(|(_, found)| found.object)
}

/// Returns the writes after which such objects stay.
pub(super) fn marks(input: &Input<'_>, unit: &UnitName, cluster: &ClusterName) -> Vec<Write> {
    let marked = |(work, found): (&Arc<ManifestWork>, Unkept)| {
        let name = work.metadata.name.as_deref()?;
        let key = object_key::work(cluster.as_str(), name);
        Some(Write::Patch { key, precondition: precondition(&work.metadata)?, patch: found.patch?.into() })
    };
    unkept_works(input, unit, cluster).filter_map(marked).collect()
}

fn unkept_works<'i>(
    input: &Input<'i>,
    unit: &UnitName,
    cluster: &ClusterName,
) -> impl Iterator<Item = (&'i Arc<ManifestWork>, Unkept)> {
    let works = works(input, unit, cluster).into_iter().map(|(_, work)| work);
    let live = works.filter(|work| work.metadata.deletion_timestamp.is_none());
    live.filter_map(|work| Some((work, unkept(work)?)))
}
