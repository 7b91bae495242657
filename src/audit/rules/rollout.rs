//! Checks how the rollouts of an add-on change from one commit to the next.

use std::collections::BTreeSet;

use crate::audit::documents::text::line_of;
use crate::audit::finding::{Problem, Rule};
use tidegate_journal::record::{AddonStatus, Cause, Decision, Outcome, Rollout, decided_by};
use tidegate_model::time::SignedDuration;

/// What is known about an add-on's status.
#[derive(Debug, Clone, Default)]
pub(in crate::audit) enum Known {
    /// It does not exist.
    #[default]
    Absent,
    /// It exists but could not be read.
    Lost,
    /// It was read.
    Status(Box<AddonStatus>),
}

impl Known {
    /// Returns the status, if it could be read.
    pub(in crate::audit) fn status(&self) -> Option<&AddonStatus> {
        match self {
            Self::Status(status) => Some(status),
            Self::Absent | Self::Lost => None,
        }
    }

    /// Returns the rollout in the status.
    pub(in crate::audit) fn rollout(&self) -> Option<&Rollout> {
        self.status()?.rollout.as_ref()
    }
}

/// The effect of one commit on an add-on's rollouts.
#[derive(Debug, Clone, Copy)]
pub(in crate::audit) struct Step<'a> {
    /// The previous status.
    pub before: &'a Known,
    /// The new status.
    pub after: &'a Known,
    /// The YAML of the new status.
    pub text: &'a str,
    /// The rollouts that were already sealed.
    pub sealed: &'a BTreeSet<u32>,
    /// The rollouts that the commit seals.
    pub added: &'a BTreeSet<u32>,
    /// Whether the commit combines several entries.
    pub is_gathered: bool,
    /// By how much the clock of the daemon was behind the date of the commit.
    pub behind: SignedDuration,
}

/// Returns the problems with how the rollouts changed.
pub(in crate::audit) fn problems(step: &Step<'_>) -> Vec<Problem> {
    let line = |field: &str| line_of(step.text, &format!("{field}:"));
    match (step.before, step.after) {
        (Known::Lost, _) | (_, Known::Lost) => Vec::new(),
        (before, Known::Absent) => {
            let open = before.rollout().filter(|r| r.outcome == Outcome::InProgress && !step.added.contains(&r.number));
            open.map(|rollout| unsealed(rollout.number)).into_iter().collect()
        }
        (before, Known::Status(after)) => match (before.rollout(), after.rollout.as_ref()) {
            (None, None) => Vec::new(),
            (Some(gone), None) => {
                let problem = format!("rollout {} is no longer recorded", gone.number);
                vec![Problem::new(Rule::Fixed, problem)]
            }
            (Some(before), Some(after)) if before.number == after.number => {
                let mut found: Vec<Problem> =
                    fixed(before, after, step.behind).map(|p| p.at(line("rollout"))).into_iter().collect();
                found.extend(outcome(before, after).map(|p| p.at(line("outcome"))));
                found.extend(seals(step, before.outcome != after.outcome, after));
                found.extend(decisions(step, &before.decisions, after).map(|p| p.at(line("decisions"))));
                found
            }
            (before, Some(after)) => {
                let mut found: Vec<Problem> =
                    next(step, before, after).map(|p| p.at(line("number"))).into_iter().collect();
                found.extend(continued(before, after).map(|p| p.at(line("from"))));
                found.extend(seals(step, true, after));
                found.extend(decisions(step, &[], after).map(|p| p.at(line("decisions"))));
                found
            }
        },
    }
}

/// `behind` is by how much the clock was set back: a rollout that had started later than it now shows starts when it was set back.
fn fixed(before: &Rollout, after: &Rollout, behind: SignedDuration) -> Option<Problem> {
    let is_set_back = after.started < before.started
        && before.started.checked_sub(behind).is_ok_and(|earliest| after.started >= earliest);
    let started = if is_set_back { before.started } else { after.started };
    let Rollout { outcome, ended, superseded_by, confirmations, decisions, undone_removals, .. } = before.clone();
    let only_grew = after.confirmations.starts_with(&confirmations)
        && after.decisions.starts_with(&decisions)
        && after.undone_removals.starts_with(&undone_removals);
    let after =
        Rollout { outcome, ended, superseded_by, confirmations, decisions, undone_removals, started, ..after.clone() };
    (after != *before || !only_grew).then(|| {
        let problem = format!("the recorded facts of rollout {} have changed", before.number);
        Problem::new(Rule::Fixed, problem).expected(format!(
            "from {:?} to {:?}, target {}, started {}, revision {}",
            before.from,
            before.to,
            before.target,
            before.started,
            before.revision.as_ref().map_or("none", |r| r.commit.as_str())
        ))
    })
}

