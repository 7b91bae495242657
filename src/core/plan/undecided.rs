//! Add-ons whose selected clusters are not recorded on the hub.

use std::collections::BTreeSet;

use tidegate_delivery::is_state_of;
use tidegate_model::action::{Lane, Stage, Write};
use tidegate_model::name::UnitName;
use tidegate_model::object::ObjectKey;
use tidegate_repository::Repository;

/// Units that must not be started, completed or removed, because PlacementDecisions that they depend on could not be written.
///
/// Other controllers read which clusters a Placement selects, and so does the checker: a start is judged by what is recorded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Undecided(BTreeSet<UnitName>);

impl Undecided {
    /// Returns the units with a Placement in the namespace of a PlacementDecision that could not be written.
    pub fn of<'a>(repository: &Repository, unwritten: impl IntoIterator<Item = &'a ObjectKey>) -> Self {
        let pages = unwritten.into_iter().filter(|key| Self::depends_on(key));
        let namespaces: BTreeSet<&str> = pages.map(|key| key.namespace.as_str()).collect();
        let uses = |addon: &UnitName| {
            let unit = repository.addons.get(addon);
            let mut placements = unit.into_iter().flat_map(|unit| unit.placements());
            placements.any(|placement| namespaces.contains(placement.namespace.as_str()))
        };
        Self(repository.addons.keys().filter(|addon| uses(addon)).cloned().collect())
    }

    /// Returns `true` if add-ons may depend on an object that could not be written.
    pub fn depends_on(key: &ObjectKey) -> bool {
        key.kind == "PlacementDecision"
    }

    /// Returns the add-ons.
    pub fn addons(&self) -> impl Iterator<Item = &UnitName> {
        self.0.iter()
    }

    /// Returns `true` if a lane writes the state of one of these add-ons: on a cluster, or as a whole.
    pub fn concerns(&self, lane: &Lane) -> bool {
        let is_about = |key: &ObjectKey| self.0.iter().any(|unit| is_state_of(unit, key));
        lane.stage > Stage::Decide && lane.writes.iter().filter_map(Write::key).any(|key| is_about(&key))
    }
}
