//! Rollouts: when one begins, when it ends, and what is sealed of it.

use super::record::{API_VERSION, AddonStatus, Outcome, Revision, Rollout, SealedCluster, SealedRollout};
use crate::model::canonical::sha256_hex;
use crate::model::name::AddonName;
use crate::model::time::{Timestamp, to_seconds};
use crate::plan::report::{AddonReport, ClusterState, Phase};

/// The rollout that is current after a report, and the ones that have ended by it.
#[derive(Debug, Default)]
pub struct Progress {
    /// The current rollout.
    pub current: Option<Rollout>,
    /// Rollouts to be sealed.
    pub sealed: Vec<SealedRollout>,
}

/// Follows the rollouts of one add-on by one report.
pub fn followed(
    name: &AddonName,
    before: Option<&AddonStatus>,
    report: &AddonReport,
    revision: Option<&Revision>,
    now: Timestamp,
) -> Progress {
    let previous = before.and_then(|b| b.rollout.clone());
    // What is refused, or not on the hub yet, has no rollout of its own.
    if report.phase == Phase::Refused || report.placements.is_empty() {
        return Progress { current: previous, sealed: Vec::new() };
    }
    let target = target(report);
    let mut progress = Progress::default();
    let mut current = match previous {
        Some(rollout) if rollout.target == target => rollout,
        previous => {
            let from =
                previous.as_ref().map(|p| if p.outcome == Outcome::Completed { p.to.clone() } else { p.from.clone() });
            let number = previous.as_ref().map_or(1, |p| p.number + 1);
            if let Some(old) = previous.filter(|p| p.outcome == Outcome::InProgress) {
                let old = Rollout { outcome: Outcome::Superseded, ended: Some(to_seconds(now)), ..old };
                progress.sealed.push(sealed(name, &old, report));
            }
            Rollout {
                number,
                from: from.unwrap_or_default(),
                to: report.version.clone(),
                target,
                commit: revision.map(|r| r.commit.clone()),
                approved_by: revision.map(|r| r.approved_by.clone()).unwrap_or_default(),
                started: to_seconds(now),
                outcome: Outcome::InProgress,
                ended: None,
            }
        }
    };
    // Without a cluster there is nothing to complete.
    if current.outcome == Outcome::InProgress && report.phase == Phase::Completed && !report.clusters.is_empty() {
        current.outcome = Outcome::Completed;
        current.ended = report.clusters.values().filter_map(|c| c.since).max().or(Some(to_seconds(now)));
        progress.sealed.push(sealed(name, &current, report));
    }
    progress.current = Some(current);
    progress
}

/// Digest of everything that the add-on's placements bring.
fn target(report: &AddonReport) -> String {
    let configs = report.placements.iter().flat_map(|placement| {
        placement
            .configs
            .iter()
            .map(move |c| format!("{} {} {} {}\n", placement.placement, c.resource, c.desired.name, c.desired.hash))
    });
    sha256_hex(configs.collect::<String>().as_bytes()).chars().take(12).collect()
}

fn sealed(name: &AddonName, rollout: &Rollout, report: &AddonReport) -> SealedRollout {
    let mut clusters: Vec<SealedCluster> = report
        .clusters
        .iter()
        .map(|(cluster, c)| SealedCluster {
            cluster: cluster.clone(),
            group: c.group,
            started: c.started,
            finished: c.since.filter(|_| matches!(c.state, ClusterState::Succeeded | ClusterState::Soaking)),
            state: c.state,
        })
        .collect();
    clusters.sort_by(|a, b| {
        let order = |c: &SealedCluster| (c.started.is_none(), c.started, c.group);
        order(a).cmp(&order(b)).then_with(|| a.cluster.cmp(&b.cluster))
    });
    SealedRollout {
        api_version: API_VERSION.to_owned(),
        kind: "Rollout".to_owned(),
        addon: name.clone(),
        rollout: rollout.clone(),
        clusters,
    }
}
