//! The document of a rollout that has ended.

use super::record::{API_VERSION, Cause, Clusters, Rollout, SealedCluster, SealedRollout};
use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_rollout::gate::checks::Evidence;

/// Returns the document for a rollout and its clusters in their current state.
///
/// # Shape
/// The clusters are in the order in which they started; those that never did come last, by group and name. Only what happened
/// during the rollout is recorded: a cluster that already had the configurations has no `started`. A membership change lists only
/// the clusters that take part in it. `problem` is why the add-on is stopped or held. Of `checks`, those are recorded
/// that are about the digest of the rollout.
pub fn sealed(
    name: &UnitName,
    rollout: &Rollout,
    problem: Option<&str>,
    checks: &[Evidence],
    clusters: Clusters,
) -> SealedRollout {
    let is_of_rollout = |evidence: &&Evidence| rollout.digest.as_ref() == Some(&evidence.digest);
    let mut clusters: Vec<SealedCluster> = clusters
        .into_iter()
        .map(|(cluster, c)| {
            let started = c.started.filter(|at| *at >= rollout.started);
            let is_done = started.is_some()
                && matches!(c.state, ClusterState::Succeeded | ClusterState::Soaking | ClusterState::Removed);
            let is_open = matches!(c.state, ClusterState::Progressing | ClusterState::Failed | ClusterState::TimedOut);
            let finished = c.since.filter(|_| is_done);
            let reason = if is_open { c.reason } else { String::new() };
            SealedCluster { cluster, group: c.group, started, finished, state: c.state, left_out: c.left_out, reason }
        })
        .filter(|c: &SealedCluster| {
            let has_it = matches!(c.state, ClusterState::Succeeded | ClusterState::Soaking);
            rollout.cause != Cause::Membership || c.started.is_some() || !has_it
        })
        .collect();
    clusters.sort_by(|a, b| {
        let order = |c: &SealedCluster| (c.started.is_none(), c.started, c.group);
        order(a).cmp(&order(b)).then_with(|| a.cluster.cmp(&b.cluster))
    });
    SealedRollout {
        api_version: API_VERSION.to_owned(),
        kind: "Rollout".to_owned(),
        addon: name.clone(),
        rollout: rollout.clone(),
        problem: problem.map(str::to_owned),
        checks: checks.iter().filter(is_of_rollout).cloned().collect(),
        clusters,
    }
}
