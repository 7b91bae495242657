//! Whether everything that a journal records is at its target, for pipelines.

use tidegate_journal::Journal;
use tidegate_journal::record::{AddonStatus, HoldRecord, Sync};
use tidegate_model::progress::Phase;

/// Whether everything is at its target. Of several, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Every cluster has what it should have, and works.
    AtTarget,
    /// A rollout or a removal is under way, and nothing is wrong.
    UnderWay,
    /// Something failed, is stopped, held or refused, or has complaints: a person has to look.
    NeedsAttention,
}

/// Returns the outcome of all add-ons and of the revision.
pub(crate) fn of_all(journal: &Journal) -> Outcome {
    let addons = journal.addons.values().map(of_addon);
    addons.chain([of_sync(journal.sync.as_ref())]).max().unwrap_or(Outcome::UnderWay)
}

/// Returns the outcome of one add-on.
pub(crate) fn of_addon(status: &AddonStatus) -> Outcome {
    let fails =
        status.clusters.failed > 0 || status.clusters.degraded > 0 || status.removal.as_ref().is_some_and(is_open);
    match status.phase {
        _ if fails => Outcome::NeedsAttention,
        Phase::Stopped | Phase::Held | Phase::Refused => Outcome::NeedsAttention,
        Phase::Progressing | Phase::Removing => Outcome::UnderWay,
        // It completed an older revision.
        Phase::Completed if status.problem.is_some() => Outcome::NeedsAttention,
        Phase::Completed => Outcome::AtTarget,
    }
}

/// Returns the outcome of the revision, and of the objects that are not part of one add-on. Notices do not count.
fn of_sync(sync: Option<&Sync>) -> Outcome {
    let Some(sync) = sync else { return Outcome::UnderWay };
    let has_problem = !sync.complaints.is_empty()
        || !sync.failures.is_empty()
        || sync.refused.is_some()
        || sync.hold.as_ref().is_some_and(is_open);
    let seen = sync.seen.as_ref().map(|seen| &seen.commit);
    match (has_problem, seen.is_some() && seen == sync.applied.as_ref()) {
        (true, _) => Outcome::NeedsAttention,
        (false, false) => Outcome::UnderWay,
        (false, true) => Outcome::AtTarget,
    }
}

/// Returns `true` for a removal that no commit has confirmed.
fn is_open(hold: &HoldRecord) -> bool {
    hold.confirmed_by.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addon(phase: &str, more: &str) -> AddonStatus {
        let text = format!(
            "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\naddon: hello\nversion: 0.4.1\nphase: {phase}\n\
             since: 2026-11-21T10:00:00Z\nclusters: {{total: 1, succeeded: 0, progressing: 1, failed: 0, waiting: 0{more}\n"
        );
        serde_saphyr::from_str(&text).unwrap()
    }

    #[test]
    fn an_addon_is_at_its_target_only_if_it_is_completed_and_works() {
        let cases = [
            ("Completed", "}", Outcome::AtTarget),
            ("Progressing", "}", Outcome::UnderWay),
            ("Removing", "}", Outcome::UnderWay),
            ("Stopped", "}", Outcome::NeedsAttention),
            ("Held", "}", Outcome::NeedsAttention),
            ("Refused", "}", Outcome::NeedsAttention),
            ("Completed", ", degraded: 1}", Outcome::NeedsAttention),
            ("Completed", "}\nproblem: held at an older revision", Outcome::NeedsAttention),
        ];
        for (phase, more, expected) in cases {
            assert_eq!(of_addon(&addon(phase, more)), expected, "{phase} {more}");
        }
        let mut failing = addon("Progressing", "}");
        failing.clusters.failed = 1;
        assert_eq!(of_addon(&failing), Outcome::NeedsAttention);
    }

    #[test]
    fn a_revision_with_complaints_needs_attention_and_an_unfinished_one_is_under_way() {
        let commit = |n: char| n.to_string().repeat(40);
        let sync = |applied: char, more: &str| -> Sync {
            let seen = format!("{{commit: {}, subject: s, author: a, time: 2026-11-21T10:00:00Z}}", commit('a'));
            let text = format!(
                "apiVersion: tidegate.io/v1alpha1\nkind: Sync\nseen: {seen}\napplied: {}\n{more}",
                commit(applied)
            );
            serde_saphyr::from_str(&text).unwrap()
        };
        assert_eq!(of_sync(Some(&sync('a', ""))), Outcome::AtTarget);
        assert_eq!(of_sync(Some(&sync('a', "notices: [x]"))), Outcome::AtTarget);
        assert_eq!(of_sync(Some(&sync('b', ""))), Outcome::UnderWay);
        assert_eq!(of_sync(Some(&sync('b', "complaints: [x]"))), Outcome::NeedsAttention);
        assert_eq!(of_sync(Some(&sync('a', "failures: [x]"))), Outcome::NeedsAttention);
        assert_eq!(of_sync(None), Outcome::UnderWay);
        let all = Journal { addons: [("hello".parse().unwrap(), addon("Stopped", "}"))].into(), ..Journal::default() };
        assert_eq!(of_all(&all), Outcome::NeedsAttention);
    }
}
