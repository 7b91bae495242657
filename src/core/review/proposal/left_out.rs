//! Clusters that people have put in quarantine, and what waits because of that.

use super::half::Half;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_plan::PlacementOutlook;
use tidegate_rollout::{ClusterStatus, GroupKey, Status, mandatory};

/// Returns a notice for each mandatory group of which every cluster is in quarantine, and none has the configuration: the clusters of all
/// other groups wait for it. In compat, as upstream, they do not.
pub(super) fn without_canaries(name: &UnitName, head: Option<&Half<'_>>) -> Vec<String> {
    let head = head.filter(|half| half.repository.settings.rules().counts_from_start);
    let placements =
        head.into_iter().flat_map(|half| half.outlook.placements.iter().map(move |outlook| (half, outlook)));
    placements.filter_map(|(half, outlook)| {
        let group = left_out(name, half, outlook)?;
        Some(format!(
            "{name}: all clusters of mandatory {group} are in quarantine, so no other cluster starts before one is released, or the \
             strategy names another mandatory group"
        ))
    }).collect()
}

/// Returns the mandatory group that is left out, if a cluster is to start.
fn left_out(name: &UnitName, half: &Half<'_>, outlook: &PlacementOutlook) -> Option<GroupKey> {
    let has = |cluster: &ClusterName, wanted: Status| {
        outlook.statuses.iter().any(|status| status.cluster == cluster.as_str() && status.status == wanted)
    };
    let is_in_quarantine = |cluster: &ClusterName| half.repository.controls.quarantine(name, cluster).is_some();
    let key = |index, name: &str| GroupKey { index, name: name.to_owned() };
    let group = outlook.groups.iter().find(|group| {
        let is_mandatory = mandatory(&outlook.strategy).iter().any(|asked| key(group.index, &group.name).is(asked));
        let is_done = |cluster: &ClusterName| has(cluster, Status::Succeeded);
        let clusters = || group.clusters.iter();
        is_mandatory && clusters().next().is_some() && clusters().all(is_in_quarantine) && !clusters().any(is_done)
    })?;
    let waits = |status: &ClusterStatus| {
        let is_left_out = status.cluster.parse().is_ok_and(|cluster| is_in_quarantine(&cluster));
        status.status == Status::ToApply && !is_left_out
    };
    outlook.statuses.iter().any(waits).then(|| key(group.index, &group.name))
}
