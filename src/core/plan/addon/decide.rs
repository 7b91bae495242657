//! One add-on: which clusters should have it, which of them start now, and the resulting status and report.

use std::collections::BTreeMap;

use super::approvals;
use super::checks;
use super::context::{Context, Planned, Subject};
use super::control;
use super::grants;
use super::placement::Node;
use super::rejection;
use super::rollback;
use super::ruling;
use super::status;
use super::status::PlacementProgress;
use super::survey::{self, Survey};
use crate::cluster;
use crate::memo::Memo;
use crate::removal::hooks;
use crate::removal::obstacle::Obstacle;
use crate::removal::rollout::Leaving;
use crate::removal::withdraw;
use crate::report::gates::ClosedGates;
use crate::report::reason::Reason;
use crate::report::{AddonReport, ClusterReport, ConfigReport, ConfigVersion, PlacementReport};
use crate::report::{builder, health};
use crate::upstream::handover;
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOnStatus;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_consent::Judges;
use tidegate_delivery::status::{Desired, Tally};
use tidegate_delivery::upstream::Delivery;
use tidegate_model::action::{Lane, Stage};
use tidegate_model::name::{ClusterName, NamespacedName};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::semantics::Semantics;
use tidegate_model::time::sooner;
use tidegate_rollout::gate::{Gates, Turn};
use tidegate_rollout::{Gate, Verdict, Wait};

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

