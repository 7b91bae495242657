//! Clusters that take no part in a rollout for now: the others do not wait for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::gates::gate;
use super::policies::{Policies, Policy};
use super::unreachable::reachable_since;
use crate::{Barrier, Gate, GroupKey};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::{Joining, Unreachable, UnreachableAction};
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::time::Timestamp;

/// A cluster of a placement.
#[derive(Debug, Clone, Copy)]
pub struct Member<'m> {
    /// Its name.
    pub name: &'m ClusterName,
    /// Its decision group.
    pub group: &'m GroupKey,
    /// Whether it joined in the middle of the rollout.
    pub has_joined: bool,
    /// Whether it has started on what the rollout brings, or is done with it.
    pub has_started: bool,
    /// Whether nothing more is expected of it.
    pub is_finished: bool,
}

/// The clusters of a placement that are set aside, and what holds all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aside {
    /// The clusters that are set aside, each with its gate.
    pub clusters: BTreeMap<ClusterName, Gate>,
    /// The clusters that would be parked if they could not be reached, each with the time since when it can be. Deadlines count from there.
    pub reachable: BTreeMap<ClusterName, Timestamp>,
    /// The clusters that get what the rollout brings, and count for nothing, each with the gate that says so.
    pub ignored: BTreeMap<ClusterName, Gate>,
    /// What holds all clusters of the placement: more are unreachable than may be parked.
    pub hold: Option<Gate>,
}

impl Aside {
    /// Returns `true` if the other clusters do not wait for a cluster.
    pub fn includes(&self, cluster: &ClusterName) -> bool {
        self.clusters.contains_key(cluster) || self.ignored.contains_key(cluster)
    }

    /// Returns `true` if the rollout may end without a cluster.
    pub fn lets_end_without(&self, cluster: &ClusterName) -> bool {
        self.left_out(cluster).is_some()
    }

    /// Returns why the rollout may end without a cluster; `None` if it may not.
    pub fn left_out(&self, cluster: &ClusterName) -> Option<&Gate> {
        self.clusters.get(cluster).filter(|gate| gate.lets_rollout_end()).or_else(|| self.ignored.get(cluster))
    }
}

/// Returns the clusters of a placement that are set aside.
pub fn aside(
    policies: &Policies<'_>,
    clusters: &BTreeMap<ClusterName, Arc<ManagedCluster>>,
    (unit, placement): (&UnitName, Option<&NamespacedName>),
    members: &[Member<'_>],
) -> Aside {
    let policies: Vec<&Policy<'_>> = policies.of(unit, placement).map(|(_, policy)| policy).collect();
    // A cluster that cannot be reached may never finish.
    let is_reachable = |name: &ClusterName| clusters.get(name).is_some_and(|cluster| !cluster.is_unreachable());
    let others_go_on = members.iter().any(|other| !other.has_joined && !other.is_finished && is_reachable(other.name));
    let mut aside = Aside::default();
    let mut parked: BTreeMap<ClusterName, Gate> = BTreeMap::new();
    let mut share: Option<Share<'_, '_>> = None;
    for member in members {
        let Some(cluster) = clusters.get(member.name) else { continue };
        let applies = |policy: &&&Policy<'_>| policy.selects_group(member.group) && policy.selects_cluster(cluster);
        let applying: Vec<&Policy<'_>> = policies.iter().filter(applies).copied().collect();
        let parking = parking(applying.iter().copied());
        let since = parking.and_then(|_| reachable_since(cluster));
        aside.reachable.extend(since.map(|since| (member.name.clone(), since)));
        if let Some(policy) = parking.filter(|_| cluster.is_unreachable()) {
            parked.insert(member.name.clone(), gate(policy, Barrier::Parked));
            let shares = applying.iter().filter_map(|policy| Share::of(policy, members.len()));
            share = shares.chain(share).min_by_key(|share| share.allowed);
        } else if let Some(gate) = joined(&applying, member, others_go_on) {
            aside.clusters.insert(member.name.clone(), gate);
        }
    }
    match share.filter(|share| parked.len() > share.allowed) {
        Some(Share { policy, allowed }) => {
            aside.hold = Some(gate(policy, Barrier::ManyUnreachable { unreachable: parked.len(), allowed }));
        }
        None => aside.clusters.append(&mut parked),
    }
    aside
}

/// How many clusters a policy allows to be parked.
#[derive(Clone, Copy)]
struct Share<'p, 'a> {
    policy: &'p Policy<'a>,
    allowed: usize,
}

impl<'p, 'a> Share<'p, 'a> {
    fn of(policy: &'p Policy<'a>, total: usize) -> Option<Self> {
        Some(Self { policy, allowed: most(policy.spec.unreachable.as_ref()?, total)? })
    }
}

/// Returns the gate of a cluster that joined in the middle of the rollout, by the strictest policy.
fn joined(applying: &[&Policy<'_>], member: &Member<'_>, others_go_on: bool) -> Option<Gate> {
    if !member.has_joined || member.has_started {
        return None;
    }
    let said = applying.iter().filter_map(|policy| Some((*policy, policy.spec.membership.as_ref()?.joining)));
    let (policy, joining) = said.max_by_key(|(_, joining)| *joining)?;
    let holds = match joining {
        Joining::Hold => true,
        Joining::Tail if others_go_on => false,
        Joining::Tail | Joining::JoinGroup => return None,
    };
    Some(gate(policy, Barrier::Joined { holds }))
}

/// Returns the policy that parks unreachable clusters, if all policies with an `unreachable` field agree.
fn parking<'p, 'a>(policies: impl Iterator<Item = &'p Policy<'a>>) -> Option<&'p Policy<'a>> {
    let said = policies.filter_map(|policy| Some((policy, policy.spec.unreachable.as_ref()?.action)));
    let (policy, action) = said.min_by_key(|(_, action)| *action)?;
    (action == UnreachableAction::Park).then_some(policy)
}

/// Returns how many clusters of `total` may be parked.
fn most(unreachable: &Unreachable, total: usize) -> Option<usize> {
    match unreachable.max_share.as_ref()? {
        IntOrString::Int(count) => usize::try_from(*count).ok(),
        IntOrString::String(text) => match text.strip_suffix('%') {
            // Rounded down: a share is never exceeded.
            Some(percent) => Some(total.saturating_mul(percent.parse().ok()?) / 100),
            None => text.parse().ok(),
        },
    }
}
