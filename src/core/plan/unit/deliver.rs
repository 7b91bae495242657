//! Delivers to the clusters of an add-on: what each of them gets, what its agent may do on the hub, and the report of it.

use std::collections::BTreeMap;

use k8s_openapi::api::rbac::v1::RoleBinding;

use super::approvals;
use super::cluster;
use super::grants;
use super::health;
use super::report;
use super::rule::Rulings;
use super::ruled::Ruled;
use super::ruling;
use super::status::PlacementProgress;
use super::survey;
use crate::cluster::rendering::Undeliverable;
use crate::context::{Action, Context, Planned, Subject};
use crate::memo::Memo;
use crate::node::{Child, Node};
use crate::report::gates::ClosedGates;
use crate::report::reason::Reason;
use crate::report::{ClusterReport, ConfigReport, ConfigVersion, PlacementReport, builder};
use crate::upstream::handover;
use tidegate_delivery::status::{Desired, Tally};
use tidegate_model::action::{Lane, Stage};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::progress::ClusterState;
use tidegate_model::semantics::Semantics;
use tidegate_model::time::{SignedDuration, Timestamp, sooner};
use tidegate_rollout::{Verdict, Wait};

/// What the later steps need to know about the deliveries.
#[derive(Debug)]
pub(super) struct Delivered {
    /// The progress of each placement.
    pub progress: Vec<PlacementProgress>,
    /// How many clusters are to get the add-on and have never completed a rollout of it.
    pub installs: usize,
}

/// When to plan again after a plan that only read reports.
const SOON: SignedDuration = SignedDuration::from_secs(1);

/// Delivers to all clusters, and adds the writes and reports to the plan. With `keeps_grants`, no permission is removed.
pub(super) fn deliver(
    context: &Context<'_>,
    rulings: &Rulings<'_, '_>,
    keeps_grants: bool,
    memo: &mut Memo,
    planned: &mut Planned,
) -> Delivered {
    // An add-on that leaves its cluster keeps its permissions until it has left.
    let stays = context.observed().all(|(_, addon)| addon.metadata.deletion_timestamp.is_none());
    let mut grants = Grants { shared: Vec::new(), is_complete: !keeps_grants && stays };
    let mut delivered = Delivered { progress: Vec::new(), installs: 0 };
    // Looks at all clusters, so it must not be asked for each of them.
    let is_pending = handover::is_pending(context);
    for ruled in &rulings.placements {
        let has_unread = ruling::has_unread(context, ruled.node);
        if has_unread {
            let soon = context.input.now.checked_add(SOON).unwrap_or(Timestamp::MAX);
            planned.report.look_at = sooner(planned.report.look_at, Some(soon));
        }
        let reads_reports = has_unread || context.input.is_first_look();
        let mut clusters = Clusters { is_pending, reads_reports, ..Clusters::default() };
        clusters.deliver(context, ruled, &mut grants, memo, planned);
        let Clusters { mut reports, waiting, closed, .. } = clusters;
        let node = ruled.node;
        delivered.installs += reports.iter().filter(|(name, report)| is_install(context, name, report)).count();
        if let Some(placement) = node.placement.as_ref().filter(|_| rulings.placements.len() > 1) {
            reports.values_mut().for_each(|report| report.placement = placement.to_string());
        }
        let tally = match context.rules.engine {
            Semantics::Strict => tally(node, &reports),
            Semantics::Compat => ruled.ruling.tally(node),
        };
        if let Some(placement) = &node.placement {
            let tally = node.problem.is_none().then_some(tally);
            let progress = PlacementProgress { placement: placement.clone(), desired: node.desired.to_vec(), tally };
            delivered.progress.push(progress);
        }
        record_gates(context, ruled, closed, planned);
        planned.report.placements.push(PlacementReport { waiting, ..placement_report(context, node, &reports, tally) });
        planned.report.clusters.append(&mut reports);
    }
    let mut verdicts: Vec<_> = planned.report.approvals.iter_mut().map(|approval| &mut approval.verdict).collect();
    tidegate_consent::keep_relevant(&mut verdicts);
    if context.is_native() {
        planned.lanes.extend(grants::shared(context, grants.shared, grants.is_complete));
    }
    delivered
}

