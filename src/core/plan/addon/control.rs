//! What people have decided about a rollout in control files.

use super::context::Context;
use crate::gate::Aside;
use crate::repository::control::{Mode, Pause, path_of};
use crate::rollout::{Barrier, Gate};
use crate::status::State;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;

/// Returns the gates that hold all clusters of an add-on: a pause, or the end of its rollout.
pub(super) fn holds(context: &Context<'_>) -> Vec<Gate> {
    let controls = &context.input.repository.controls;
    let own = controls.addons.get(context.name).and_then(|control| control.pause.as_ref());
    let paused = |pause: &Pause| Barrier::Paused { reason: pause.reason.clone() };
    let abort = controls.abort(context.name, &context.addon.digest);
    let aborted = abort.map(|abort| Barrier::Aborted { reason: abort.reason.clone() });
    let gate = |addon| move |barrier| Gate { source: path_of(addon), barrier };
    let of_addon = [aborted, own.map(paused)].into_iter().flatten().map(gate(Some(context.name)));
    of_addon.chain(controls.fleet.pause.as_ref().map(paused).map(gate(None))).collect()
}

/// Sets the clusters aside that are in quarantine.
pub(super) fn quarantined<'c>(
    context: &Context<'_>,
    clusters: impl Iterator<Item = &'c ClusterName>,
    aside: &mut Aside,
) {
    let controls = &context.input.repository.controls;
    for cluster in clusters {
        let Some((addon, quarantine)) = controls.quarantine(context.name, cluster) else { continue };
        match quarantine.mode {
            Mode::Exclude => {
                let barrier = Barrier::Excluded { reason: quarantine.reason.clone() };
                let gate = Gate { source: path_of(addon), barrier };
                aside.clusters.insert(cluster.clone(), gate);
            }
            Mode::Ignore => drop(aside.ignored.insert(cluster.clone())),
        }
    }
}

/// Returns `true` if people want a cluster to start again with the same digest: it failed or timed out, and started before they said so.
pub(super) fn retries(context: &Context<'_>, name: &ClusterName, addon: &ManagedClusterAddOn, state: State) -> bool {
    let retry = context.input.repository.controls.retry(context.name, &context.addon.digest);
    let Some(retry) = retry.filter(|retry| retry.includes(name) && retry.at <= context.input.now) else { return false };
    let conditions = addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let is_late = condition::is_true(conditions, key::OVERDUE);
    let has_failed = matches!(state, State::Failed { .. }) || (matches!(state, State::Progressing { .. }) && is_late);
    has_failed && started(addon).is_none_or(|started| started < retry.at)
}

/// Returns when a cluster last started.
pub(super) fn started(addon: &ManagedClusterAddOn) -> Option<Timestamp> {
    let conditions = addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let configured = condition::find(conditions, key::CONFIGURED).filter(|found| found.status == "True");
    configured.map(|found| found.last_transition_time.0)
}
