//! Rollouts: when one begins, when it ends, and what is sealed of it.

use std::collections::BTreeMap;

use super::entry::Journal;
use super::lost;
use super::record::{API_VERSION, Outcome, Rollout, SealedCluster, SealedRollout};
use super::revision::Revision;
use crate::model::canonical::sha256_hex;
use crate::model::name::{AddonName, ClusterName};
use crate::model::time::{Timestamp, to_seconds};
use crate::plan::report::{AddonReport, ClusterReport, ClusterState, Phase};

/// The rollout that is current after a report, and the ones that have ended by it.
#[derive(Debug, Default)]
pub struct Progress {
    /// The current rollout.
    pub current: Option<Rollout>,
    /// Rollouts to be sealed.
    pub sealed: Vec<SealedRollout>,
}

/// Follows the rollouts of one add-on by one report. `went_back` is when the hub last went back in time.
pub fn followed(
    name: &AddonName,
    before: &Journal,
    report: &AddonReport,
    revision: Option<&Revision>,
    (now, went_back): (Timestamp, Option<Timestamp>),
) -> Progress {
    let previous = before.addons.get(name).and_then(|status| status.rollout.clone());
    // What is refused, or not on the hub yet, has no rollout of its own.
    if report.phase == Phase::Refused || report.placements.is_empty() {
        return Progress { current: previous, sealed: Vec::new() };
    }
    let target = target(report);
    let mut progress = Progress::default();
    // Reading how ten thousand clusters stood takes time, so it is done only where it can matter.
    let is_lost = |rollout: &Rollout| {
        // It may have been rolled out again before anything was journaled of that.
        let went_back = rollout.ended.zip(went_back).is_some_and(|(ended, at)| at >= ended);
        let may_be_lost = rollout.outcome == Outcome::Completed && (report.phase != Phase::Completed || went_back);
        may_be_lost && lost::is_lost(rollout, &before.clusters(name), &report.clusters, went_back)
    };
    let mut current = match previous {
        Some(rollout) if rollout.target == target && !is_lost(&rollout) => rollout,
        previous => {
            let mut begun = begun(previous.as_ref(), report, &before.clusters(name), revision, now);
            // An add-on that left and came back has no status, but rollouts that are sealed for good.
            begun.number = begun.number.max(before.sealed.get(name).map_or(0, |last| last + 1));
            if let Some(old) = previous.filter(|p| p.outcome == Outcome::InProgress) {
                // The one that takes over may have begun before it was first seen.
                let ended = Some(begun.started.max(old.started));
                let old = Rollout { outcome: Outcome::Superseded, ended, superseded_by: Some(begun.number), ..old };
                // How its clusters stood is what was told last: the report is about the rollout that takes over.
                progress.sealed.push(sealed(name, &old, before.clusters(name)));
            }
            begun
        }
    };
    // Without a cluster there is nothing to complete.
    if current.outcome == Outcome::InProgress && report.phase == Phase::Completed && !report.clusters.is_empty() {
        current.outcome = Outcome::Completed;
        // Clusters that go back to what they had may have been done long before.
        let last = report.clusters.values().filter_map(|c| c.since).max();
        current.ended = Some(last.map_or(to_seconds(now), |last| last.max(current.started)));
        progress.sealed.push(sealed(name, &current, report.clusters.clone()));
    }
    progress.current = Some(current);
    progress
}

/// Returns the rollout that begins with a report; its clusters stood as told before.
fn begun(
    previous: Option<&Rollout>,
    report: &AddonReport,
    had: &BTreeMap<ClusterName, ClusterReport>,
    revision: Option<&Revision>,
    now: Timestamp,
) -> Rollout {
    let (from, from_target) = match previous {
        Some(done) if done.outcome == Outcome::Completed => (done.to.clone(), done.target.clone()),
        Some(unfinished) => (unfinished.from.clone(), unfinished.from_target.clone()),
        None => Default::default(),
    };
    let target = target(report);
    let takes_back = |p: &&Rollout| !p.from_target.is_empty() && p.from_target == target && p.target != target;
    // Clusters may have started since the report before this one. One that waits has what it had.
    let known = previous.map(|p| p.ended.unwrap_or(p.started));
    let has_started = |(name, c): &(&ClusterName, &ClusterReport)| {
        let is_new = had.get(*name).is_none_or(|had| (&had.hash, had.started) != (&c.hash, c.started));
        is_new && !matches!(c.state, ClusterState::Waiting | ClusterState::Removed)
    };
    let started = report.clusters.iter().filter(has_started).filter_map(|(_, c)| c.started);
    let first = started.filter(|at| known.is_none_or(|known| *at >= known));
    Rollout {
        number: previous.map_or(1, |p| p.number + 1),
        from,
        from_target,
        to: report.version.clone(),
        reverts: previous.filter(takes_back).map(|p| p.number),
        target,
        revision: revision.cloned(),
        started: first.chain([to_seconds(now)]).min().unwrap_or(now),
        outcome: Outcome::InProgress,
        ended: None,
        superseded_by: None,
    }
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

/// Returns what is sealed of a rollout whose add-on has left the repository; `None` if nothing was under way.
pub fn withdrawn(name: &AddonName, before: &Journal, now: Timestamp) -> Option<SealedRollout> {
    let rollout = before.addons.get(name)?.rollout.clone().filter(|rollout| rollout.outcome == Outcome::InProgress)?;
    let ended = Some(to_seconds(now).max(rollout.started));
    Some(sealed(name, &Rollout { outcome: Outcome::Withdrawn, ended, ..rollout }, before.clusters(name)))
}

/// Returns the document for a rollout and its clusters as they stand.
///
/// # Shape
/// The clusters in the order in which they started; those that never did come last, by group and name. What happened before the
/// rollout is not told: a cluster that has had it all along has no `started`.
pub fn sealed(name: &AddonName, rollout: &Rollout, clusters: BTreeMap<ClusterName, ClusterReport>) -> SealedRollout {
    let mut clusters: Vec<SealedCluster> = clusters
        .into_iter()
        .map(|(cluster, c)| {
            let started = c.started.filter(|at| *at >= rollout.started);
            let is_done = started.is_some() && matches!(c.state, ClusterState::Succeeded | ClusterState::Soaking);
            SealedCluster { cluster, group: c.group, started, finished: c.since.filter(|_| is_done), state: c.state }
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