/// The permissions on the hub that the agents of several clusters share.
struct Grants {
    /// The RoleBindings that are needed.
    shared: Vec<RoleBinding>,
    /// Whether these are all, so that others can be removed.
    is_complete: bool,
}

/// What was delivered to the clusters of one placement.
#[derive(Default)]
struct Clusters {
    /// Whether clusters are yet to be handed over to OCM's add-on manager, so that nothing may start.
    is_pending: bool,
    /// Whether what clusters have reported is read by this plan, so that nothing may start.
    reads_reports: bool,
    reports: BTreeMap<ClusterName, ClusterReport>,
    /// How many clusters wait, by reason.
    waiting: BTreeMap<String, usize>,
    closed: ClosedGates,
}

impl Clusters {
    fn deliver(
        &mut self,
        context: &Context<'_>,
        ruled: &Ruled<'_, '_>,
        grants: &mut Grants,
        memo: &mut Memo,
        planned: &mut Planned,
    ) {
        let (node, ruling) = (ruled.node, &ruled.ruling);
        planned.report.look_at = sooner(planned.report.look_at, ruling.look_at(context.input.now));
        for child in &node.children {
            let report = self.child(context, ruled, child, grants, memo, planned);
            self.reports.insert(child.name.clone(), report);
        }
        for (name, missing) in &node.awaited {
            let group = node.group_of(name);
            let joined = survey::joined_group(context, name, group);
            self.reports.insert(name.clone(), ClusterReport { joined, ..builder::awaited(group, missing.clone()) });
        }
        for (name, owner) in &node.foreign {
            self.reports.insert((*name).clone(), builder::foreign(node.group_of(name), owner));
        }
    }

    /// Delivers to a cluster that has the add-on.
    fn child(
        &mut self,
        context: &Context<'_>,
        ruled: &Ruled<'_, '_>,
        child: &Child<'_>,
        grants: &mut Grants,
        memo: &mut Memo,
        planned: &mut Planned,
    ) -> ClusterReport {
        let Ruled { node, holds, ruling, .. } = ruled;
        let (is_pending, reads_reports) = (self.is_pending, self.reads_reports);
        let may_start = !node.is_partial && !is_pending && !reads_reports;
        let action = ruling.action(child, may_start, !holds.is_empty());
        let subject = Subject {
            name: child.name,
            addon: child.addon,
            cluster: child.cluster,
            desired: &child.desired,
            action,
            is_configured: context.rules.restores_configured || ruling.is_in_rollout(child.name),
            is_overdue: context.rules.records_overdue && ruling.verdict(child.name) == Some(&Verdict::TimedOut),
        };
        let delivery = cluster::planned(context, &subject, memo);
        planned.report.look_at = sooner(planned.report.look_at, delivery.look_at());
        let reason = match report::reason(context, child, action, ruling, &delivery) {
            Reason::PlacementUnknown if is_pending => Reason::HandOver,
            Reason::PlacementUnknown if reads_reports && !node.is_partial => Reason::FirstLook,
            reason => reason,
        };
        self.count(node, child, &reason, planned);
        let action = match delivery.problem {
            Some(Undeliverable::Moves(_)) => Action::Wait,
            _ => action,
        };
        let report = report::cluster(context, child, action, &reason);
        let report = health::noted(report, child, action, &delivery);
        // Permissions have a lane of their own: an agent without them is better than no agent.
        for writes in [delivery.writes, delivery.granted.writes].into_iter().filter(|writes| !writes.is_empty()) {
            planned.lanes.push(Lane { stage: Stage::Deliver, writes });
        }
        grants.is_complete &= delivery.granted.shared.is_some();
        grants.shared.extend(delivery.granted.shared.into_iter().flatten());
        report
    }

