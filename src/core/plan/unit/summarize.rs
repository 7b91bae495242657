//! The status of an add-on on the hub, and what its report says about all of its clusters.

use super::rejection;
use super::rollback;
use super::rule::Rulings;
use super::status::{self, PlacementProgress};
use crate::context::{Context, Planned};
use crate::report::obstacle::Obstacle;
use crate::report::{AddonReport, ConfigVersion, builder};
use tidegate_api::ocm::cluster_management_addon::ClusterManagementAddOnStatus;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_model::name::NamespacedName;
use tidegate_model::progress::Phase;
use tidegate_rollout::Gate;

/// Adds the status of the add-on and the summary of its report to the plan.
pub(super) fn summarize(
    context: &Context<'_>,
    rulings: &Rulings<'_, '_>,
    progress: &[PlacementProgress],
    planned: &mut Planned,
) {
    let observed = context.management();
    let before = observed.and_then(|observed| observed.status.clone()).unwrap_or_default();
    let status = status::status(context, &before, &context.defaults(), progress);
    if context.is_native() {
        planned.lanes.extend(observed.and_then(|observed| status::write(observed, &status)));
    }
    let failed = rulings.failed();
    let failed = failed.as_ref().map(|(node, why)| (*node, why.as_str()));
    let report = &mut planned.report;
    report.rejected = rollback::rejection(context, rulings.nodes(), failed, report.clusters.iter());
    planned.lanes.extend(rejection::recorded(context, report.rejected.as_ref()));
    let versions = rulings.nodes().map(|node| builder::target_version(context.name, &node.desired));
    report.version = versions.into_iter().find(|version| !version.is_empty()).unwrap_or_default();
    add_history(report, &status, rulings);
    for (name, cluster) in report.clusters.iter_mut().filter(|(_, cluster)| !cluster.state.is_settled()) {
        cluster.left_out = rulings.nodes().find_map(|node| node.aside.left_out(name)).map(Gate::lasting);
    }
    conclude(context, report, rulings);
}

/// Adds the configurations that were last applied and last known to be good, from the status.
fn add_history(report: &mut AddonReport, status: &ClusterManagementAddOnStatus, rulings: &Rulings<'_, '_>) {
    for (placement, node) in report.placements.iter_mut().zip(rulings.nodes()) {
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
}

/// Sets the phase of the add-on and the first of its problems.
fn conclude(context: &Context<'_>, report: &mut AddonReport, rulings: &Rulings<'_, '_>) {
    let stopped = rulings.stopped();
    let is_completed = report.clusters.values().all(|cluster| cluster.state.is_settled() || cluster.left_out.is_some());
    let problem = rulings.nodes().find_map(|node| node.problem.clone());
    let brake = report.removal.as_ref().filter(|hold| hold.is_open());
    let is_done = is_completed && problem.is_none();
    let hold = rulings.hold().filter(|_| !is_done);
    let is_held = brake.is_some() || hold.is_some() || rulings.nodes().any(|node| node.is_partial);
    report.phase = match (stopped.is_some(), is_held, is_done) {
        (true, _, _) => Phase::Stopped,
        (false, true, _) => Phase::Held,
        (false, false, true) => Phase::Completed,
        (false, false, false) => Phase::Progressing,
    };
    let brake = brake.map(|hold| format!("{}; {}", Obstacle::Brake(hold.clone()), hold.remedy()));
    let held = context.input.repository.held.get(context.name).and_then(|held| held.complaints.first());
    let held = held.map(|complaint| format!("held at an older revision: {complaint}"));
    report.problem =
        held.or(problem).or_else(|| rollback::problem(context)).or(stopped).or(brake).or(hold.map(ToString::to_string));
}
