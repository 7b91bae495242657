//! Determines when rollouts start and end, and what is sealed.

use super::documents::Journal;
use super::lost;
use super::moves::{has_moved, listed};
use super::record::decision;
use super::record::{
    Cause, ClusterReport, Clusters, Confirmation, Followed, Outcome, Rollout, SealedCluster, SealedRollout,
};
use super::sealed::sealed;
use tidegate_go::canonical::sha256_hex;
use tidegate_model::digest::short;
use tidegate_model::followed::{Rejection, Revision};
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::{Timestamp, to_seconds};
use tidegate_plan::report::AddonReport;

/// The rollouts and clusters of an add-on after a report.
#[derive(Debug, Default)]
pub struct Progress {
    /// The current rollout.
    pub current: Option<Rollout>,
    /// Rollouts that have ended and must be sealed.
    pub sealed: Vec<SealedRollout>,
    /// The clusters to journal: those of the report, and those that have lost the add-on since the current rollout started.
    pub clusters: Clusters,
}

/// What happens to an add-on that is no longer in the report.
#[derive(Debug)]
pub enum Gone {
    /// It has left its clusters: report that once more before its files are removed.
    Removed(Box<Progress>),
    /// Its files are removed, and the rollout that was in progress is sealed.
    Sealed(Box<SealedRollout>),
    /// Its files are removed.
    Nothing,
}

/// When a report is journaled.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// When the entry is written.
    pub now: Timestamp,
    /// When the hub was looked at for the report. Clusters may have started between this and the entry.
    pub looked: Timestamp,
    /// When the hub last went back in time.
    pub went_back: Option<Timestamp>,
}

/// Updates the rollouts of one add-on from a report.
pub fn followed(
    name: &UnitName,
    before: &Journal,
    report: &AddonReport,
    revision: Option<&Revision>,
    moment: Moment,
) -> Progress {
    let Moment { now, went_back, .. } = moment;
    let status = before.addons.get(name);
    let previous = status.and_then(|status| status.rollout.clone());
    let problem = status.and_then(|status| status.problem.as_deref());
    let checks = status.map(|status| status.checks.as_slice()).unwrap_or_default();
    let had = before.clusters(name);
    // An add-on that is refused, or not on the hub yet, starts no rollout.
    if report.phase == Phase::Refused || (report.placements.is_empty() && !report.withdrawn) {
        // Keep what was known of its clusters.
        let clusters = if report.clusters.is_empty() { had } else { report.clusters.clone() };
        return Progress { current: previous, sealed: Vec::new(), clusters };
    }
    let target = target(report);
    let reported = report.clusters.clone();
    let mut progress = Progress::default();
    // Comparing ten thousand clusters takes time, so do it only where it can matter.
    let is_lost = |rollout: &Rollout| {
        // The lost result may have been rolled out again before any of it was journaled.
        let went_back = rollout.ended.zip(went_back).is_some_and(|(ended, at)| at >= ended);
        let may_be_lost = rollout.outcome == Outcome::Completed && (report.phase != Phase::Completed || went_back);
        may_be_lost && lost::is_lost(rollout, &had, &reported, went_back)
    };
    let mut current = match previous {
        Some(rollout) if rollout.target == target && !is_lost(&rollout) && !has_moved(&rollout, &had, &reported) => {
            let mut rollout = continued(rollout, report, (&had, &reported));
            if rollout.outcome == Outcome::InProgress && rollout.started > now {
                // The clock was set back since. Otherwise, clusters that start now would count as done before the rollout.
                rollout.started = new_starts(&had, &reported).chain([to_seconds(now)]).min().unwrap_or(now);
            }
            progress.clusters = listed(&had, reported, now);
            rollout
        }
        previous => {
            let is_lost = previous.as_ref().is_some_and(is_lost);
            let mut begun = begun((previous.as_ref(), is_lost), report, (&had, &reported), revision, moment);
            // An add-on that left and came back has no status, but its sealed rollouts remain.
            begun.number = begun.number.max(before.sealed.get(name).map_or(0, |last| last + 1));
            if let Some(old) = previous.filter(|p| p.outcome == Outcome::InProgress) {
                // The new rollout may have started before it was first seen.
                let ended = Some(begun.started.max(old.started));
                let old = superseded(old, begun.number, ended, report.rejected.as_ref());
                // Use the clusters as last journaled: the report is about the new rollout.
                progress.sealed.push(sealed(name, &old, problem, checks, had.clone()));
            }
            let had = had.into_iter().filter(|(_, cluster)| cluster.state != ClusterState::Removed).collect();
            progress.clusters = listed(&had, reported, now);
            begun
        }
    };
    // Without clusters there is nothing to complete.
    if current.outcome == Outcome::InProgress && report.phase == Phase::Completed && !progress.clusters.is_empty() {
        complete(&mut current, &progress.clusters, now);
        progress.sealed.push(sealed(name, &current, None, &report.checks, progress.clusters.clone()));
    }
    progress.current = Some(current);
    progress
}

