//! Whether a change continues what was there: whether the policies before it select the same clusters, and whose objects it takes over.

use std::collections::BTreeSet;

use super::basis::{Basis, Reach};
use super::change::{Approvals, Change, GoodDigests, RULES};
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;

/// What the policies before a change can be applied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Continuity {
    /// Whether the policies before the change can be applied to the groups and placements after it.
    pub(super) is_selected_as_before: bool,
    /// The add-ons whose objects the change takes over.
    pub(super) predecessors: BTreeSet<UnitName>,
    /// Whether the change may take over objects of an add-on that is not known.
    pub(super) has_unknown_predecessors: bool,
}

/// An add-on before a change, and after it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) addon: &'a UnitName,
    /// The revision before the change.
    pub(super) before: &'a Basis,
    /// Where the add-on went then; `None` if it is new.
    pub(super) own: Option<&'a Reach>,
    /// Where it goes now.
    pub(super) later: &'a Reach,
}

impl Continuity {
    /// Returns the continuity of a change that changes neither.
    pub(super) fn whole() -> Self {
        Self { is_selected_as_before: true, predecessors: BTreeSet::new(), has_unknown_predecessors: false }
    }

    /// Returns the continuity of a change about which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { is_selected_as_before: false, predecessors: BTreeSet::new(), has_unknown_predecessors: true }
    }
}

impl Approvals {
    /// Returns whether a step continues what was there. `is_known` returns `true` for an add-on whose recorded changes are all known.
    pub(super) fn continuity(
        &self,
        step: Step<'_>,
        good: &GoodDigests,
        is_known: impl Fn(&UnitName) -> bool,
    ) -> Continuity {
        let Step { addon, before, own, later } = step;
        let is_accepted =
            |other: &UnitName, selection: &Digest| is_known(other) && self.has_accepted(other, selection, good);
        let recorded = || self.recorded(good).map(|(other, basis, _)| (other, basis));
        let is_missing = |(other, basis, must): (&UnitName, &Basis, bool)| must && !basis.addons.contains_key(other);
        let takes = !later.taken(own).is_empty();
        Continuity {
            is_selected_as_before: before.selects_as_before((addon, own), later, is_accepted),
            predecessors: before.predecessors((addon, own), later, recorded()),
            has_unknown_predecessors: takes && (before.has_errors || self.recorded(good).any(is_missing)),
        }
    }

    /// Returns the revisions of the recorded changes of add-ons, with the add-on, and whether the revision must declare it. What an add-on was
    /// before a digest that all its clusters completed is on none of them, unless it has that digest again.
    fn recorded<'a>(&'a self, good: &'a GoodDigests) -> impl Iterator<Item = (&'a UnitName, &'a Basis, bool)> {
        let of_addons = self.changes.iter().filter(|(addon, _)| addon.as_str() != RULES);
        of_addons.flat_map(|(addon, changes)| {
            let completed = changes.iter().rposition(|change| good.get(addon) == Some(&change.digest));
            let (since, first) = changes.split_at(completed.unwrap_or(changes.len()));
            let since = since.iter().flat_map(Change::declaring);
            let first = first.first().map(|change| (&*change.after, true));
            since.chain(first).map(move |(basis, must)| (addon, basis, must))
        })
    }

    /// Returns `true` if an add-on has completed a selection, or has had it in all recorded changes since it completed one.
    fn has_accepted(&self, addon: &UnitName, selection: &Digest, good: &GoodDigests) -> bool {
        let selected = |basis: &Basis| basis.addons.get(addon).is_some_and(|reach| reach.selection == *selection);
        for change in self.changes.get(addon).into_iter().flatten() {
            if good.get(addon) == Some(&change.digest) {
                return selected(&change.after);
            }
            if change.is_of_new() || !selected(&change.before) {
                return false;
            }
        }
        true
    }
}
