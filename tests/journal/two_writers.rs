//! Two daemons on one journal: a misconfiguration, or an update of a daemon. Both are resolved soon.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;

use super::{at, facts, report};
use crate::scratch::tempdir;
use tidegate_daemon::reconciler::clock::Clock;
use tidegate_daemon::reconciler::journal::{Error, JournalBranch, Pace, rival_check, write_journal};
use tidegate_daemon::reconciler::{Snapshot, metrics};
use tidegate_git::{Credentials, Mirror, NewCommit, Remote, init_bare};
use tidegate_journal::writer::{Precedence, Writer};
use tidegate_model::backoff::Backoff;
use tidegate_model::instance::{Instance, InstanceId};
use tidegate_model::progress::Phase;
use tidegate_plan::report::Report;

const BRANCH: &str = "tidegate/journal";
pub(super) const ALL: [&str; 3] = ["a", "b", "c"];

/// The remote of a journal, and the mirrors of its daemons.
pub(super) struct Scene(TempDir);

impl Scene {
    /// Creates a remote without a journal.
    pub(super) fn new() -> Self {
        let scene = Self(tempdir());
        init_bare(scene.remote(), "main").unwrap();
        scene
    }

    /// Creates a journal that the first daemon started with a report, and that the second one has fetched.
    fn begun(report: &Report) -> (Self, JournalBranch, JournalBranch) {
        let scene = Self::new();
        let mut first = scene.journaling("first", "2026-11-21T09:00:00Z");
        tell(&mut first, report, 1);
        first.push().unwrap();
        let second = scene.journaling("second", "2026-11-21T09:30:00Z");
        (scene, first, second)
    }

    pub(super) fn remote(&self) -> PathBuf {
        self.0.path().join("remote.git")
    }

    pub(super) fn journaling(&self, name: &str, since: &str) -> JournalBranch {
        self.opened(name, since).unwrap()
    }

    fn opened(&self, name: &str, since: &str) -> Result<JournalBranch, Error> {
        let writer = Writer { name: name.to_owned(), since: at(since), term: 0 };
        JournalBranch::open(Arc::new(self.mirror(name)), BRANCH, "", writer, None)
    }

    fn mirror(&self, name: &str) -> Mirror {
        let remote = Remote::new(self.remote().to_str().unwrap(), Credentials::None).unwrap();
        Mirror::open(self.0.path().join(name), remote).unwrap()
    }
}

impl Scene {
    /// Changes a file of the journal on the remote as a person does.
    pub(super) fn edit(&self, path: &str, change: impl Fn(&str) -> String) {
        self.edit_as("tidy up", path, change);
    }

    /// Writes a later format to the journal on the remote. With the trailer of a daemon, it is a later version that does so.
    fn later(&self, is_by_daemon: bool) {
        let message = if is_by_daemon { "sync\n\nDaemon: later 2026-11-21T10:02:00Z\n" } else { "sync\n" };
        self.edit_as(message, "sync.yaml", |text| format!("{text}format: 2\nquotas: 7\n"));
    }

    fn edit_as(&self, message: &str, path: &str, change: impl Fn(&str) -> String) {
        let remote = Remote::new(self.remote().to_str().unwrap(), Credentials::None).unwrap();
        let person = Mirror::open(self.0.path().join("person"), remote).unwrap();
        let parent = person.fetch(&[BRANCH]).unwrap().remove(BRANCH);
        person.reset_local(BRANCH, None, parent.as_ref().unwrap()).unwrap();
        let before = crate::daemon::git_in(&self.remote(), &["show", &format!("{BRANCH}:{path}")]);
        let after = change(&before);
        assert_ne!(after, before);
        let commit = NewCommit {
            branch: BRANCH.to_owned(),
            parent: parent.clone(),
            files: [(path.to_owned(), Some(after.into_bytes()))].into(),
            message: message.to_owned(),
            author: "Ada".to_owned(),
            email: "ada@example.com".to_owned(),
            at: at("2026-11-21T10:02:00Z"),
        };
        let commit = person.commit(&commit).unwrap();
        person.push(BRANCH, parent.as_ref(), &commit).unwrap();
    }
}

fn instance(id: u64) -> Instance {
    Instance { id: InstanceId::of(id), name: String::new() }
}