/// Returns a rollout that another one superseded. `rejected` is the digest that a policy takes back now.
pub fn superseded(old: Rollout, by: u32, ended: Option<Timestamp>, rejected: Option<&Rejection>) -> Rollout {
    let mut old = Rollout { outcome: Outcome::Superseded, ended, superseded_by: Some(by), ..old };
    decision::add(&mut old.decisions, decision::rejected(old.digest.as_ref(), rejected));
    old
}

/// Returns a continuing rollout, with what a report adds to its record. A rollout that has ended is sealed, so nothing is added.
fn continued(mut rollout: Rollout, report: &AddonReport, (had, reported): (&Clusters, &Clusters)) -> Rollout {
    if rollout.outcome != Outcome::InProgress {
        return rollout;
    }
    let confirmation = report.removal.as_ref().and_then(|hold| {
        let (held, by) = hold.revision.clone().zip(hold.confirmed_by.clone())?;
        Some(Confirmation { held, by })
    });
    rollout.confirmations.extend(confirmation.filter(|new| !rollout.confirmations.contains(new)));
    let undone = |(name, was): (&ClusterName, &ClusterReport)| {
        let is_back = reported.get(name).is_some_and(|report| !report.state.is_unselected());
        let finished = match was.state {
            ClusterState::Removed => was.since,
            ClusterState::Removing => None,
            _ => return None,
        };
        is_back.then(|| SealedCluster {
            cluster: name.clone(),
            group: was.group,
            started: was.started,
            finished,
            state: ClusterState::Removed,
            left_out: None,
            reason: String::new(),
        })
    };
    if rollout.digest == report.digest {
        decision::add(&mut rollout.decisions, decision::decided(report));
    }
    rollout.undone_removals.extend(had.iter().filter_map(undone));
    rollout
}

fn complete(rollout: &mut Rollout, clusters: &Clusters, now: Timestamp) {
    rollout.outcome = Outcome::Completed;
    // Clusters that return to their previous configuration may have been done long before the rollout started.
    let last = clusters.values().filter_map(|c| c.since).max();
    rollout.ended = Some(last.map_or(to_seconds(now), |last| last.max(rollout.started)));
}

/// Returns what happens to an add-on that is no longer in the report.
pub fn gone(name: &UnitName, before: &Journal, revision: Option<&Revision>, now: Timestamp) -> Gone {
    let Some(rollout) = before.addons.get(name).and_then(|status| status.rollout.clone()) else { return Gone::Nothing };
    let had = before.clusters(name);
    let is_over = |rollout: &Rollout| rollout.outcome != Outcome::InProgress;
    if had.values().all(|cluster| cluster.state == ClusterState::Removed) && rollout.cause != Cause::Withdrawal {
        if is_over(&rollout) {
            return Gone::Nothing;
        }
        let ended = Some(to_seconds(now).max(rollout.started));
        let rollout = Rollout { outcome: Outcome::Withdrawn, ended, ..rollout };
        let status = before.addons.get(name);
        let problem = status.and_then(|status| status.problem.as_deref());
        let checks = status.map(|status| status.checks.as_slice()).unwrap_or_default();
        return Gone::Sealed(Box::new(sealed(name, &rollout, problem, checks, had)));
    }
    if rollout.cause == Cause::Withdrawal && is_over(&rollout) {
        return Gone::Nothing;
    }
    let report = AddonReport { withdrawn: true, phase: Phase::Completed, ..AddonReport::default() };
    Gone::Removed(Box::new(followed(name, before, &report, revision, Moment { now, looked: now, went_back: None })))
}

