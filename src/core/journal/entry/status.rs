//! The status of one add-on in an entry.

use std::collections::BTreeMap;

use crate::record::{API_VERSION, AddonStatus, ConfigRecord, PlacementRecord, Rollout, VersionRecord};
use tidegate_model::name::UnitName;
use tidegate_model::progress::Counts;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::report::{AddonReport, PlacementReport};

/// Returns the status of an add-on, without the counts of its clusters.
pub(super) fn addon_status(
    name: &UnitName,
    before: Option<&AddonStatus>,
    report: &AddonReport,
    rollout: Option<Rollout>,
    moment: (Option<&CommitId>, Timestamp),
) -> AddonStatus {
    let (commit, now) = moment;
    let is_same = |b: &&AddonStatus| b.phase == report.phase && b.version == report.version;
    AddonStatus {
        api_version: API_VERSION.to_owned(),
        kind: "AddonStatus".to_owned(),
        addon: name.clone(),
        version: report.version.clone(),
        digest: report.digest.clone(),
        phase: report.phase,
        since: before.filter(is_same).map_or_else(|| to_seconds(now), |b| b.since),
        problem: report.problem.clone(),
        rollout,
        clusters: Counts::default(),
        removal: report.removal.as_ref().map(Into::into),
        gates: report.gates.iter().map(Into::into).collect(),
        approvals: report.approvals.iter().map(Into::into).collect(),
        rejected: report.rejected.clone(),
        last_good: report.last_good.clone(),
        checks: report.checks.clone(),
        placements: dated(&report.placements, before, commit),
    }
}

/// Sets the revision that introduced each configuration: the one already journaled, or else the current one.
fn dated(
    placements: &[PlacementReport],
    before: Option<&AddonStatus>,
    commit: Option<&CommitId>,
) -> Vec<PlacementRecord> {
    let versions = |config: &ConfigRecord| {
        [Some(config.desired.clone()), config.last_applied.clone(), config.last_known_good.clone()]
            .into_iter()
            .flatten()
    };
    let known: BTreeMap<(String, String), CommitId> = before
        .into_iter()
        .flat_map(|status| &status.placements)
        .flat_map(|placement| placement.configs.iter().flat_map(versions))
        .filter_map(|version| Some(((version.name, version.hash), version.commit?)))
        .collect();
    let date = |version: &mut VersionRecord| {
        let key = (version.name.clone(), version.hash.clone());
        version.commit = known.get(&key).or(commit).cloned();
    };
    let mut placements: Vec<PlacementRecord> = placements.iter().map(Into::into).collect();
    for config in placements.iter_mut().flat_map(|placement| &mut placement.configs) {
        let ConfigRecord { desired, last_applied, last_known_good, .. } = config;
        [Some(desired), last_applied.as_mut(), last_known_good.as_mut()].into_iter().flatten().for_each(date);
    }
    placements
}
