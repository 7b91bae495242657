//! The shortest set of labels that describes some clusters among others.

use std::collections::BTreeMap;

use tidegate_api::ocm::managed_cluster::ManagedCluster;

/// At most this many common labels of a class are combined in pairs.
const MOST_COMMON: usize = 16;

/// The labels of the clusters that an add-on is about.
#[derive(Debug)]
pub(super) struct Labels<'a> {
    /// The clusters with each label, by number.
    having: BTreeMap<(&'a str, &'a str), Members>,
    /// The clusters, by number.
    clusters: Vec<Option<&'a ManagedCluster>>,
}

/// A set of clusters: one bit for each.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Members(Vec<u64>);

impl Members {
    fn none(total: usize) -> Self {
        Self(vec![0; total.div_ceil(64)])
    }

    fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn contains(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(all, some)| some & !all == 0)
    }
}

impl<'a> Labels<'a> {
    /// Reads the labels of the clusters, in the order of their numbers.
    pub(super) fn of(clusters: impl IntoIterator<Item = Option<&'a ManagedCluster>>) -> Self {
        let clusters: Vec<_> = clusters.into_iter().collect();
        let mut having: BTreeMap<(&str, &str), Members> = BTreeMap::new();
        for (number, cluster) in clusters.iter().enumerate() {
            let labels = cluster.and_then(|cluster| cluster.metadata.labels.as_ref());
            for (key, value) in labels.into_iter().flatten() {
                let members = having.entry((key, value)).or_insert_with(|| Members::none(clusters.len()));
                members.insert(number);
            }
        }
        Self { having, clusters }
    }

    /// Returns the shortest set of at most two labels that exactly these clusters have; empty if there is none, or if these are all
    /// clusters.
    pub(super) fn describing(&self, numbers: &[usize]) -> Vec<String> {
        let total = self.clusters.len();
        if numbers.len() == total || numbers.len() < 2 {
            return Vec::new();
        }
        let mut class = Members::none(total);
        numbers.iter().for_each(|number| class.insert(*number));
        let first = numbers.first().and_then(|number| self.clusters.get(*number).copied().flatten());
        let labels = first.and_then(|cluster| cluster.metadata.labels.as_ref()).into_iter().flatten();
        let candidates = labels.filter_map(|(key, value)| self.having.get_key_value(&(key.as_str(), value.as_str())));
        let common: Vec<_> = candidates.filter(|(_, members)| members.contains(&class)).collect();
        let shown = |(key, value): &(&str, &str)| format!("{key}={value}");
        if let Some((label, _)) = common.iter().find(|(_, members)| **members == class) {
            return vec![shown(label)];
        }
        let common = common.get(..MOST_COMMON.min(common.len())).unwrap_or_default();
        for (place, (first, of_first)) in common.iter().enumerate() {
            for (second, of_second) in common.iter().skip(place + 1) {
                if of_first.and(of_second) == class {
                    return vec![shown(first), shown(second)];
                }
            }
        }
        Vec::new()
    }
}