/// Commits a report, if it has anything new.
pub(super) fn tell(journaling: &mut JournalBranch, report: &Report, minute: u32) {
    journaling.commit(report, &facts(), at(&format!("2026-11-21T10:{minute:02}:00Z"))).unwrap();
}

#[test]
fn a_rollout_sealed_by_another_daemon_is_not_reported_as_in_progress() {
    let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    let upgraded = report("0.4.1", &ALL, Phase::Completed);
    tell(&mut second, &report("0.4.1", &["a"], Phase::Progressing), 3);
    tell(&mut second, &upgraded, 4);
    second.push().unwrap();
    assert!(first.push().unwrap(), "the race is lost, and the current state must be journaled again");
    tell(&mut first, &upgraded, 5);
    first.push().unwrap();
    assert!(!first.is_behind());
    crate::audit::proven(&scene.remote());
}

#[test]
fn a_rollout_sealed_only_by_this_daemon_is_kept() {
    let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 2);
    tell(&mut second, &report("0.4.0", &["a", "b"], Phase::Progressing), 3);
    second.push().unwrap();
    assert!(first.push().unwrap());
    assert_eq!(first.journal().sealed.values().copied().collect::<Vec<_>>(), [1]);
    crate::audit::proven(&scene.remote());
}

#[test]
fn after_a_restart_a_rollout_sealed_by_another_daemon_is_not_reported_as_in_progress() {
    let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    drop(first);
    let upgraded = report("0.4.1", &ALL, Phase::Completed);
    tell(&mut second, &upgraded, 3);
    second.push().unwrap();
    let mut first = scene.journaling("first", "2026-11-21T09:40:00Z");
    tell(&mut first, &upgraded, 4);
    first.push().unwrap();
    crate::audit::proven(&scene.remote());
}

#[test]
fn a_rollout_sealed_but_not_pushed_before_a_restart_is_kept() {
    for meets_at_start in [true, false] {
        let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
        tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 2);
        drop(first);
        let restarted = || scene.journaling("first", "2026-11-21T09:20:00Z");
        let early = (!meets_at_start).then(restarted);
        tell(&mut second, &report("0.4.0", &["a", "b"], Phase::Progressing), 3);
        second.push().unwrap();
        let mut first = early.unwrap_or_else(restarted);
        first.push().unwrap();
        assert_eq!(first.journal().sealed.values().copied().collect::<Vec<_>>(), [1], "{meets_at_start}");
        assert!(!first.is_behind());
        crate::audit::proven(&scene.remote());
    }
}

#[test]
fn of_two_daemons_that_start_at_the_same_moment_one_continues() {
    let writer = |name: &str| Writer { name: name.to_owned(), since: at("2026-11-21T09:00:00Z"), term: 0 };
    let (a, b) = (writer("a"), writer("b"));
    assert_eq!((a.against(&b), b.against(&a)), (Precedence::Ours, Precedence::Theirs));
}

#[test]
fn entries_are_not_put_on_top_of_those_of_another_daemon_that_has_sealed_as_much() {
    let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    tell(&mut second, &report("0.4.1", &["a", "b"], Phase::Progressing), 3);
    second.push().unwrap();
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", BRANCH]);
    let before = tip();
    assert!(first.push().unwrap(), "the current state must be journaled again");
    assert_eq!(tip(), before);
    assert!(!first.is_behind());
}

#[test]
fn an_entry_that_was_pushed_is_not_written_again_after_a_lost_race() {
    let (scene, mut first, mut second) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 2);
    tell(&mut second, &report("0.4.0", &["a", "b"], Phase::Progressing), 3);
    second.push().unwrap();
    assert!(first.push().unwrap());
    let subjects = crate::daemon::git_in(&scene.remote(), &["log", "--format=%s", BRANCH]);
    assert_eq!(subjects.lines().count(), 3, "{subjects}");
}

#[test]
fn what_a_person_changes_in_the_journal_is_overwritten_also_in_sealed_files() {
    let (scene, mut first, _) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    let git = |arguments: &[&str]| crate::daemon::git_in(&scene.remote(), arguments);
    let files = git(&["ls-tree", "-r", "--name-only", BRANCH]);
    let sealed = files.lines().find(|path| path.contains("/rollouts/")).unwrap().to_owned();
    let shown = || git(&["show", &format!("{BRANCH}:{sealed}")]);
    let before = shown();
    scene.edit(&sealed, |_| "nothing happened".to_owned());
    assert_ne!(shown(), before);
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 3);
    assert!(first.push().unwrap());
    assert_eq!(shown(), before);
}

