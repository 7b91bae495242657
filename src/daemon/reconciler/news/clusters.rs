//! The differences between two reports on the clusters of one add-on.

use std::collections::BTreeMap;

use super::item::{Names, News};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::{AddonReport, ClusterReport};

/// Returns news about clusters that joined, failed, timed out, became degraded, recovered or left. `is_another` is `true` if
/// the reports have different configurations.
pub(super) fn changes(name: &UnitName, (before, after): (&AddonReport, &AddonReport), is_another: bool) -> Vec<News> {
    let is_rollout = is_another || before.clusters.is_empty();
    let had = |cluster: &ClusterName| before.clusters.get(cluster);
    let is_new_state = |cluster: &ClusterName, report: &ClusterReport| {
        had(cluster).is_none_or(|had| had.state != report.state || !is_same_start(had, report))
    };
    let newly = |state: ClusterState| -> BTreeMap<&ClusterName, &ClusterReport> {
        let found = after.clusters.iter().filter(|(_, report)| report.state == state);
        found.filter(|(cluster, report)| is_new_state(cluster, report)).collect()
    };
    let is_added = |(cluster, report): &(&ClusterName, &ClusterReport)| {
        !is_rollout
            && !report.state.is_unselected()
            && had(cluster).is_none_or(|had| had.state.is_unselected() && had.state != ClusterState::Leaving)
    };
    let added: Names = after.clusters.iter().filter(is_added).map(|(cluster, _)| cluster).collect();
    let (failed, timed_out) = (newly(ClusterState::Failed), newly(ClusterState::TimedOut));
    let was_degraded = |cluster: &ClusterName| had(cluster).is_some_and(|had| had.degraded.is_some());
    let degraded =
        after.clusters.iter().filter(|(cluster, report)| report.degraded.is_some() && !was_degraded(cluster));
    let degraded = degraded.collect();
    // Look up the few clusters with problems among all clusters, not the other way round.
    let is_recovered = |(cluster, had): &(&ClusterName, &ClusterReport)| {
        let now = if is_bad(had) { after.clusters.get(*cluster) } else { None };
        now.is_some_and(|report| is_well(report) && had.hash == report.hash)
    };
    let recovered: Names = before.clusters.iter().filter(is_recovered).map(|(cluster, _)| cluster).collect();
    let leaves = |(cluster, report): &(&ClusterName, &ClusterReport)| {
        report.state == ClusterState::Removing && had(cluster).is_none_or(|had| had.state != ClusterState::Removing)
    };
    let leaving: Names = after.clusters.iter().filter(leaves).map(|(cluster, _)| cluster).collect();
    let has_left = |(cluster, had): &(&ClusterName, &ClusterReport)| {
        had.state.is_unselected() && !after.clusters.contains_key(*cluster)
    };
    let left: Names = before.clusters.iter().filter(has_left).map(|(cluster, _)| cluster).collect();

    let addon = || name.clone();
    let to = || after.version.clone();
    let items = [
        some(added, |clusters| News::ClustersAdded { addon: addon(), to: to(), clusters }),
        folded(&failed, |clusters, reason| News::ClustersFailed { addon: addon(), clusters, reason }),
        folded(&timed_out, |clusters, reason| News::ClustersTimedOut { addon: addon(), clusters, reason }),
        folded(&degraded, |clusters, reason| News::ClustersDegraded { addon: addon(), clusters, reason }),
        some(recovered, |clusters| News::ClustersRecovered { addon: addon(), clusters }),
        some(leaving, |clusters| News::UninstallStarted { addon: addon(), clusters }),
        some(left, |clusters| News::UninstallCompleted { addon: addon(), clusters }),
    ];
    items.into_iter().flatten().collect()
}

/// Returns the clusters of an add-on that are degraded, as one item.
pub(super) fn degraded(name: &UnitName, after: &AddonReport) -> Option<News> {
    let degraded = after.clusters.iter().filter(|(_, report)| report.degraded.is_some()).collect();
    folded(&degraded, |clusters, reason| News::ClustersDegraded { addon: name.clone(), clusters, reason })
}

fn is_bad(report: &ClusterReport) -> bool {
    matches!(report.state, ClusterState::Failed | ClusterState::TimedOut) || report.degraded.is_some()
}

/// Returns `true` if the add-on is known to work. On an unreachable cluster, that is unknown.
fn is_well(report: &ClusterReport) -> bool {
    let has_it = matches!(report.state, ClusterState::Succeeded | ClusterState::Soaking);
    has_it && report.degraded.is_none() && !report.is_unreachable()
}

/// Returns `true` if a cluster has not started again since it was last reported.
fn is_same_start(before: &ClusterReport, after: &ClusterReport) -> bool {
    before.hash == after.hash && before.started == after.started
}

fn some(clusters: Names, item: impl FnOnce(Names) -> News) -> Option<News> {
    (clusters.count > 0).then(|| item(clusters))
}

/// Folds clusters into one item with their most frequent reason.
fn folded(clusters: &BTreeMap<&ClusterName, &ClusterReport>, item: impl FnOnce(Names, String) -> News) -> Option<News> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for report in clusters.values() {
        *reasons.entry(report.degraded.as_deref().unwrap_or(&report.reason)).or_default() += 1;
    }
    // If several are equally frequent, take the first in alphabetical order, so that the outcome is deterministic.
    let most = reasons.into_iter().rev().max_by_key(|(_, count)| *count);
    let (reason, _) = most?;
    Some(item(clusters.keys().collect(), reason.to_owned()))
}