    /// Notes what a cluster waits for.
    fn count(&mut self, node: &Node<'_>, child: &Child<'_>, reason: &Reason, planned: &mut Planned) {
        match reason.wait() {
            Some(wait @ Wait::FailureBudget { .. }) => {
                planned.report.stopped_by.get_or_insert_with(|| wait.to_string());
            }
            Some(Wait::Gate(gate)) => {
                self.closed.add(node.group_key(child.group), gate);
                planned.report.look_at = sooner(planned.report.look_at, gate.look_at());
            }
            _ => {}
        }
        if reason.state() == ClusterState::Waiting {
            *self.waiting.entry(reason.detailed()).or_default() += 1;
        }
    }
}

/// Adds the gates, approvals and checks of a placement to the plan.
fn record_gates(context: &Context<'_>, ruled: &Ruled<'_, '_>, closed: ClosedGates, planned: &mut Planned) {
    let Ruled { node, approvals, checks, .. } = ruled;
    let before = context.input.past.report.addon(context.name);
    let placement = node.placement.as_ref().map(ToString::to_string).unwrap_or_default();
    planned.overrides.extend(approvals.iter().filter_map(|judged| judged.overrides(context.name)));
    planned.report.checks.extend(checks.judgements.iter().filter_map(|judgement| judgement.evidence.clone()));
    planned.report.look_at = sooner(planned.report.look_at, checks.look_at);
    planned.requests.extend(checks.requests.iter().cloned());
    planned.report.approvals.extend(approvals::reports(approvals, &placement));
    planned.report.gates.extend(closed.reports(&placement, before, context.input.now));
}

/// Returns `true` if a cluster is to get the add-on and has never completed a rollout of it.
fn is_install(context: &Context<'_>, name: &ClusterName, report: &ClusterReport) -> bool {
    let is_unfinished = match report.state {
        ClusterState::Progressing
        | ClusterState::Soaking
        | ClusterState::Waiting
        | ClusterState::Failed
        | ClusterState::TimedOut => true,
        ClusterState::Succeeded => false,
        ClusterState::Leaving | ClusterState::Removing | ClusterState::Removed => false,
    };
    let addons = context.input.fleet.cluster_addons.get(context.name);
    let status = addons.and_then(|addons| addons.get(name)).and_then(|addon| addon.status.as_ref());
    let was_done = status.is_some_and(|status| {
        // A cluster that ever completed a configuration keeps it as its last applied one.
        status.config_references.iter().any(|reference| reference.last_applied_config.is_some())
    });
    let exists = context.input.fleet.clusters.get(name).is_some_and(|c| c.metadata.deletion_timestamp.is_none());
    is_unfinished && !was_done && exists
}

fn tally(node: &Node<'_>, reports: &BTreeMap<ClusterName, ClusterReport>) -> Tally {
    let count = |states: &[ClusterState]| reports.values().filter(|r| states.contains(&r.state)).count();
    Tally {
        selected: node.selected,
        configured: node.configured,
        progressing: count(&[ClusterState::Progressing, ClusterState::Soaking]),
        done: count(&[ClusterState::Succeeded]),
        failed: count(&[ClusterState::Failed]),
        timed_out: count(&[ClusterState::TimedOut]),
    }
}

fn placement_report(
    context: &Context<'_>,
    node: &Node<'_>,
    reports: &BTreeMap<ClusterName, ClusterReport>,
    tally: Tally,
) -> PlacementReport {
    PlacementReport {
        placement: node.placement.as_ref().map(ToString::to_string).unwrap_or_default(),
        strategy: if node.strategy.type_.is_empty() { "All".to_owned() } else { node.strategy.type_.clone() },
        version: builder::target_version(context.name, &node.desired),
        configs: node.desired.iter().map(config_report).collect(),
        groups: builder::groups(&node.groups, reports),
        message: node.problem.clone().unwrap_or_else(|| tally.claim().message),
        waiting: BTreeMap::new(),
    }
}

fn config_report(desired: &Desired) -> ConfigReport {
    let reference = &desired.reference;
    let resource = if reference.group.is_empty() {
        reference.resource.clone()
    } else {
        format!("{}.{}", reference.resource, reference.group)
    };
    let name = NamespacedName::new(&reference.namespace, &reference.name).to_string();
    ConfigReport {
        resource,
        desired: ConfigVersion { name, hash: desired.spec_hash.clone() },
        ..ConfigReport::default()
    }
}