#[test]
fn an_older_version_with_unpushed_entries_puts_them_neither_on_a_later_journal_nor_away() {
    let (scene, mut first, second) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    drop(second);
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    drop(first);
    let local = scene.mirror("first").local(BRANCH).unwrap();
    scene.later(true);
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", BRANCH]);
    let before = tip();
    let error = scene.opened("first", "2026-11-21T11:00:00Z").map(drop).unwrap_err();
    assert!(matches!(error, Error::Newer { theirs: 2, .. }), "{error}");
    assert_eq!(tip(), before);
    assert_eq!(scene.mirror("first").local(BRANCH).unwrap(), local, "a later version finds the entries");
}

#[test]
fn an_older_version_leaves_the_unpushed_entries_of_a_later_one_alone() {
    let (scene, mut first, second) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    drop(second);
    // A later version has written an entry here that it could not push, and another daemon has pushed one in the meantime.
    let later = scene.mirror("later");
    let parent = later.fetch(&[BRANCH]).unwrap().remove(BRANCH);
    later.reset_local(BRANCH, None, parent.as_ref().unwrap()).unwrap();
    let commit = NewCommit {
        branch: BRANCH.to_owned(),
        parent,
        files: [("sync.yaml".to_owned(), Some(b"kind: Sync\nformat: 2\n".to_vec()))].into(),
        message: "sync\n\nDaemon: later 2026-11-21T10:02:00Z\n".to_owned(),
        author: "tidegate".to_owned(),
        email: "tidegate@localhost".to_owned(),
        at: at("2026-11-21T10:02:00Z"),
    };
    let unpushed = later.commit(&commit).unwrap();
    drop(later);
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    first.push().unwrap();
    let error = scene.opened("later", "2026-11-21T11:00:00Z").map(drop).unwrap_err();
    assert!(matches!(error, Error::Newer { theirs: 2, .. }), "{error}");
    assert_eq!(scene.mirror("later").local(BRANCH).unwrap(), Some(unpushed));
}

#[test]
fn an_older_version_that_runs_pushes_nothing_over_a_later_journal_however_often_it_tries() {
    let (scene, mut first, _) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    scene.later(true);
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", BRANCH]);
    let before = tip();
    for _ in 0..3 {
        let error = first.push().unwrap_err();
        assert!(matches!(error, Error::Newer { theirs: 2, .. }) && error.is_final(), "{error}");
        assert_eq!(tip(), before);
    }
}

#[test]
fn a_later_format_that_a_person_pushes_stops_no_daemon() {
    let (scene, mut first, _) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    scene.later(false);
    first.push().unwrap();
    let sync = crate::daemon::git_in(&scene.remote(), &["show", &format!("{BRANCH}:sync.yaml")]);
    assert!(!sync.contains("format") && !sync.contains("quotas"), "{sync}");
}

#[test]
fn a_journal_that_names_no_instance_gets_no_new_one() {
    let (scene, mut first, _) = Scene::begun(&report("0.4.0", &["a"], Phase::Progressing));
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", BRANCH]);
    let before = tip();
    let error = first.identify(&instance(7), at("2026-11-21T10:02:00Z")).unwrap_err();
    assert!(matches!(error, Error::Unidentified { .. }), "{error}");
    assert_eq!(tip(), before);
}

