//! Memory of who joined a rollout in the middle: which clusters an add-on had when its digest changed, and which came later.

use super::bar::Bar;
use super::case::Case;
use crate::groups::GroupId;
use crate::scenario::Scenario;
use tidegate_api::rollout_policy::Joining;
use tidegate_model::name::ClusterName;

/// Returns the bar if a cluster joined in the middle of the rollout and has to wait for the next one.
pub(super) fn held(case: &Case<'_>) -> Option<Bar> {
    let span = case.scenario.span();
    let rollout = span.joins.of(case.scenario.declaring, span.addon)?;
    let holds = |joining: Joining| joining == Joining::Hold;
    let policy =
        case.applying().find(|policy| policy.spec().membership.as_ref().is_some_and(|it| holds(it.joining)))?;
    rollout.late.contains(case.cluster).then(|| Bar::Joined { policy: policy.title.clone() })
}

/// Returns `true` if a cluster that has not started may have joined in the middle of the rollout, so that the others do not wait for it.
pub(crate) fn may_have_joined(
    scenario: &Scenario<'_>,
    placement: Option<usize>,
    group: &GroupId,
    cluster: &ClusterName,
) -> bool {
    let span = scenario.span();
    let clusters = [span.before, span.after].into_iter().filter_map(|snapshot| snapshot.fleet.clusters.get(cluster));
    let clusters: Vec<_> = clusters.collect();
    let sets_aside = scenario.policies_of(placement).iter().any(|policy| {
        let joining = policy.spec().membership.as_ref().map(|membership| membership.joining);
        let waits = matches!(joining, Some(Joining::Tail | Joining::Hold));
        waits && clusters.iter().any(|cluster| policy.is_about_cluster(group, cluster))
    });
    let is_member = || {
        let rollout = span.joins.of(scenario.declaring, span.addon);
        rollout.is_some_and(|rollout| rollout.members.get(cluster).is_some_and(|known| known.as_ref() == Some(group)))
    };
    sets_aside && !is_member()
}
