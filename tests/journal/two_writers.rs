//! Two daemons on one journal, which is a mistake that ends soon, or an update of a daemon that does.

use std::path::Path;
use std::sync::Arc;

use tidegate::git::{Credentials, Mirror, Remote, init_bare};
use tidegate::journal::writer::Writer;
use tidegate::plan::report::{Phase, Report};
use tidegate::reconciler::journaling::Journaling;

use super::{at, facts, report};

const BRANCH: &str = "tidegate/journal";

fn journaling(directory: &Path, name: &str, since: &str) -> Journaling {
    let remote = Remote::new(directory.join("remote.git").to_str().unwrap(), Credentials::None).unwrap();
    let mirror = Arc::new(Mirror::open(directory.join(name), remote).unwrap());
    Journaling::open(mirror, BRANCH, "", Writer { name: name.to_owned(), since: at(since) }).unwrap()
}

/// Commits what a report tells, if it tells anything.
fn tell(journaling: &mut Journaling, report: &Report, minute: u32) {
    journaling.commit(report, &facts(), at(&format!("2026-11-21T10:{minute:02}:00Z"))).unwrap();
}

#[test]
fn what_another_daemon_has_sealed_is_not_told_to_be_under_way() {
    let directory = tempfile::tempdir().unwrap();
    init_bare(directory.path().join("remote.git"), "main").unwrap();
    let mut first = journaling(directory.path(), "first", "2026-11-21T09:00:00Z");
    let all = ["a", "b", "c"];
    tell(&mut first, &report("0.4.0", &all, Phase::Completed), 1);
    first.push().unwrap();
    let mut second = journaling(directory.path(), "second", "2026-11-21T09:30:00Z");
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    let upgraded = report("0.4.1", &all, Phase::Completed);
    tell(&mut second, &report("0.4.1", &["a"], Phase::Progressing), 3);
    tell(&mut second, &upgraded, 4);
    second.push().unwrap();
    assert!(first.push().unwrap(), "the race is lost, and the present is to be told anew");
    tell(&mut first, &upgraded, 5);
    first.push().unwrap();
    assert!(!first.is_behind());
    crate::audit::proven(&directory.path().join("remote.git"));
}

#[test]
fn what_only_this_daemon_has_sealed_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    init_bare(directory.path().join("remote.git"), "main").unwrap();
    let mut first = journaling(directory.path(), "first", "2026-11-21T09:00:00Z");
    let all = ["a", "b", "c"];
    tell(&mut first, &report("0.4.0", &["a"], Phase::Progressing), 1);
    first.push().unwrap();
    let mut second = journaling(directory.path(), "second", "2026-11-21T09:30:00Z");
    tell(&mut first, &report("0.4.0", &all, Phase::Completed), 2);
    tell(&mut second, &report("0.4.0", &["a", "b"], Phase::Progressing), 3);
    second.push().unwrap();
    assert!(first.push().unwrap());
    assert_eq!(first.journal().sealed.values().copied().collect::<Vec<_>>(), [1]);
    crate::audit::proven(&directory.path().join("remote.git"));
}

#[test]
fn after_a_restart_too_what_another_daemon_has_sealed_is_not_told_to_be_under_way() {
    let directory = tempfile::tempdir().unwrap();
    init_bare(directory.path().join("remote.git"), "main").unwrap();
    let mut first = journaling(directory.path(), "first", "2026-11-21T09:00:00Z");
    let all = ["a", "b", "c"];
    tell(&mut first, &report("0.4.0", &all, Phase::Completed), 1);
    first.push().unwrap();
    let mut second = journaling(directory.path(), "second", "2026-11-21T09:30:00Z");
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    drop(first);
    let upgraded = report("0.4.1", &all, Phase::Completed);
    tell(&mut second, &upgraded, 3);
    second.push().unwrap();
    let mut first = journaling(directory.path(), "first", "2026-11-21T09:40:00Z");
    tell(&mut first, &upgraded, 4);
    first.push().unwrap();
    crate::audit::proven(&directory.path().join("remote.git"));
}

#[test]
fn what_was_sealed_and_not_pushed_before_a_restart_is_kept() {
    for meets_at_start in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        init_bare(directory.path().join("remote.git"), "main").unwrap();
        let mut first = journaling(directory.path(), "first", "2026-11-21T09:00:00Z");
        let all = ["a", "b", "c"];
        tell(&mut first, &report("0.4.0", &["a"], Phase::Progressing), 1);
        first.push().unwrap();
        let mut second = journaling(directory.path(), "second", "2026-11-21T09:30:00Z");
        tell(&mut first, &report("0.4.0", &all, Phase::Completed), 2);
        drop(first);
        let restarted = || journaling(directory.path(), "first", "2026-11-21T09:20:00Z");
        let early = (!meets_at_start).then(restarted);
        tell(&mut second, &report("0.4.0", &["a", "b"], Phase::Progressing), 3);
        second.push().unwrap();
        let mut first = early.unwrap_or_else(restarted);
        first.push().unwrap();
        assert_eq!(first.journal().sealed.values().copied().collect::<Vec<_>>(), [1], "{meets_at_start}");
        assert!(!first.is_behind());
        crate::audit::proven(&directory.path().join("remote.git"));
    }
}
