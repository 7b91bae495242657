//! What people decided in control files: pauses, aborted rollouts, retries and quarantines.

use super::bar::Bar;
use crate::progress::{conditions, has_failed};
use crate::snapshot::Snapshot;
use crate::start::configured;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::Timestamp;
use tidegate_repository::control::{Mode, path_of};

/// Returns what forbids all starts of an add-on, or the start of one cluster.
pub(super) fn bar(declaring: &Snapshot, addon: &UnitName, cluster: &ClusterName) -> Option<Bar> {
    let controls = &declaring.controls;
    let digest = declaring.addons.get(addon).map(|declared| &declared.digest)?;
    let own = controls.addons.get(addon);
    if own.is_some_and(|own| own.pause.is_some()) {
        return Some(Bar::Paused { file: path_of(Some(addon)) });
    }
    if controls.fleet.pause.is_some() {
        return Some(Bar::Paused { file: path_of(None) });
    }
    let is_aborted = own.and_then(|own| own.abort.as_ref()).is_some_and(|abort| abort.digest.starts(digest));
    if is_aborted {
        return Some(Bar::Aborted { file: path_of(Some(addon)) });
    }
    let excluded = [(Some(addon), own), (None, Some(&controls.fleet))].into_iter().find(|(_, control)| {
        let mut quarantines = control.iter().flat_map(|control| &control.quarantine);
        quarantines.any(|quarantine| quarantine.mode == Mode::Exclude && quarantine.clusters.contains(cluster))
    });
    excluded.map(|(about, _)| Bar::Excluded { file: path_of(about) })
}

/// Returns the strictest quarantine of a cluster.
pub(crate) fn quarantine(declaring: &Snapshot, addon: &UnitName, cluster: &ClusterName) -> Option<Mode> {
    let controls = &declaring.controls;
    let all = controls.addons.get(addon).into_iter().chain([&controls.fleet]).flat_map(|control| &control.quarantine);
    all.filter(|quarantine| quarantine.clusters.contains(cluster)).map(|quarantine| quarantine.mode).max()
}

/// Returns `true` if people want a cluster to start again: it failed or was late, and started before they asked for it.
pub(crate) fn is_retried(
    declaring: &Snapshot,
    addon: &UnitName,
    cluster: &ClusterName,
    observed: Option<&ManagedClusterAddOn>,
    at: Timestamp,
) -> bool {
    let digest = declaring.addons.get(addon).map(|declared| &declared.digest);
    let retry = declaring.controls.addons.get(addon).and_then(|control| control.retry.as_ref());
    let retry = retry.zip(digest).filter(|(retry, digest)| retry.digest.starts(digest) && retry.at <= at);
    let Some((retry, _)) = retry else { return false };
    let is_asked = retry.clusters.as_ref().is_none_or(|clusters| clusters.contains(cluster));
    let started = observed.and_then(configured);
    is_asked && started.is_none_or(|at| at < retry.at) && observed.is_some_and(|addon| has_failed(conditions(addon)))
}
