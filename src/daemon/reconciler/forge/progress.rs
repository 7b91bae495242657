//! How far rollouts are, as the forge shows it.

use tidegate_forge::State;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;
use tidegate_model::plural::counted;
use tidegate_model::progress::{Counts, Phase};
use tidegate_plan::report::AddonReport;
use tidegate_review::presentation::RolloutState;

/// Returns how far the rollout of an add-on is.
pub(super) fn state(name: &UnitName, report: &AddonReport, digest: &Digest) -> RolloutState {
    let mut reasons: Vec<String> = report.problem.iter().chain(&report.stopped_by).cloned().collect();
    reasons.extend(
        report
            .rejected
            .iter()
            .map(|rejected| format!("digest {} was rejected and is rolled back", rejected.digest.short())),
    );
    for gate in &report.gates {
        let reason = format!("{}: opens when {}", gate.gate, gate.opens);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let counts = stepped(report.counts());
    RolloutState { addon: name.clone(), digest: digest.clone(), phase: report.phase, counts, reasons }
}

/// Returns the state of the status of an add-on, and its text.
pub(super) fn status(report: &AddonReport, digest: &Digest) -> (State, String) {
    let Counts { total, succeeded, failed, .. } = stepped(report.counts());
    let clusters = format!("{succeeded} of {}", counted(total, "cluster"));
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let why = report.problem.as_ref().or(report.stopped_by.as_ref()).map(|why| format!(": {why}")).unwrap_or_default();
    let (state, word) = match report.phase {
        Phase::Completed => (State::Success, "completed".to_owned()),
        Phase::Stopped => (State::Failure, format!("stopped{why}")),
        Phase::Held => (State::Failure, format!("held{why}")),
        Phase::Refused => (State::Failure, format!("refused{why}")),
        Phase::Removing => (State::Running, "being removed".to_owned()),
        Phase::Progressing => match report.gates.first() {
            Some(gate) if report.counts().progressing == 0 => (State::Running, gate.gate.clone()),
            _ => (State::Running, "in progress".to_owned()),
        },
    };
    (state, format!("{} {word}; {clusters}{failed}", digest.short()))
}

/// Rounds `succeeded` down to a tenth of the total while clusters are progressing, so that a status is not rewritten for each. At rest,
/// counts are exact.
fn stepped(counts: Counts) -> Counts {
    let step = (counts.total / 10).max(1);
    let is_at_rest = counts.progressing == 0;
    let succeeded = if is_at_rest { counts.succeeded } else { counts.succeeded / step * step };
    Counts { succeeded, ..counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_move_in_steps_of_a_tenth() {
        let shown = |succeeded: usize, total: usize| {
            stepped(Counts { total, succeeded, progressing: 1, ..Counts::default() }).succeeded
        };
        assert_eq!((shown(199, 1_000), shown(200, 1_000)), (100, 200));
        assert_eq!((shown(1, 3), shown(2, 3)), (1, 2));
    }

    #[test]
    fn add_ons_that_are_held_stopped_or_refused_are_failures() {
        let digest = Digest::of(b"hello");
        let shown = |phase: Phase| {
            let report = AddonReport { phase, problem: Some("the reason".to_owned()), ..AddonReport::default() };
            let (state, text) = status(&report, &digest);
            (state == State::Failure, text.contains("the reason"))
        };
        for phase in [Phase::Held, Phase::Stopped, Phase::Refused] {
            assert_eq!(shown(phase), (true, true), "{phase:?}");
        }
        for phase in [Phase::Completed, Phase::Progressing, Phase::Removing] {
            assert!(!shown(phase).0, "{phase:?}");
        }
    }

    #[test]
    fn numbers_at_rest_are_exact() {
        let shown =
            |succeeded: usize, total: usize| stepped(Counts { total, succeeded, ..Counts::default() }).succeeded;
        assert_eq!((shown(10, 300), shown(1_000, 1_000), shown(0, 0)), (10, 1_000, 0), "10 canaries, then a gate");
    }
}
