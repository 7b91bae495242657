//! Order between add-ons, and locks that they share.

use super::bar::Bar;
use super::case::Case;
use super::policies::Policy;
use super::traffic::Place;
use tidegate_api::rollout_policy::Scope;
use tidegate_model::name::ClusterName;

/// Returns the bar if an add-on that comes first was not done.
pub(super) fn early(case: &Case<'_>, policy: &Policy) -> Option<Bar> {
    let mut others = policy.spec().order.iter().filter(|dependency| dependency.after != case.addon().as_str());
    others.find_map(|dependency| {
        let (addon, clusters) = case.traffic.0.iter().find(|(addon, _)| addon.as_str() == dependency.after)?;
        let is_meant = |cluster: &ClusterName| dependency.scope == Scope::Fleet || *cluster == *case.cluster;
        let mut open = clusters.iter().filter(|(cluster, place)| is_meant(cluster) && !place.standing.may_be_through);
        let (cluster, _) = open.next()?;
        Some(Bar::After { policy: policy.title.clone(), addon: addon.clone(), cluster: cluster.clone() })
    })
}

/// Returns the bar if a unit that this one requires was not done on the cluster, or the cluster was not to have it.
pub(super) fn required(case: &Case<'_>) -> Option<Bar> {
    let mut required = case.scenario.declared.requires.iter();
    required.find_map(|unit| {
        let place = case.traffic.0.get(unit)?.get(case.cluster);
        let is_open = place.is_none_or(|place| !place.standing.may_be_through);
        is_open.then(|| Bar::Requires { unit: unit.clone() })
    })
}

/// Returns the bar if another add-on had a lock.
pub(super) fn locked(case: &Case<'_>, policy: &Policy) -> Option<Bar> {
    policy.spec().locks.iter().find_map(|lock| {
        let holders = case.scenario.declaring.policies.iter().filter(|other| other.spec().locks.contains(lock));
        let holders: Vec<&Policy> = holders.collect();
        let others = case.traffic.0.iter().filter(|(addon, _)| *addon != case.addon());
        let mut others = others.filter(|(addon, _)| holders.iter().any(|holder| holder.is_about(addon)));
        others.find_map(|(addon, clusters)| {
            // One that did not need the lock may have started last.
            let needs_it = |(cluster, place): &(&ClusterName, &Place)| {
                let fleet = &case.scenario.span().before.fleet;
                let needs = |holder: &&Policy, object| place.is_subject_to(holder, addon, object);
                let object = fleet.clusters.get(*cluster);
                object.is_some_and(|object| holders.iter().any(|holder| needs(holder, object)))
            };
            let comes_first = |found: &(&ClusterName, &Place)| !case.has_started(addon, found.0) || needs_it(found);
            let (cluster, _) =
                clusters.iter().find(|found| found.1.standing.must_be_in_flight && comes_first(found))?;
            let (policy, holder) = (policy.title.clone(), addon.clone());
            Some(Bar::Lock { policy, name: lock.clone(), holder, cluster: cluster.clone() })
        })
    })
}
