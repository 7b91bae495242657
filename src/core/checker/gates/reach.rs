//! Clusters that cannot be reached, and those that could not be until a short time ago.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::available::{available, is_unreachable};
use super::bar::Bar;
use super::case::Case;
use super::policies::Policy;
use crate::groups::GroupId;
use crate::scenario::Scenario;
use crate::snapshot::Snapshot;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::UnreachableAction;
use tidegate_model::name::ClusterName;
use tidegate_model::time::{Timestamp, parse_go_duration};

/// Returns the bar if a cluster cannot be reached and is parked.
pub(super) fn parked(case: &Case<'_>, fleet: &Snapshot) -> Option<Bar> {
    let cluster = fleet.fleet.clusters.get(case.cluster)?;
    let policy = parking(case.policies, case.group, cluster)?;
    is_unreachable(cluster).then(|| Bar::Parked { policy: policy.title.clone() })
}

/// Returns the bar if a cluster returned too short a time before `at`.
pub(super) fn returned(case: &Case<'_>, fleet: &Snapshot, at: Timestamp) -> Option<Bar> {
    let cluster = fleet.fleet.clusters.get(case.cluster)?;
    let (is_available, since) = available(cluster)?;
    if !is_available {
        return parked(case, fleet);
    }
    case.applying().find_map(|policy| {
        let unreachable = policy.spec().unreachable.as_ref().filter(|it| it.action == UnreachableAction::Park)?;
        let until = since.checked_add(parse_go_duration(unreachable.soak.as_deref()?).ok()?).ok()?;
        (at < until).then(|| Bar::Returned { policy: policy.title.clone(), until })
    })
}

/// Returns the bar if more clusters of the placement are unreachable, before and after, than may be parked.
pub(super) fn too_many(case: &Case<'_>) -> Option<Bar> {
    let members = case.scenario.members(case.placement);
    let span = case.scenario.span();
    let of = |snapshot: &Snapshot, (name, group): (&ClusterName, &GroupId)| {
        let cluster = snapshot.fleet.clusters.get(name)?;
        let addon = snapshot.on_cluster(span.addon, name)?;
        let is_ours = addon.metadata.deletion_timestamp.is_none() && !snapshot.is_foreign(addon);
        let is_parked = parking(case.policies, group, cluster).is_some() && is_unreachable(cluster);
        Some((is_ours, is_parked))
    };
    let (mut total, mut unreachable, mut limits) = (0, 0, Vec::new());
    for member in &members {
        let [before, after] = [span.before, span.after].map(|snapshot| of(snapshot, (member.0, member.1)));
        total += 1;
        if before != Some((true, true)) || after != Some((true, true)) {
            continue;
        }
        unreachable += 1;
        let clusters = [span.before, span.after].map(|snapshot| snapshot.fleet.clusters.get(member.0));
        for policy in case.policies.iter().filter(|policy| {
            clusters.iter().all(|cluster| cluster.is_some_and(|cluster| policy.is_about_cluster(member.1, cluster)))
        }) {
            let share = policy.spec().unreachable.as_ref().and_then(|unreachable| unreachable.max_share.as_ref());
            limits.extend(share.map(|share| (share, *policy)));
        }
    }
    let allowed = |share: &IntOrString| match share {
        IntOrString::Int(count) => usize::try_from(*count).ok(),
        IntOrString::String(text) => match text.strip_suffix('%') {
            Some(percent) => Some(total * percent.parse::<usize>().ok()? / 100),
            None => text.parse().ok(),
        },
    };
    let (allowed, policy) = limits
        .into_iter()
        .filter_map(|(share, policy)| Some((allowed(share)?, policy)))
        .min_by_key(|(most, _)| *most)?;
    let policy = policy.title.clone();
    (unreachable > allowed).then_some(Bar::ManyUnreachable { policy, unreachable, allowed })
}

/// Returns `true` if a cluster may be parked: before or after, it cannot be reached.
pub(crate) fn may_be_parked(
    scenario: &Scenario<'_>,
    placement: Option<usize>,
    group: &GroupId,
    cluster: &ClusterName,
) -> bool {
    let policies = scenario.policies_of(placement);
    let span = scenario.span();
    [span.before, span.after]
        .iter()
        .filter_map(|snapshot| snapshot.fleet.clusters.get(cluster))
        .any(|cluster| is_unreachable(cluster) && parking(policies, group, cluster).is_some())
}

/// Returns since when a cluster can be reached that would be parked otherwise: its deadline counts from there.
pub(crate) fn returned_at(
    scenario: &Scenario<'_>,
    placement: Option<usize>,
    group: &GroupId,
    cluster: &ClusterName,
) -> Option<Timestamp> {
    let span = scenario.span();
    let seen = [span.before, span.after].into_iter().filter_map(|snapshot| snapshot.fleet.clusters.get(cluster));
    let parked = seen.filter(|cluster| parking(scenario.policies_of(placement), group, cluster).is_some());
    parked
        .filter_map(|cluster| available(cluster))
        .filter(|(is_available, _)| *is_available)
        .map(|(_, since)| since)
        .max()
}

/// Returns a policy that parks a cluster while it cannot be reached. All policies about it that say something have to.
fn parking<'p>(policies: &[&'p Policy], group: &GroupId, cluster: &ManagedCluster) -> Option<&'p Policy> {
    let about = policies.iter().copied().filter(|policy| policy.is_about_cluster(group, cluster));
    let said: Vec<_> = about.filter_map(|policy| Some((policy, policy.spec().unreachable.as_ref()?.action))).collect();
    let all_park = said.iter().all(|(_, action)| *action == UnreachableAction::Park);
    said.first().filter(|_| all_park).map(|(policy, _)| *policy)
}
