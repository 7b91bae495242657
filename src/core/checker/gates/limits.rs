//! Limits on clusters under way, counted over all add-ons.

use std::collections::{BTreeMap, BTreeSet};

use super::bar::Bar;
use super::case::Case;
use super::labels;
use super::policies::Policy;
use super::traffic::Place;
use crate::snapshot::Snapshot;
use crate::start::configured;
use tidegate_api::rollout_policy::Limit;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{SignedDuration, Timestamp};

/// The span of `startsPerMinute`.
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

/// Returns the bar if a start went beyond a limit, by the labels of the clusters in this observation.
pub(super) fn exceeded(case: &Case<'_>, policy: &Policy, fleet: &Snapshot) -> Option<Bar> {
    policy.spec().limits.iter().find_map(|limit| Counting { case, policy, fleet, limit }.bar())
}

/// One limit, counted by the labels in one observation.
struct Counting<'c> {
    case: &'c Case<'c>,
    policy: &'c Policy,
    fleet: &'c Snapshot,
    limit: &'c Limit,
}

impl Counting<'_> {
    fn bar(&self) -> Option<Bar> {
        let own = self.value(self.case.cluster)?;
        let (policy, limit) = (self.policy.title.clone(), self.limit.name.clone());
        let mut underway: BTreeMap<&str, BTreeSet<&ClusterName>> = BTreeMap::new();
        // At its start it was under way, even if it is done in the meantime.
        underway.entry(own).or_default().insert(self.case.cluster);
        let mut before: BTreeMap<&str, BTreeSet<&ClusterName>> = BTreeMap::new();
        let mut opened: BTreeSet<&str> = BTreeSet::new();
        let mut values = BTreeSet::from([(own, false)]);
        let mut busy = Vec::new();
        for (addon, clusters) in self.case.traffic.0.iter().filter(|(addon, _)| self.policy.is_about(addon)) {
            for (cluster, place) in clusters {
                let Some(value) = self.value(cluster) else { continue };
                let comes_first = self.must_come_first(addon, cluster, place);
                let is_counted = place.standing.must_be_in_flight && comes_first;
                if is_counted {
                    underway.entry(value).or_default().insert(cluster);
                    values.insert((value, self.case.has_started(addon, cluster)));
                }
                if !comes_first {
                    opened.insert(value);
                }
                // One that the limit is not about may have started first as well, and opened its value to the others.
                if place.standing.may_have_been_underway || !comes_first {
                    before.entry(value).or_default().insert(cluster);
                }
                if is_counted && cluster == self.case.cluster && addon != self.case.addon() {
                    busy.push(addon.to_string());
                }
            }
        }
        let was_busy = before.get(own);
        let count = underway.get(own).map_or(0, BTreeSet::len);
        let was_counted = was_busy.is_some_and(|clusters| clusters.contains(self.case.cluster));
        if let Some(allowed) = amount(self.limit.max_clusters).filter(|allowed| count > *allowed && !was_counted) {
            let value = self.limit.label.clone().map(|label| (label, own.to_owned()));
            return Some(Bar::Clusters { policy, limit, value, underway: count, allowed });
        }
        // A start in a value that another cluster opened may have come after this one.
        let must_come_first = |(value, has_started): &(&str, bool)| !(*has_started && opened.contains(value));
        let busy_values: BTreeSet<&str> = values.into_iter().filter(must_come_first).map(|(value, _)| value).collect();
        if let (Some(allowed), Some(label)) = (amount(self.limit.max_values), &self.limit.label)
            && busy_values.len() > allowed
            && was_busy.is_none()
        {
            let busy = busy_values.into_iter().map(str::to_owned).collect();
            return Some(Bar::Values { policy, limit, label: label.clone(), busy, allowed });
        }
        if let Some(allowed) = amount(self.limit.max_add_ons_per_cluster).filter(|allowed| busy.len() >= *allowed) {
            return Some(Bar::Addons { policy, limit, busy, allowed });
        }
        let allowed = amount(self.limit.starts_per_minute)?;
        let starts = self.starts(own, self.case.at?);
        (starts > allowed).then_some(Bar::Rate { policy, limit, starts, allowed })
    }

    /// Returns `true` if a cluster that is under way was so before one of the starts that the limit allows: it did not start in the
    /// meantime, or the limit is about it, too. One that the limit is not about may have started last.
    fn must_come_first(&self, addon: &UnitName, cluster: &ClusterName, place: &Place) -> bool {
        let object = || self.fleet.fleet.clusters.get(cluster);
        !self.case.has_started(addon, cluster)
            || object().is_some_and(|object| place.is_subject_to(self.policy, addon, object))
    }

    /// Counts the clusters that started within the minute up to a start.
    fn starts(&self, own: &str, at: Timestamp) -> usize {
        let addons = self.case.traffic.0.iter().filter(|(addon, _)| self.policy.is_about(addon));
        let of_addon = |(addon, clusters): (&UnitName, &BTreeMap<ClusterName, Place>)| {
            let counts = |(cluster, place): &(&ClusterName, &Place)| {
                let has_value = self.value(cluster) == Some(own);
                has_value && self.has_started(addon, cluster, at) && self.must_come_first(addon, cluster, place)
            };
            clusters.iter().filter(counts).count()
        };
        addons.map(of_addon).sum()
    }

    fn has_started(&self, addon: &UnitName, cluster: &ClusterName, at: Timestamp) -> bool {
        let span = self.case.scenario.span();
        // Another instance may have taken the add-on over since; what it does is not limited here.
        if span.is_foreign(addon, cluster) {
            return false;
        }
        let of = |snapshot: &Snapshot| snapshot.on_cluster(addon, cluster).and_then(configured);
        let Some(started) = of(span.after) else { return false };
        let is_known = of(span.before) == Some(started) || self.case.has_started(addon, cluster);
        is_known && started <= at && started.duration_until(at) < MINUTE
    }

    /// Returns the value that a cluster is counted for, if the policy is about it.
    fn value(&self, cluster: &ClusterName) -> Option<&str> {
        let cluster = self.fleet.fleet.clusters.get(cluster).filter(|cluster| self.policy.has(cluster))?;
        Some(self.limit.label.as_ref().map_or("", |label| labels::value_of(cluster, label)))
    }
}

fn amount(given: Option<u32>) -> Option<usize> {
    given.and_then(|given| usize::try_from(given).ok())
}