#[test]
fn the_journal_of_another_instance_is_neither_continued_nor_overwritten() {
    let identified = |id: u64| {
        let scene = Scene::new();
        let mut first = scene.journaling("first", "2026-11-21T09:00:00Z");
        first.identify(&instance(id), at("2026-11-21T10:00:00Z")).unwrap();
        tell(&mut first, &report("0.4.0", &["a"], Phase::Progressing), 1);
        first.push().unwrap();
        (scene, first)
    };
    let ((scene, mut first), (other, _)) = (identified(7), identified(8));
    std::fs::remove_dir_all(scene.remote()).unwrap();
    std::fs::rename(other.remote(), scene.remote()).unwrap();
    let tip = || crate::daemon::git_in(&scene.remote(), &["rev-parse", BRANCH]);
    let before = tip();
    tell(&mut first, &report("0.4.0", &ALL, Phase::Completed), 3);
    let error = first.push().unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }) && error.is_final(), "{error}");
    assert_eq!(tip(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn observations_older_than_another_daemons_commit_are_not_committed_on_top_of_it() {
    let (scene, first, mut second) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    let snapshot = |tick: u64, asked: u64, report: &Report| {
        let (report, facts) = (Arc::new(report.clone()), Arc::new(facts()));
        Arc::new(Snapshot { tick, asked, report, facts, ..Snapshot::default() })
    };
    let snapshots = watch::Sender::new(Arc::new(Snapshot::default()));
    let fresh = watch::Sender::new(0);
    let mut asked = fresh.subscribe();
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let pace = Pace {
        interval: Duration::from_millis(10),
        poll: Duration::from_millis(20),
        backoff: Backoff { first: Duration::from_millis(10), longest: Duration::from_millis(50) },
    };
    let clock = Clock::new(|| at("2026-11-21T10:30:00Z"));
    let kept = write_journal(
        first,
        snapshots.subscribe(),
        (pace, fresh, rival_check().1),
        clock,
        registry.register(metrics::Metrics::register),
    );
    let kept = tokio::spawn(kept);
    let patience = Duration::from_secs(60);
    snapshots.send_replace(snapshot(1, 0, &report("0.4.0", &ALL, Phase::Completed)));
    tell(&mut second, &report("0.4.1", &["a"], Phase::Progressing), 3);
    second.push().unwrap();
    tokio::time::timeout(patience, asked.wait_for(|asked| *asked == 1))
        .await
        .expect("a fresh tick is requested")
        .unwrap();
    // This tick started before that, when no cluster had started yet.
    snapshots.send_replace(snapshot(2, 0, &report("0.4.1", &[], Phase::Progressing)));
    tell(&mut second, &report("0.4.1", &["a", "b"], Phase::Progressing), 5);
    second.push().unwrap();
    tokio::time::timeout(patience, asked.wait_for(|asked| *asked == 2))
        .await
        .expect("another one is requested")
        .unwrap();
    snapshots.send_replace(snapshot(3, 2, &report("0.4.1", &ALL, Phase::Completed)));
    drop(snapshots);
    assert_eq!(kept.await.unwrap().unwrap(), None);
    let subjects = crate::daemon::git_in(&scene.remote(), &["log", "--format=%s", BRANCH]);
    assert!(subjects.starts_with("hello: 0.4.0 -> 0.4.1 completed, 3/3 clusters\n"), "{subjects}");
    assert!(!subjects.contains("canary 0/1"), "{subjects}");
    crate::audit::proven(&scene.remote());
}

#[tokio::test]
async fn a_check_for_another_daemon_is_answered_at_once() {
    let (_scene, mut first, second) = Scene::begun(&report("0.4.0", &ALL, Phase::Completed));
    tell(&mut first, &report("0.4.1", &["a"], Phase::Progressing), 2);
    first.push().unwrap();
    let day = Duration::from_secs(24 * 3600);
    let pace = Pace { interval: day, poll: day, backoff: Backoff { first: day, longest: day } };
    let snapshot =
        Snapshot { tick: 1, report: Arc::new(report("0.4.0", &ALL, Phase::Completed)), ..Snapshot::default() };
    let snapshots = watch::Sender::new(Arc::new(snapshot));
    let (mut check, checks) = rival_check();
    let registry = tidegate_daemon::telemetry::metrics::Metrics::default();
    let metrics = registry.register(metrics::Metrics::register);
    let clock = Clock::new(|| at("2026-11-21T10:30:00Z"));
    let kept = tokio::spawn(write_journal(
        second,
        snapshots.subscribe(),
        (pace, watch::Sender::new(0), checks),
        clock,
        metrics,
    ));
    check.done().await;
    let ended = tokio::time::timeout(Duration::from_secs(60), kept).await.expect("the later daemon stops").unwrap();
    assert!(matches!(ended, Err(Error::Rival { .. })), "{ended:?}");
}
