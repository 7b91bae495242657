//! Where clusters stand in a scenario.

use std::collections::BTreeSet;

use super::configs::Configs;
use super::gates::{is_retried, may_be_parked, may_have_joined, on_failure, quarantine, returned_at};
use super::groups::{BY_HAND, GroupId};
use super::progress::{Progress, was_late};
use super::scenario::{Scenario, Span, Standing};
use super::snapshot::Snapshot;
use super::strategy::Strategy;
use tidegate_api::rollout_policy::FailureAction;
use tidegate_model::name::ClusterName;
use tidegate_repository::control::Mode;

impl<'a> Scenario<'a> {
    /// Returns `true` if the rollout of a placement continues, whatever fails.
    pub(super) fn tolerates_failures(&self, placement: usize) -> bool {
        let on_failure = on_failure(self.policies_of(Some(placement)));
        self.declared.rolls_back || on_failure.is_some_and(|on_failure| on_failure.action == FailureAction::Continue)
    }

    /// Returns `true` if a cluster gets what the rollout brings, and counts for nothing.
    pub(super) fn is_ignored(&self, cluster: &ClusterName) -> bool {
        quarantine(self.declaring, self.span.addon, cluster) == Some(Mode::Ignore)
    }

    /// Returns `true` if the others may not have had to wait for a cluster.
    fn may_be_aside(&self, placement: Option<usize>, group: &GroupId, cluster: &ClusterName, was: Progress) -> bool {
        quarantine(self.declaring, self.span.addon, cluster).is_some()
            || may_be_parked(self, placement, group, cluster)
            || was == Progress::NotStarted && may_have_joined(self, placement, group, cluster)
    }

    /// Returns the states of all clusters of the add-on.
    pub(super) fn standings(&self) -> impl Iterator<Item = (ClusterName, Standing)> {
        let strategies: Vec<_> = (0..self.policies.len()).map(|index| self.strategy(index)).collect();
        let of_placement = self.owners.iter().filter_map(move |(cluster, (placement, group))| {
            let strategy = strategies.get(*placement)?.as_ref()?;
            Some(((*cluster).clone(), self.standing(Some(*placement), group, strategy, cluster)))
        });
        let by_hand = self.declared.placements.is_none();
        let fleets = [self.span.before, self.span.after];
        let clusters = fleets.into_iter().flat_map(|snapshot| snapshot.on_clusters(self.span.addon));
        let clusters: BTreeSet<_> = clusters.map(|(cluster, _)| cluster).filter(|_| by_hand).collect();
        let strategy = Strategy::by_hand();
        let of_hand = clusters
            .into_iter()
            .map(move |cluster| (cluster.clone(), self.standing(None, &BY_HAND, &strategy, cluster)));
        of_placement.chain(of_hand)
    }

    /// Returns `true` if a cluster has the add-on, before and after, and has not started.
    pub(super) fn must_be_waiting(&self, placement: Option<usize>, group: &GroupId, cluster: &ClusterName) -> bool {
        let wanted = self.desired(placement, cluster);
        let is_waiting = |(snapshot, wanted): (&Snapshot, &Configs)| {
            let observed = snapshot.on_cluster(self.span.addon, cluster);
            let observed = observed.filter(|observed| observed.metadata.deletion_timestamp.is_none());
            observed.is_some_and(|observed| {
                !snapshot.is_foreign(observed) && Progress::of(Some(observed), wanted) == Progress::NotStarted
            })
        };
        [self.span.before, self.span.after].into_iter().zip(&wanted).all(is_waiting)
            && !self.may_be_aside(placement, group, cluster, Progress::NotStarted)
    }

    /// Returns the state of a cluster of a placement. A fact that forbids other starts must hold both before and after; a
    /// fact that permits them, before or after.
    pub(super) fn standing(
        &self,
        placement: Option<usize>,
        group: &GroupId,
        strategy: &Strategy,
        cluster: &ClusterName,
    ) -> Standing {
        let Span { addon, before, after, started, until, .. } = self.span;
        let [wanted_before, wanted_after] = self.desired(placement, cluster);
        let (addon_before, addon_after) = (before.on_cluster(addon, cluster), after.on_cluster(addon, cluster));
        if self.span.is_foreign(addon, cluster) {
            // Another instance owns the add-on, so its progress restricts nothing here.
            return Standing::harmless();
        }
        let began = after.on_clock(before.now);
        let was = Progress::of(addon_before, &wanted_before).observed(&before.clock, before.now);
        let was = was.on_clock((&before.clock, before.now), began);
        let is = Progress::of(addon_after, &wanted_after).observed(&after.clock, after.now);
        let is = is.on_clock((&after.clock, after.now), after.now);
        let may_have_been_underway = was != Progress::NotStarted && !was.may_be_through(strategy, began);
        if self.may_be_aside(placement, group, cluster, was) {
            return Standing { may_have_been_underway, ..Standing::harmless() };
        }
        let both = [was, is];
        // A cluster that people want to start again waits like one that has not started.
        let is_retried = is_retried(self.declaring, addon, cluster, addon_before, until);
        let returned = returned_at(self, placement, group, cluster);
        let must_have_failed = |progress: &Progress| {
            let counted = progress.counted_from(returned).seen(&after.unseen, began);
            counted.must_have_failed(strategy, began)
        };
        let must_be_held_against = |(progress, addon): (&Progress, _)| {
            let is_late = *progress != Progress::NotStarted && was_late(addon, strategy);
            is_late || must_have_failed(progress)
        };
        let was_in_flight = started.contains(cluster) || !is_retried && was.must_be_in_flight(strategy, until);
        Standing {
            may_be_through: both.iter().any(|progress| progress.may_be_through(strategy, until)),
            may_have_failed: both.iter().any(|progress| progress.may_have_failed(strategy, until)),
            must_have_failed: !is_retried && both.iter().all(must_have_failed),
            must_have_failed_or_been_late: !is_retried
                && both.iter().zip([addon_before, addon_after]).all(must_be_held_against),
            may_have_been_underway,
            must_be_in_flight: was_in_flight && is.must_be_in_flight(strategy, until),
        }
    }
}