fn outcome(before: &Rollout, after: &Rollout) -> Option<Problem> {
    let is_legal = match (before.outcome, after.outcome) {
        (Outcome::InProgress, Outcome::InProgress) => after.ended.is_none(),
        (Outcome::InProgress, Outcome::Completed) => after.ended.is_some_and(|ended| ended >= after.started),
        (before_outcome, outcome) => before_outcome == outcome && before.ended == after.ended,
    };
    let told = |r: &Rollout| format!("{:?}{}", r.outcome, r.ended.map_or(String::new(), |at| format!(", ended {at}")));
    (!is_legal).then(|| {
        let problem = format!("rollout {} went from {} to {}", before.number, told(before), told(after));
        Problem::new(Rule::Outcome, problem)
    })
}

/// Returns a problem if the number of a new rollout is not the next one.
fn next(step: &Step<'_>, before: Option<&Rollout>, after: &Rollout) -> Option<Problem> {
    let last = before.map(|r| r.number).or_else(|| step.sealed.last().copied()).unwrap_or(0);
    let number = after.number;
    let is_next = if step.is_gathered { number > last } else { number == last.saturating_add(1) };
    (!is_next).then(|| {
        let problem = format!("rollout {number} follows rollout {last}");
        Problem::new(Rule::Number, problem)
            .expected(format!("rollout {}; commits may be missing", last.saturating_add(1)))
    })
}

/// Returns a problem if a rollout does not start where the previous one left off.
fn continued(before: Option<&Rollout>, after: &Rollout) -> Option<Problem> {
    let before = before.filter(|before| before.number.checked_add(1) == Some(after.number))?;
    let (from, target) = match before.outcome {
        Outcome::Completed => (&before.to, &before.target),
        _ => (&before.from, &before.from_target),
    };
    // A completed rollout is repeated when the hub lost its result.
    let repeats = matches!(after.cause, Cause::Membership | Cause::Repetition) && before.outcome == Outcome::Completed;
    let is_other = (after.target == before.target) == repeats;
    let is_continued = (&after.from, &after.from_target) == (from, target) && is_other;
    (!is_continued).then(|| {
        let problem = format!("rollout {} starts from {:?}", after.number, after.from);
        Problem::new(Rule::Number, problem).expected(format!("from {from:?}, where rollout {} left off", before.number))
    })
}

/// Checks that every ended rollout is sealed, and that no rollout in progress is.
fn seals(step: &Step<'_>, has_moved: bool, current: &Rollout) -> Vec<Problem> {
    if !has_moved && step.added.is_empty() {
        return Vec::new();
    }
    let is_sealed = |number: &u32| step.sealed.contains(number) || step.added.contains(number);
    let has_ended = current.outcome != Outcome::InProgress;
    let last = if has_ended { current.number } else { current.number.saturating_sub(1) };
    // Skip the search if there is no gap: it would be slow with thousands of rollouts.
    let is_full = step.sealed.len() + step.added.len() == last as usize && (last == 0 || is_sealed(&last));
    let missing = if is_full { None } else { (1..=last).find(|number| !is_sealed(number)) };
    let early = (!has_ended && is_sealed(&current.number))
        .then(|| Problem::new(Rule::Seal, format!("rollout {} is sealed but reported as in progress", current.number)));
    missing.map(unsealed).into_iter().chain(early).collect()
}

/// Returns a problem if a rollout has a new decision that the status does not show.
fn decisions(step: &Step<'_>, before: &[Decision], after: &Rollout) -> Option<Problem> {
    let shown = step.after.status().map(decided_by).unwrap_or_default();
    let mut new = after.decisions.iter().filter(|decision| !before.contains(decision) && !step.is_gathered);
    new.find(|decision| !shown.contains(decision)).map(|_| {
        let problem =
            format!("rollout {} has a decision that neither the approvals nor the rejection show", after.number);
        Problem::new(Rule::Gate, problem).expected("a decision that the same status.yaml shows")
    })
}

fn unsealed(number: u32) -> Problem {
    Problem::new(Rule::Seal, format!("rollout {number} has ended but is not sealed"))
        .expected(format!("rollouts/{number}.yaml in the same commit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starting(at: &str) -> Rollout {
        let text = format!("number: 2\nfrom: a\nto: b\ntarget: t\nstarted: {at}\noutcome: InProgress\n");
        serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_start_of_a_rollout_goes_back_only_as_far_as_the_clock_was_set_back() {
        let is_found = |to: &str, behind: i64| {
            let behind = SignedDuration::from_secs(behind);
            fixed(&starting("2027-01-01T12:00:00Z"), &starting(to), behind).is_some()
        };
        assert!(!is_found("2027-01-01T11:00:00Z", 3600), "the clock was set back by an hour");
        assert!(is_found("2027-01-01T10:59:59Z", 3600), "it goes back further than the clock");
        assert!(is_found("2027-01-01T11:00:00Z", 0), "the commit has no trailer `Clock`");
        assert!(is_found("2027-01-01T12:00:01Z", 3600), "it goes forward");
    }
}
