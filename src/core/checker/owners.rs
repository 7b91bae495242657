//! To which placement each cluster of an add-on belongs.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::Declared;
use super::groups::{GroupId, Groups};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_repository::Overlap;

/// The groups of each placement of an add-on, at one moment.
pub(super) type AllGroups<'a> = BTreeMap<&'a NamespacedName, Option<Groups>>;

/// The selected clusters of an add-on.
#[derive(Debug, Default)]
pub(super) struct Owners<'a> {
    /// Each cluster with the index of the placement that it belongs to, and its first group there.
    pub(super) owners: BTreeMap<&'a ClusterName, (usize, &'a GroupId)>,
    /// The clusters that several placements select, where that keeps them from starting. They belong to none.
    pub(super) contested: BTreeSet<&'a ClusterName>,
}

impl<'a> Owners<'a> {
    /// Reads them from the groups of the placements. The clusters of placements that are unknown are left out.
    pub(super) fn of(declared: &Declared, groups: &'a AllGroups<'_>) -> Self {
        let mut all = Self::default();
        for (index, placement) in declared.placements.iter().flatten().enumerate() {
            for (group, clusters) in groups.get(&placement.name).and_then(Option::as_ref).into_iter().flatten() {
                for name in clusters {
                    let owner = all.owners.entry(name).or_insert((index, group));
                    match declared.overlap {
                        _ if owner.0 == index => {}
                        Overlap::Last => *owner = (index, group),
                        Overlap::First => {}
                        Overlap::Neither => drop(all.contested.insert(name)),
                    }
                }
            }
        }
        let Self { owners, contested } = &mut all;
        owners.retain(|cluster, _| !contested.contains(cluster));
        all
    }
}
