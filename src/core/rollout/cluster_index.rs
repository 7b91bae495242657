//! Numbers the clusters of a placement: each name is looked up once, and after that everything is an index into a list.

use std::collections::BTreeMap;

use crate::ClusterStatus;
use crate::group::{Group, GroupKey};
use crate::sort_key::{SortKey, SortKeys};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;

/// All clusters of the groups, numbered in the order of their names, and the given statuses.
pub(super) struct ClusterIndex<'a> {
    /// The clusters, each once. The index of a cluster is its number.
    pub(super) clusters: Vec<&'a ClusterName>,
    /// The groups in order, those with the same key merged.
    pub(super) groups: Vec<Group>,
    /// The given statuses in the order of the input, each with the number of its cluster, if that is in a group.
    pub(super) given: Vec<(Option<usize>, &'a ClusterStatus)>,
    /// Indexes into `given` in the order of the names; those of one name in the order of the input.
    pub(super) by_name: Vec<usize>,
}

/// A cluster in one of its groups.
struct Seat<'a> {
    key: SortKey<'a>,
    cluster: &'a ClusterName,
    group: usize,
}

impl<'a> ClusterIndex<'a> {
    pub(super) fn new(groups: &'a [DecisionGroup], existing: &'a [ClusterStatus]) -> Self {
        let mut by_key: BTreeMap<(i32, &str), Vec<&'a ClusterName>> = BTreeMap::new();
        for group in groups {
            by_key.entry((group.index, &group.name)).or_default().extend(&group.clusters);
        }
        let keys = SortKeys::of(by_key.values().flatten().map(|cluster| cluster.as_str()));
        let seat = |group| move |cluster: &&'a ClusterName| Seat { key: keys.key(cluster.as_str()), cluster, group };
        let mut seats: Vec<_> =
            by_key.values().enumerate().flat_map(|(group, clusters)| clusters.iter().map(seat(group))).collect();
        // Each group is already sorted, which a stable sort takes advantage of.
        seats.sort_by_key(|seat| seat.key);
        let group = |(index, name): &(i32, &str)| Group {
            key: GroupKey { index: *index, name: (*name).to_owned() },
            members: Vec::new(),
        };
        let mut index = Self {
            clusters: Vec::with_capacity(seats.len()),
            groups: by_key.keys().map(group).collect(),
            given: existing.iter().map(|status| (None, status)).collect(),
            by_name: Vec::with_capacity(existing.len()),
        };
        index.seat(&seats);
        seats.dedup_by_key(|seat| seat.key);
        index.join(&seats, keys);
        index
    }

    /// Numbers the clusters of the seats, and adds the numbers to the groups.
    fn seat(&mut self, seats: &[Seat<'a>]) {
        let mut last = None;
        for seat in seats {
            if last != Some(seat.key) {
                self.clusters.push(seat.cluster);
                last = Some(seat.key);
            }
            let number = self.clusters.len().saturating_sub(1);
            if let Some(group) = self.groups.get_mut(seat.group).filter(|group| group.members.last() != Some(&number)) {
                group.members.push(number);
            }
        }
    }

    /// Finds the numbers of the given statuses. `seats` has one seat for each number.
    fn join(&mut self, seats: &[Seat<'_>], keys: SortKeys<'_>) {
        let key = |(place, (_, status)): (usize, &(_, &'a ClusterStatus))| (keys.key(&status.cluster), place);
        let mut sorted: Vec<_> = self.given.iter().enumerate().map(key).collect();
        sorted.sort_unstable();
        // Both lists are sorted by name, so one walk over the two finds all numbers.
        let mut ahead = seats.iter().map(|seat| seat.key).enumerate().peekable();
        for (key, place) in sorted {
            while ahead.next_if(|(_, seat)| *seat < key).is_some() {}
            if let Some((number, _)) = self.given.get_mut(place) {
                *number = ahead.peek().filter(|(_, seat)| *seat == key).map(|(number, _)| *number);
            }
            self.by_name.push(place);
        }
    }

    /// Returns the name of the cluster with this number.
    pub(super) fn name(&self, number: usize) -> &'a str {
        self.clusters.get(number).map_or("", |cluster| cluster.as_str())
    }

    /// Returns the first value of each cluster, by number.
    pub(super) fn by_number<T: Clone>(&self, values: impl IntoIterator<Item = (usize, T)>) -> Vec<Option<T>> {
        let mut list = vec![None; self.clusters.len()];
        for (number, value) in values {
            if let Some(slot) = list.get_mut(number).filter(|slot| slot.is_none()) {
                *slot = Some(value);
            }
        }
        list
    }
}
