//! What is known about an add-on before anything is decided: its clusters, which of them are set aside, and where each one stands.

use std::collections::BTreeSet;

use super::control;
use super::membership::Membership;
use super::placement;
use super::rollback;
use super::ruling;
use crate::context::Context;
use crate::hub_objects::ownership::Owner;
use crate::node::{Child, Node};
use crate::report::missing::Missing;
use tidegate_delivery::status::State;
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::Phase;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_rollout::gate::{Aside, Member, Policies, Standing, UnitTraffic, aside};
use tidegate_rollout::{Barrier, Gate, GroupKey};

/// An add-on that the hub has, before anything is decided about it.
pub(crate) struct Survey<'a> {
    /// The clusters that should have it.
    pub membership: Membership<'a>,
    /// Its placements with their clusters.
    pub nodes: Vec<Node<'a>>,
}

/// Surveys a unit; `None` if the hub does not have its ClusterManagementAddOn yet.
pub(crate) fn survey<'a>(context: &Context<'a>, policies: &Policies<'_>) -> Option<Survey<'a>> {
    if !context.is_on_hub() {
        return None;
    }
    let membership = Membership::of(context);
    let mut nodes = placement::nodes(context, &membership, &context.defaults());
    for node in &mut nodes {
        node.reaction = policies.reaction(context.name, node.placement.as_ref());
        if rollback::is_running(context) {
            node.rolls_back = true;
            node.strategy = rollback::strategy(&node.strategy, node.reaction.as_ref());
        }
        if !policies.is_empty() {
            node.aside = set_aside(context, node, policies);
        }
        // Where the content for a cluster has an error, people let the others go on without it.
        let unrendered = node.awaited.iter().filter(|(_, missing)| matches!(missing, Missing::Unrendered { .. }));
        let clusters = node.children.iter().map(|child| child.name).chain(unrendered.map(|(name, _)| name));
        control::quarantined(context, clusters, &mut node.aside);
        if context.rules.counts_from_start {
            node.aside.hold = node.aside.hold.take().or_else(|| without_canaries(node));
        }
    }
    Some(Survey { membership, nodes })
}

/// Returns what holds all clusters of a node if every cluster of a mandatory group is left out, and none of them has the configuration.
fn without_canaries(node: &Node<'_>) -> Option<Gate> {
    let is_done = |cluster: &ClusterName| {
        node.children.iter().any(|child| child.name == cluster && matches!(child.state, State::Succeeded { .. }))
    };
    let is_left_out = |group: &&DecisionGroup| {
        let key = node.group_key(Some(group.index));
        node.mandatory().iter().any(|asked| key.is(asked))
            && !group.clusters.is_empty()
            && group.clusters.iter().all(|cluster| node.aside.left_out(cluster).is_some())
            && !group.clusters.iter().any(is_done)
    };
    let group = node.groups.iter().find(is_left_out)?;
    let source = group.clusters.iter().find_map(|cluster| node.aside.left_out(cluster))?.source.clone();
    Some(Gate { source, barrier: Barrier::LeftOut { group: node.group_key(Some(group.index)) } })
}

fn set_aside(context: &Context<'_>, node: &Node<'_>, policies: &Policies<'_>) -> Aside {
    let groups: Vec<GroupKey> = node.children.iter().map(|child| node.group_key(child.group)).collect();
    let standings = ruling::standings(context, node);
    let controls = &context.input.repository.controls;
    let is_excluded = |cluster: &ClusterName| controls.quarantine(context.name, cluster).is_some();
    let mut members = Vec::with_capacity(groups.len());
    for ((child, group), standing) in node.children.iter().zip(&groups).zip(&standings) {
        members.push(Member {
            name: child.name,
            group,
            has_joined: joined(context, child).is_some(),
            has_started: *standing != Standing::Waiting,
            is_finished: matches!(standing, Standing::Done | Standing::Unwell) || is_excluded(child.name),
        });
    }
    aside(policies, &context.input.fleet.clusters, (context.name, node.placement.as_ref()), &members)
}

/// Returns since when a cluster has been a latecomer to the current rollout: it joined, or changed its group, after the rollout had begun.
pub(crate) fn joined(context: &Context<'_>, child: &Child<'_>) -> Option<Timestamp> {
    if child.state == State::ToApply { joined_group(context, child.name, child.group) } else { None }
}

/// Returns since when a cluster that has not started, and may not have the add-on yet, has been a latecomer. There are none before the first
/// cluster has started.
pub(super) fn joined_group(context: &Context<'_>, name: &ClusterName, group: Option<i32>) -> Option<Timestamp> {
    let report = context.input.past.report.addons.get(context.name)?;
    if !context.has_begun {
        return None;
    }
    match report.clusters.get(name) {
        Some(before) if before.joined.is_some() => before.joined,
        Some(before) if before.group == group || before.group.is_none() => None,
        _ => (report.phase != Phase::Completed).then(|| to_seconds(context.input.now)),
    }
}

/// Returns where the clusters of an add-on stand. Without a survey, nothing is known about them.
pub(crate) fn traffic<'a>(context: &Context<'a>, survey: Option<&Survey<'a>>) -> UnitTraffic<'a> {
    let Some(Survey { membership, nodes }) = survey else { return UnitTraffic::default() };
    let mut traffic = UnitTraffic { is_known: membership.is_reliable, ..UnitTraffic::default() };
    for node in nodes {
        traffic.is_known &= !node.is_partial;
        for (child, standing) in node.children.iter().zip(ruling::standings(context, node)) {
            let before = context.input.past.cluster(context.name, child.name);
            let is_degraded = before.is_some_and(|before| before.degraded.is_some());
            let standing = match standing {
                Standing::Done if is_degraded => Standing::Unwell,
                Standing::Waiting | Standing::Underway | Standing::Unwell
                    if node.aside.lets_end_without(child.name) =>
                {
                    Standing::Aside
                }
                // It takes no slot until it returns.
                Standing::Underway if node.aside.includes(child.name) => Standing::Unwell,
                standing => standing,
            };
            traffic.clusters.insert(child.name, standing);
            let started = control::started(child.addon).and_then(|at| context.input.since(at));
            traffic.starts.extend(started.map(|at| (child.name, at)));
        }
        let fleet = &context.input.fleet.clusters;
        let awaited = node.awaited.iter().filter_map(|(name, _)| fleet.get_key_value(name));
        traffic.clusters.extend(awaited.map(|(name, _): (&ClusterName, _)| (name, Standing::Waiting)));
    }
    traffic.starts.extend(starts_elsewhere(context, nodes));
    traffic
}

/// Returns when clusters started that have the add-on and take no part in the rollout: they are about to lose it, or it is being deleted.
/// Limits on starts count them as well.
fn starts_elsewhere<'a>(context: &Context<'a>, nodes: &[Node<'_>]) -> Vec<(&'a ClusterName, Timestamp)> {
    let children = || nodes.iter().flat_map(|node| &node.children).map(|child| child.name);
    let all = context.input.fleet.cluster_addons.get(context.name).map_or(0, |addons| addons.len());
    // Where clusters start from nothing, some of them do not have the add-on yet.
    if !context.starts_from_nothing() && children().count() == all {
        return Vec::new();
    }
    let children: BTreeSet<&ClusterName> = children().collect();
    let ownership = context.input.ownership();
    let elsewhere = context.observed().filter(|(name, _)| !children.contains(name));
    let ours = elsewhere.filter(|(_, addon)| ownership.of_install(addon) == Owner::Ours);
    ours.filter_map(|(name, addon)| Some((name, context.input.since(control::started(addon)?)?))).collect()
}
