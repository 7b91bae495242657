//! One add-on on one cluster.

use super::configurations::{Table, keys, named};
use super::marks::Marks;
use crate::snapshot::record::{Availability, Installed, InstalledState};
use tidegate_api::condition::{self, Condition};
use tidegate_api::key;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::progress::reason;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::lasting;

/// Records an add-on on a cluster. `addon` is what native delivery would have on the hub.
pub(super) fn installed(addon: &ManagedClusterAddOn, (table, marks): (&mut Table, &mut Marks<'_>)) -> Installed {
    let conditions = addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let at = |type_: &str, status: &str| {
        condition::find(conditions, type_).filter(|c| c.status == status).map(|c| c.last_transition_time.0)
    };
    let metadata = &addon.metadata;
    let mark = Mark::of(metadata);
    let (state, since, failure) = progress(condition::find(conditions, key::PROGRESSING));
    let (assigned, applied) = keys(table, addon.config_references());
    let is_settled = state.is_applied() && applied.is_empty() && condition::find(conditions, key::OVERDUE).is_none();
    let available = condition::find(conditions, key::AVAILABLE);
    let availability = availability(available);
    let annotations = metadata.annotations.as_ref();
    Installed {
        state,
        assigned,
        applied,
        own: table.key(named(&addon.spec.configs)),
        started: at(key::CONFIGURED, "True").filter(|_| !is_settled),
        waiting: at(key::CONFIGURED, "False"),
        since,
        overdue: at(key::OVERDUE, "True"),
        late: at(key::OVERDUE, "False"),
        failure,
        availability,
        degraded: available
            .filter(|_| availability == Availability::Unavailable)
            .map(|available| lasting(&available.message))
            .unwrap_or_default(),
        deleting: metadata.deletion_timestamp.as_ref().map(|at| at.0),
        has_hooks: metadata
            .finalizers
            .iter()
            .flatten()
            .any(|finalizer| key::PRE_DELETE_FINALIZERS.contains(&finalizer.as_str())),
        skips_hooks: annotations.and_then(|a| a.get(key::SKIP_PRE_DELETE)).is_some_and(|value| value == "true"),
        owner: marks.owner(mark),
        declared: metadata.labels.as_ref().is_some_and(|labels| labels.contains_key(key::OWNED_LABEL)),
    }
}

/// Reads the condition `Progressing`: the state, since when, and why the cluster failed.
fn progress(progressing: Option<&Condition>) -> (InstalledState, Option<Timestamp>, String) {
    let Some(progressing) = progressing else { return (InstalledState::Unreported, None, String::new()) };
    let since = Some(progressing.last_transition_time.0);
    match progressing.reason.as_str() {
        reason::COMPLETED => (InstalledState::Applied, since, String::new()),
        reason::PROGRESSING => (InstalledState::UnderWay, since, String::new()),
        reason::FAILED => (InstalledState::Failed, since, progressing.message.clone()),
        // Its works or its agent are awaited.
        _ => (InstalledState::Unreported, None, String::new()),
    }
}

/// Returns what a condition about availability reports.
pub(super) fn availability(condition: Option<&Condition>) -> Availability {
    match condition.map(|condition| condition.status.as_str()) {
        None => Availability::Unreported,
        Some("True") => Availability::Available,
        Some("False") => Availability::Unavailable,
        Some(_) => Availability::Unknown,
    }
}
