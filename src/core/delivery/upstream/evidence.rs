//! How far a cluster is, according to what the add-on manager and the agents report.

use super::assignment::Assignment;
use crate::status::progress::reason;
use crate::status::{Entry as _, Progress, works};
use crate::works::owner::hook_of;
use tidegate_api::condition;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_api::ocm::manifest_work::ManifestWork;

/// Returns the progress of a cluster with its assignment. `works` are the works of the add-on in the namespace of the cluster.
///
/// For a moment after `spec.configs` has changed, the status still shows the previous configurations, then the new ones without a hash,
/// and says `Completed` all the while. So a cluster is done only if the status has exactly the assigned copies with the expected hashes,
/// as desired and as last applied, and if the works agree.
pub fn progress<'a>(
    reported: &ManagedClusterAddOn,
    assignment: &Assignment,
    works: impl IntoIterator<Item = &'a ManifestWork>,
    checks_health: bool,
) -> Progress {
    let empty = ManagedClusterAddOnStatus::default();
    let status = reported.status.as_ref().unwrap_or(&empty);
    let (wanted, found) = (&assignment.copies, &status.config_references);
    let is_acknowledged =
        wanted.len() == found.len() && wanted.iter().all(|copy| found.iter().any(|f| is_same(f, copy)));
    if !assignment.is_pinned(reported) || !is_acknowledged {
        return Progress::Unacknowledged;
    }
    let is_applied = found.iter().all(|reference| reference.last_applied_config == reference.desired_config);
    let reported_reason = condition::find(&status.conditions, key::PROGRESSING).map(|c| c.reason.as_str());
    if !is_applied || reported_reason != Some(reason::COMPLETED) {
        return Progress::NotReady;
    }
    let mut works = works.into_iter().peekable();
    // A hosted add-on has its works elsewhere, and an add-on with a manager of its own may have none that are known here.
    if works.peek().is_some() {
        match works::delivered(&hook_of(reported.metadata.name.as_deref().unwrap_or_default()), found, works) {
            Progress::Completed => {}
            behind => return behind,
        }
    }
    match condition::find(&status.conditions, key::AVAILABLE) {
        Some(available) if available.status == "True" => Progress::Completed,
        _ if !checks_health => Progress::Completed,
        Some(available) => Progress::Unwell { why: available.message.clone() },
        None => Progress::Unwell { why: "no condition Available is reported".to_owned() },
    }
}

fn is_same(found: &AddOnConfigReference, copy: &AddOnConfigReference) -> bool {
    found.desired().is_some() && found.desired() == copy.desired()
}
