//! Checks how one cluster changes from one commit to the next.
//!
//! Changes are batched, so a cluster may go from waiting to done in one commit. That is legal only with evidence that it
//! started: a start time for its current configuration, between the previous commit and this one.

use super::sealed::Reports;
use super::tolerance::is_before;
use crate::audit::documents::lines::Changed;
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::record::ClusterReport;
use tidegate_model::name::ClusterName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{SignedDuration, Timestamp};

/// The times that bound when a change may have happened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// When the previous commit was made; `None` for the first commit.
    pub after: Option<Timestamp>,
    /// When the rollout in the status started, if it is new or in progress.
    pub began: Option<Timestamp>,
    /// When the rollout in the status started, whether or not it has ended.
    pub rollout: Option<Timestamp>,
    /// Whether the previous status had the same rollout.
    pub is_same_rollout: bool,
    /// When this commit was made.
    pub told: Timestamp,
    /// By how much the clock of the daemon was behind that: times from before it was set back are later than those after it.
    pub behind: SignedDuration,
}

impl Window {
    /// Returns an earlier time as the clock of the daemon may have shown it, if it was set back since.
    fn on_clock(&self, at: Option<Timestamp>) -> Option<Timestamp> {
        at.and_then(|at| at.checked_sub(self.behind).ok())
    }
}

/// Returns the problems with a change to a cluster.
pub(super) fn problems(changed: &Changed, window: &Window) -> Vec<Problem> {
    let Changed { name, line, before, had, after } = changed;
    let mut found: Vec<Problem> = lasting(after, window);
    if let Some(before) = before {
        found.extend(skipped(before, after, window));
    }
    if let Some(had) = had.as_ref().filter(|_| has_started(after)) {
        if had.hash != after.hash {
            found.extend(started_anew(after, had.started, window));
        } else if is_before(after.started, window.on_clock(had.started)) {
            found.push(
                Problem::new(Rule::Backwards, format!("started went back to {}", shown(after.started)))
                    .expected(format!("started: {}, or later", shown(had.started))),
            );
        }
    }
    for problem in &mut found {
        problem.problem = format!("cluster {name}: {}", problem.problem);
        problem.line = Some(*line);
    }
    found
}

/// Checks what must hold for each line on its own.
fn lasting(after: &ClusterReport, window: &Window) -> Vec<Problem> {
    let mut found = Vec::new();
    for (field, at) in [("started", after.started), ("since", after.since)] {
        // What was recorded before the clock was set back is later than the commit.
        if is_before(Some(window.told), window.on_clock(at)) {
            let problem = format!("{field} is {}, later than the commit that reports it", shown(at));
            found.push(Problem::new(Rule::Future, problem).expected(format!("{}, or earlier", window.told)));
        }
    }
    let is_done = matches!(after.state, ClusterState::Succeeded | ClusterState::Soaking);
    if let (Some(started), Some(since)) = (after.started, after.since)
        && is_done
        && since < started
    {
        let problem = format!("it was done at {since}, before it started");
        found.push(Problem::new(Rule::Backwards, problem).expected(format!("{started}, or later")));
    }
    if after.state == ClusterState::Succeeded && !after.opens.is_empty() {
        let problem = format!("it is Succeeded, but still waits until {}", after.opens);
        found.push(Problem::new(Rule::Settled, problem));
    }
    found
}

/// A cluster that waited for its turn cannot be done in the same rollout with the configuration it already had. The exception is
/// a cluster that was done with that configuration before the rollout started, and now keeps it after all.
fn skipped(before: &ClusterReport, after: &ClusterReport, window: &Window) -> Option<Problem> {
    let waited =
        before.state == ClusterState::Waiting && before.reason.starts_with("waits for") && !before.hash.is_empty();
    let is_done = matches!(after.state, ClusterState::Succeeded | ClusterState::Soaking);
    let kept = matches!((after.since, window.rollout), (Some(since), Some(began)) if since < began);
    let is_unproven =
        waited && is_done && before.hash == after.hash && after.started.is_none() && window.is_same_rollout && !kept;
    is_unproven.then(|| {
        let problem = format!("it went from Waiting to {} without starting", after.state);
        Problem::new(Rule::Started, problem)
            .expected("Waiting, or a `started` time and the hash of the configuration it started on")
    })
}

/// A cluster with another configuration must have started on it since the previous commit.
fn started_anew(after: &ClusterReport, had: Option<Timestamp>, window: &Window) -> Option<Problem> {
    let expected = |at: Option<Timestamp>| format!("started: {}, or later", shown(at));
    let Some(started) = after.started else {
        let problem =
            format!("it is {} on another configuration, {}, but never started on it", after.state, after.hash);
        return Some(Problem::new(Rule::Started, problem).expected("its own `started` time"));
    };
    let bounds = [
        (had, "it had another configuration then"),
        (window.after, "the previous commit is later and does not report it"),
        (window.began, "the rollout had not started yet"),
    ];
    let (at, why) = bounds.into_iter().find(|(at, _)| is_before(Some(started), window.on_clock(*at)))?;
    let problem = format!("it started on {} at {started}, but {why}", after.hash);
    Some(Problem::new(Rule::Started, problem).expected(expected(at)))
}

/// Returns a problem if clusters are no longer listed although they were never reported as removed.
pub(super) fn dropped(before: &Reports, after: &Reports) -> Option<Problem> {
    let lost = |(name, report): &(&ClusterName, &ClusterReport)| {
        report.state != ClusterState::Removed && !after.contains_key(*name)
    };
    let lost: Vec<_> = before.iter().filter(lost).collect();
    let (name, report) = lost.first()?;
    let more = if lost.len() > 1 { format!(" (and {} more)", lost.len() - 1) } else { String::new() };
    let problem = format!("cluster {name}, which was {}, is no longer listed{more}", report.state);
    Some(Problem::new(Rule::Removed, problem).expected("a line with state Removed and its time"))
}

fn has_started(report: &ClusterReport) -> bool {
    report.state != ClusterState::Waiting && !report.state.is_unselected() && !report.hash.is_empty()
}

fn shown(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "unknown".to_owned(), |at| at.to_string())
}
