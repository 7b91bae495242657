//! Selections that are kept from one plan to the next, while nothing changes that they depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::input::{Distrusted, Input, PlacementMode, Readings};
use super::select::{self, Selections};
use tidegate_api::fleet::Fleet;
use tidegate_model::instance::Instance;
use tidegate_model::name::NamespacedName;
use tidegate_model::time::Timestamp;
use tidegate_repository::Repository;

/// The selections of the last plan, and what they were made from.
#[derive(Debug, Default)]
pub(super) struct KeptSelections(Option<(Basis, Selections)>);

impl KeptSelections {
    /// Returns the clusters of every Placement that an add-on refers to.
    pub(super) fn selections(&mut self, input: &Input<'_>, wanted: BTreeSet<NamespacedName>) -> Selections {
        if let Some((basis, kept)) = &self.0
            && basis.holds(input, &wanted)
            && basis.at <= input.now
            && basis.expires.is_none_or(|expires| input.now <= expires)
            && kept.values().all(|selection| selection.look_at.is_none_or(|look_at| input.now < look_at))
        {
            return kept.clone();
        }
        let selections = select::selections(input, &wanted);
        self.0 = Some((Basis::of(input, wanted), selections.clone()));
        selections
    }
}

/// Returns the next time after which a score no longer counts.
fn first_expiry(fleet: &Fleet, now: Timestamp) -> Option<Timestamp> {
    let scores = fleet.scores.values().flat_map(BTreeMap::values).filter_map(|score| score.status.as_ref());
    scores.filter_map(|status| Some(status.valid_until.as_ref()?.0)).filter(|until| now <= *until).min()
}

/// Everything that selections depend on, and the time at which they were made.
#[derive(Debug)]
struct Basis {
    wanted: BTreeSet<NamespacedName>,
    repository: Repository,
    instance: Instance,
    placement_mode: PlacementMode,
    readings: Readings,
    distrusted: Distrusted,
    /// The parts of the fleet that selections depend on; the others are empty.
    fleet: Fleet,
    at: Timestamp,
    expires: Option<Timestamp>,
}

impl Basis {
    fn of(input: &Input<'_>, wanted: BTreeSet<NamespacedName>) -> Self {
        let fleet = input.fleet;
        Self {
            repository: input.repository.clone(),
            instance: input.instance.clone(),
            placement_mode: input.placement_mode,
            readings: input.past.readings.clone(),
            distrusted: input.past.distrusted.clone(),
            fleet: Fleet {
                clusters: fleet.clusters.clone(),
                cluster_sets: fleet.cluster_sets.clone(),
                cluster_set_bindings: fleet.cluster_set_bindings.clone(),
                placements: fleet.placements.clone(),
                decisions: fleet.decisions.clone(),
                scores: fleet.scores.clone(),
                declared: fleet.declared.clone(),
                unreadable: fleet.unreadable.clone(),
                ..Fleet::default()
            },
            at: input.now,
            expires: first_expiry(fleet, input.now),
            wanted,
        }
    }

    fn holds(&self, input: &Input<'_>, wanted: &BTreeSet<NamespacedName>) -> bool {
        self.wanted == *wanted
            && self.placement_mode == input.placement_mode
            && self.instance == *input.instance
            && self.has_same_hub(input.fleet)
            && self.readings == input.past.readings
            && self.distrusted == input.past.distrusted
            && self.repository == *input.repository
    }

    /// Returns `true` if the hub has the same objects for selections. Large maps are compared by the pointers of their objects.
    fn has_same_hub(&self, now: &Fleet) -> bool {
        let before = &self.fleet;
        let declared = |fleet: &Fleet| {
            self.wanted.iter().map(|name| fleet.declared.get(&select::key(name)).cloned()).collect::<Vec<_>>()
        };
        before.clusters.is_same(&now.clusters)
            && before.cluster_sets == now.cluster_sets
            && before.cluster_set_bindings == now.cluster_set_bindings
            && before.placements == now.placements
            && are_same(&before.decisions, &now.decisions, Arc::ptr_eq)
            && are_same(&before.scores, &now.scores, |before, now| are_same(before, now, Arc::ptr_eq))
            && declared(before) == declared(now)
            && before.unreadable == now.unreadable
    }
}

fn are_same<K: PartialEq, V>(before: &BTreeMap<K, V>, now: &BTreeMap<K, V>, is_same: impl Fn(&V, &V) -> bool) -> bool {
    let mut pairs = before.iter().zip(now);
    before.len() == now.len() && pairs.all(|((a, before), (b, now))| a == b && is_same(before, now))
}