/// Decides what to write for one add-on.
///
/// `survey` is what is known about it; each cluster that would start has to pass the gates.
pub(crate) fn planned<'a>(
    context: &Context<'a>,
    survey: Option<Survey<'a>>,
    (gates, judges): (&mut Gates<'a>, &Judges),
    memo: &mut Memo,
) -> Planned {
    let Some((observed, survey)) = context.input.fleet.addons.get(context.name).zip(survey) else {
        let problem = Some("waits until the hub has its ClusterManagementAddOn".to_owned());
        return Planned { report: AddonReport { problem, ..AddonReport::default() }, ..Planned::default() };
    };
    let Survey { membership, nodes } = survey;
    let unwanted = membership.unwanted(context);
    let mut planned = Planned { lanes: membership.lanes(context, observed), ..Planned::default() };
    let defaults = context.defaults();
    let mut progress = Vec::new();
    let is_pending = handover::is_pending(context);
    let is_first_look = context.input.is_first_look();
    let (mut stopped, mut failed, mut installs) = (None, None, 0);
    let (mut shared, mut is_complete) = (Vec::new(), membership.is_reliable);
    // An add-on that leaves its cluster keeps its permissions until it has left.
    is_complete &=
        unwanted.leaving.is_empty() && context.observed().all(|(_, a)| a.metadata.deletion_timestamp.is_none());
    let holds: Vec<Gate> = control::holds(context).into_iter().chain(rejection::hold(context)).collect();
    let unrecorded = rejection::unrecorded(context);
    for node in &nodes {
        let holds: Vec<Gate> = holds.iter().chain(&node.aside.hold).cloned().collect();
        let placement = node.placement.as_ref();
        let approvals = approvals::judged(context, node, judges, gates);
        let checks = checks::judged(context, node, gates);
        let turn = Turn {
            addon: context.name,
            placement,
            holds: &holds,
            approvals: &approvals,
            checks: &checks,
            rolls_back: node.rolls_back,
            is_foreseen: false,
        };
        let newest = rollback::newest(context, node);
        let mut closed = ClosedGates::default();
        let ruling = ruling::ruling(context, node, &mut |name, group| {
            let later = newest.and_then(|newest| rollback::gate(context, node, newest, name, group.index));
            let unrecorded = unrecorded.clone().filter(|_| node.rolls_back);
            unrecorded.or(later).or_else(|| gates.admit(&turn, name, group))
        });
        stopped = stopped.or_else(|| ruling.stopped());
        failed = failed.or_else(|| Some((node, ruling.failure().or_else(|| checks::failed(&checks))?)));
        planned.report.wake_at = sooner(planned.report.wake_at, ruling.wake_at(context.input.now));
        let mut reports = BTreeMap::new();
        let mut waiting: BTreeMap<String, usize> = BTreeMap::new();
        for child in &node.children {
            let may_start = !node.is_partial && !is_pending && !is_first_look;
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
            let delivery = cluster::decide::planned(context, &subject, memo);
            planned.report.wake_at = sooner(planned.report.wake_at, delivery.wake_at());
            let reason = match builder::reason(context, child, action, &ruling, &delivery) {
                Reason::PlacementUnknown if is_pending => Reason::HandOver,
                Reason::PlacementUnknown if is_first_look && !node.is_partial => Reason::FirstLook,
                reason => reason,
            };
            if let Some(wait @ Wait::FailureBudget { .. }) = reason.wait() {
                planned.report.stopped_by.get_or_insert_with(|| wait.to_string());
            }
            if let Some(Wait::Gate(gate)) = reason.wait() {
                closed.add(node.group_key(child.group), gate);
                planned.report.wake_at = sooner(planned.report.wake_at, gate.look_at());
            }
            if reason.state() == ClusterState::Waiting {
                *waiting.entry(reason.detailed()).or_default() += 1;
            }
            let report = builder::cluster(context, child, action, &reason);
            reports.insert(child.name.clone(), health::noted(report, child, action, &delivery));
            if !delivery.writes.is_empty() {
                planned.lanes.push(Lane { stage: Stage::Deliver, writes: delivery.writes });
            }
            // In a lane of their own: an agent without permissions is better than no agent.
            if !delivery.granted.writes.is_empty() {
                planned.lanes.push(Lane { stage: Stage::Deliver, writes: delivery.granted.writes });
            }
            is_complete &= delivery.granted.shared.is_some();
            shared.extend(delivery.granted.shared.into_iter().flatten());
        }
        for (name, missing) in &node.awaited {
            let group = node.group_of(name);
            let joined = survey::joined_group(context, name, group);
            reports.insert(name.clone(), ClusterReport { joined, ..builder::awaited(group, *missing) });
        }
        for (name, owner) in &node.foreign {
            reports.insert((*name).clone(), builder::foreign(node.group_of(name), owner));
        }
        installs += reports.iter().filter(|(name, report)| is_install(context, name, report)).count();
        if let Some(placement) = node.placement.as_ref().filter(|_| nodes.len() > 1) {
            reports.values_mut().for_each(|report| report.placement = placement.to_string());
        }
        let tally = match context.rules.engine {
            Semantics::Strict => tally(node, &reports),
            Semantics::Compat => ruling.tally(node),
        };
        if let Some(placement) = &node.placement {
            let tally = node.problem.is_none().then_some(tally);
            progress.push(PlacementProgress { placement: placement.clone(), desired: node.desired.clone(), tally });
        }
        let before = context.input.past.report.addons.get(context.name);
        let of_placement = placement.map(ToString::to_string).unwrap_or_default();
        planned.overrides.extend(approvals.iter().filter_map(|judged| judged.overrides(context.name)));
        planned.report.checks.extend(checks.judgements.iter().filter_map(|judgement| judgement.evidence.clone()));
        planned.report.wake_at = sooner(planned.report.wake_at, checks.wake_at);
        planned.requests.extend(checks.requests);
        planned.report.approvals.extend(approvals::reports(&approvals, &of_placement));
        planned.report.gates.extend(closed.reports(&of_placement, before, context.input.now));
        planned.report.placements.push(PlacementReport { waiting, ..placement_report(context, node, &reports, tally) });
        planned.report.clusters.append(&mut reports);
    }
    let mut verdicts: Vec<_> = planned.report.approvals.iter_mut().map(|approval| &mut approval.verdict).collect();
    tidegate_consent::keep_relevant(&mut verdicts);
    if context.input.delivery == Delivery::Native {
        planned.lanes.extend(grants::shared(context, shared, is_complete));
    }
    let waits = context.input.repository.settings.prune.wait_for_installs && installs > 0;
    let strategies: Vec<_> =
        nodes.iter().filter_map(|node| Some((node.placement.as_ref()?.to_string(), node.strategy.clone()))).collect();
    let paused = control::pause(context.input, context.name).map(Obstacle::paused);
    let obstacle = match stopped {
        _ if paused.is_some() => paused,
        _ if !context.rules.removes_in_order => None,
        Some(_) => Some(Obstacle::Stopped),
        None => waits.then_some(Obstacle::Installs { unfinished: installs }),
    };
    let leaving = Leaving {
        addon: context.name,
        strategies: &strategies,
        total: unwanted.total,
        clusters: unwanted.leaving,
        obstacle,
    };
    withdraw::depart(context.input, &leaving, &mut planned);
    planned.notices.extend(withdraw::kept(context.name, &unwanted.foreign));
    for (name, _) in context.observed().filter(|(name, _)| !unwanted.foreign.contains_key(name)) {
        let report = || builder::unselected(context.input.past.cluster(context.name, name));
        planned.report.clusters.entry(name.clone()).or_insert_with(report);
    }
    handover::run(context, &mut planned);
    hooks::run(context.input, context.name, &mut planned);
    if !membership.is_reliable {
        // A hold or its confirmation stays as it was.
        let before = context.input.past.report.addons.get(context.name);
        planned.report.removal = before.and_then(|report| report.removal.clone());
    }
    let status = status::status(context, observed, &defaults, &progress);
    if context.input.delivery == Delivery::Native {
        planned.lanes.extend(status::write(observed, &status));
    }
    let failed = failed.as_ref().map(|(node, why): &(&Node<'_>, String)| (*node, why.as_str()));
    planned.report.rejected = rollback::rejection(context, &nodes, failed, planned.report.clusters.iter());
    planned.lanes.extend(rejection::recorded(context, planned.report.rejected.as_ref()));
    let hold = holds.first().or_else(|| nodes.iter().find_map(|node| node.aside.hold.as_ref()));
    complete_report(context, &mut planned.report, &status, &nodes, Obstacles { stopped, hold });
    planned.report.last_good = rollback::last_good(context, judges, &planned.report);
    planned
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

/// What keeps the whole add-on from going on.
struct Obstacles<'a> {
    /// Too many clusters failed.
    stopped: Option<String>,
    /// People paused or aborted it.
    hold: Option<&'a Gate>,
}

fn complete_report(
    context: &Context<'_>,
    report: &mut AddonReport,
    status: &ClusterManagementAddOnStatus,
    nodes: &[Node<'_>],
    Obstacles { stopped, hold }: Obstacles<'_>,
) {
    report.version = nodes
        .iter()
        .map(|node| builder::target_version(context.name, &node.desired))
        .find(|v| !v.is_empty())
        .unwrap_or_default();
    for (placement, node) in report.placements.iter_mut().zip(nodes) {
        let progression = status
            .install_progressions
            .iter()
            .find(|p| node.placement.as_ref().is_some_and(|name| name.namespace == p.namespace && name.name == p.name));
        let references = progression.map(|p| p.config_references.as_slice()).unwrap_or_default();
        for (config, reference) in placement.configs.iter_mut().zip(references) {
            let version = |config: &ConfigSpecHash| ConfigVersion {
                name: NamespacedName::new(&config.namespace, &config.name).to_string(),
                hash: config.spec_hash.clone(),
            };
            config.last_applied = reference.last_applied_config.as_ref().map(version);
            config.last_known_good = reference.last_known_good_config.as_ref().map(version);
        }
    }
    for (name, cluster) in report.clusters.iter_mut().filter(|(_, cluster)| !cluster.state.is_settled()) {
        cluster.left_out = nodes.iter().find_map(|node| node.aside.left_out(name)).map(Gate::lasting);
    }
    let is_completed = report.clusters.values().all(|cluster| cluster.state.is_settled() || cluster.left_out.is_some());
    let problem = nodes.iter().find_map(|node| node.problem.clone());
    let brake = report.removal.as_ref().filter(|hold| hold.is_open());
    let is_done = is_completed && problem.is_none();
    let hold = hold.filter(|_| !is_done);
    let is_held = brake.is_some() || hold.is_some() || nodes.iter().any(|node| node.is_partial);
    report.phase = match (stopped.is_some(), is_held, is_done) {
        (true, _, _) => Phase::Stopped,
        (false, true, _) => Phase::Held,
        (false, false, true) => Phase::Completed,
        (false, false, false) => Phase::Progressing,
    };
    let brake = brake.map(|hold| format!("{}; {}", Obstacle::Brake(hold.clone()), hold.remedy()));
    let held = context
        .input
        .repository
        .held
        .get(context.name)
        .and_then(|held| held.complaints.first())
        .map(|complaint| format!("held at an older revision: {complaint}"));
    report.problem =
        held.or(problem).or_else(|| rollback::problem(context)).or(stopped).or(brake).or(hold.map(ToString::to_string));
}
