//! What people have decided about a rollout in control files.

use crate::context::Context;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::State;
use tidegate_model::name::ClusterName;
use tidegate_model::time::Timestamp;
use tidegate_repository::control::{Mode, path_of};
use tidegate_rollout::gate::Aside;
use tidegate_rollout::{Barrier, Gate};

/// Returns the gates that hold all clusters of an add-on: a pause, or the end of its rollout.
pub(super) fn holds(context: &Context<'_>) -> Vec<Gate> {
    let abort = context.input.repository.controls.abort(context.name, &context.unit.digest);
    let aborted = abort.map(|abort| Gate {
        source: path_of(Some(context.name)),
        barrier: Barrier::Aborted { reason: abort.reason.clone() },
    });
    aborted.into_iter().chain(context.input.pause(context.name)).collect()
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
        let set_aside = match quarantine.mode {
            Mode::Exclude => &mut aside.clusters,
            Mode::Ignore => &mut aside.ignored,
        };
        let barrier = Barrier::Excluded { reason: quarantine.reason.clone() };
        set_aside.insert(cluster.clone(), Gate { source: path_of(addon), barrier });
    }
}

/// Returns `true` if people want a cluster to start again with the same digest: it failed or timed out, and started before they said so.
pub(super) fn retries(context: &Context<'_>, name: &ClusterName, addon: &ManagedClusterAddOn, state: State) -> bool {
    let retry = context.input.repository.controls.retry(context.name, &context.unit.digest);
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
