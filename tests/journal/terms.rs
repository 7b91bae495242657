//! The terms of replicas: once one has begun, an earlier leader pushes nothing more.

use super::two_writers::{ALL, Scene, tell};
use super::{at, report};
use tidegate_daemon::reconciler::journal::{Error, JournalBranch};
use tidegate_model::progress::Phase;

fn begin(replica: &mut JournalBranch, minute: u32) -> Result<u64, Error> {
    replica.begin_term(at(&format!("2026-11-21T10:{minute:02}:00Z")))?;
    Ok(replica.journal().term())
}

/// Returns a journal and two replicas. The first one leads.
fn led() -> (Scene, JournalBranch, JournalBranch) {
    let scene = Scene::new();
    let mut first = scene.journaling("first", "2026-11-21T09:00:00Z");
    assert_eq!(begin(&mut first, 1).unwrap(), 1);
    tell(&mut first, &report("0.4.0", &["a"], Phase::Progressing), 2);
    first.push().unwrap();
    let second = scene.journaling("second", "2026-11-21T09:30:00Z");
    (scene, first, second)
}

#[test]
fn a_leader_whose_term_is_over_can_push_nothing_although_it_started_first() {
    let (scene, mut first, mut second) = led();
    assert_eq!(begin(&mut second, 3).unwrap(), 2);
    tell(&mut first, &report("0.4.0", &["a", "b"], Phase::Progressing), 4);
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", "tidegate/journal"]);
    let before = tip();
    for _ in 0..2 {
        let error = first.push().unwrap_err();
        assert!(
            matches!(&error, Error::Deposed { theirs, .. } if theirs.name == "second" && theirs.term == 2),
            "{error}"
        );
        assert!(error.is_final());
    }
    assert_eq!(tip(), before);
    tell(&mut second, &report("0.4.0", &ALL, Phase::Completed), 5);
    second.push().unwrap();
    crate::audit::proven(&scene.remote());
}

#[test]
fn the_last_entries_of_an_earlier_leader_do_not_keep_a_term_from_beginning() {
    let (scene, mut first, mut second) = led();
    // The second replica has read the journal before these entries.
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    first.push().unwrap();
    let has_to_read_again = second.begin_term(at("2026-11-21T10:04:00Z")).unwrap();
    assert!(has_to_read_again, "what it has read is older than the journal");
    assert_eq!((second.journal().term(), second.is_behind()), (2, false));
    assert_eq!(second.journal().sealed.len(), 1, "the rollout that the first one sealed is known");
    assert!(!scene.journaling("third", "2026-11-21T10:05:00Z").begin_term(at("2026-11-21T10:05:00Z")).unwrap());
    assert!(matches!(first.push(), Ok(false)), "it has nothing to push");
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 5);
    assert!(matches!(first.push(), Err(Error::Deposed { .. })));
    crate::audit::proven(&scene.remote());
}

#[test]
fn a_term_that_begins_is_no_look_at_the_hub() {
    let (scene, _, mut second) = led();
    begin(&mut second, 30).unwrap();
    let third = scene.journaling("third", "2026-11-21T10:31:00Z");
    assert_eq!(third.looked_at(), Some(at("2026-11-21T10:02:00Z")), "the second replica ended before it looked");
}

#[test]
fn of_two_replicas_that_begin_the_same_term_the_first_one_leads() {
    let (scene, _, mut second) = led();
    let mut third = scene.journaling("third", "2026-11-21T08:00:00Z");
    assert_eq!(begin(&mut second, 3).unwrap(), 2);
    let error = begin(&mut third, 4).unwrap_err();
    assert!(
        matches!(&error, Error::Deposed { ours, theirs, .. } if ours.term == 2 && theirs.name == "second"),
        "{error}"
    );
    tell(&mut second, &report("0.4.0", &ALL, Phase::Completed), 5);
    second.push().unwrap();
    crate::audit::proven(&scene.remote());
}

#[test]
fn entries_that_an_earlier_leader_could_not_push_are_pushed_in_its_next_term() {
    let (scene, mut first, mut second) = led();
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    drop(first);
    assert_eq!(begin(&mut second, 4).unwrap(), 2);
    // It starts again with its own mirror, and leads when the second one has ended.
    let mut first = scene.journaling("first", "2026-11-21T10:00:00Z");
    assert_eq!(begin(&mut first, 5).unwrap(), 3);
    assert_eq!(first.journal().sealed.values().copied().collect::<Vec<_>>(), [1]);
    assert!(matches!(second.push(), Ok(false)));
    crate::audit::proven(&scene.remote());
}

#[test]
fn a_term_that_a_person_changed_is_continued_within_reason() {
    for (edited, expected) in [("term: 0", Some(1)), ("term: 7", Some(8)), ("term: 18446744073709551615", None)] {
        let (scene, _, _) = led();
        scene.edit("sync.yaml", |text| text.replace("term: 1", edited));
        let mut next = scene.journaling("next", "2026-11-21T11:00:00Z");
        match (begin(&mut next, 30), expected) {
            (Ok(term), Some(expected)) => assert_eq!(term, expected, "{edited}"),
            (Err(Error::Term { term, .. }), None) => assert_eq!(term, u64::MAX),
            (result, _) => panic!("{edited}: {result:?}"),
        }
    }
}

#[test]
fn a_daemon_without_replicas_keeps_the_last_term_so_that_a_later_one_is_higher() {
    let (scene, _, mut second) = led();
    assert_eq!(begin(&mut second, 3).unwrap(), 2);
    let mut alone = scene.journaling("alone", "2026-11-21T11:00:00Z");
    tell(&mut alone, &report("0.4.0", &ALL, Phase::Completed), 10);
    alone.push().unwrap();
    assert_eq!(begin(&mut scene.journaling("third", "2026-11-21T12:00:00Z"), 11).unwrap(), 3);
    crate::audit::proven(&scene.remote());
}