/// Returns the rollout that starts with a report; `had` is the clusters as last journaled, `reported` those of the report.
fn begun(
    (previous, is_lost): (Option<&Rollout>, bool),
    report: &AddonReport,
    (had, reported): (&Clusters, &Clusters),
    revision: Option<&Revision>,
    Moment { now, looked, .. }: Moment,
) -> Rollout {
    let (from, from_target) = match previous {
        Some(done) if done.outcome == Outcome::Completed => (done.to.clone(), done.target.clone()),
        Some(unfinished) => (unfinished.from.clone(), unfinished.from_target.clone()),
        None => Default::default(),
    };
    let target = target(report);
    let cause = match previous {
        _ if report.withdrawn => Cause::Withdrawal,
        Some(previous) if previous.target == target && is_lost => Cause::Repetition,
        Some(previous) if previous.target == target => Cause::Membership,
        _ => Cause::Configuration,
    };
    // A membership change or repetition counts as part of the rollout that it follows, which a later configuration may revert.
    let configured = previous.map(|p| match &p.follows {
        Some(followed) => followed.clone(),
        None => Followed { number: p.number, from_target: p.from_target.clone() },
    });
    let takes_back = |p: &&Followed| !p.from_target.is_empty() && p.from_target == target;
    // Clusters may have started since the previous report. A waiting cluster has its old configuration.
    let known = previous.map(|p| p.ended.unwrap_or(p.started));
    // If the clock was set back, the previous rollout seems to end later than now.
    let begins = known.map_or(looked, |known| known.max(looked).min(now));
    let first = new_starts(had, reported).filter(|at| known.is_none_or(|known| *at >= known));
    Rollout {
        number: previous.map_or(1, |p| p.number + 1),
        cause,
        follows: configured.clone().filter(|_| matches!(cause, Cause::Membership | Cause::Repetition)),
        from,
        from_target,
        to: if report.withdrawn { String::new() } else { report.version.clone() },
        confirmations: Vec::new(),
        decisions: decision::decided(report),
        undone_removals: Vec::new(),
        reverts: configured.as_ref().filter(|_| cause == Cause::Configuration).filter(takes_back).map(|p| p.number),
        target,
        revision: revision.cloned(),
        digest: report.digest.clone(),
        started: first.chain([to_seconds(begins)]).min().unwrap_or(begins),
        outcome: Outcome::InProgress,
        ended: None,
        superseded_by: None,
    }
}

/// Returns a digest of all configurations of the add-on's placements; of an empty input if the add-on left the repository.
fn target(report: &AddonReport) -> String {
    if report.withdrawn {
        return short(&sha256_hex(b"")).to_owned();
    }
    let configs = report.placements.iter().flat_map(|placement| {
        placement
            .configs
            .iter()
            .map(move |c| format!("{} {} {} {}\n", placement.placement, c.resource, c.desired.name, c.desired.hash))
    });
    short(&sha256_hex(configs.collect::<String>().as_bytes())).to_owned()
}

/// Returns when the clusters started that have started since the previous report.
fn new_starts(had: &Clusters, reported: &Clusters) -> impl Iterator<Item = Timestamp> {
    let has_started = |(name, c): &(&ClusterName, &ClusterReport)| {
        let is_new = had.get(*name).is_none_or(|had| (&had.hash, had.started) != (&c.hash, c.started));
        is_new && !matches!(c.state, ClusterState::Waiting | ClusterState::Leaving | ClusterState::Removed)
    };
    reported.iter().filter(has_started).filter_map(|(_, c)| c.started)
}
