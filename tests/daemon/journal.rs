//! Others who change the journal's branch: other daemons, people who edit it, move it back, rewrite it or delete it.

use std::time::Duration;

use tidegate_daemon::reconciler::Snapshot;
use tidegate_journal::record::SealedRollout;

use super::world::{Running, World, git_in};
use crate::redacted::timeless;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";
const STATUS: &str = "addons/hello-template/status.yaml";

async fn upgraded(world: &World, daemon: &mut Running) {
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    // A daemon that is stopped while it takes over what others wrote reports what it could not push.
    world.until_journal(STATUS, "0.4.1").await;
}

#[tokio::test(start_paused = true)]
async fn a_second_daemon_on_the_same_journal_stops_and_reports_why() {
    let world = World::new(20);
    let unchecked = tidegate_daemon::reconciler::Config { check: false, ..world.config("first.git") };
    let mut first = world.daemon_with(world.client(), unchecked).await;
    first.until_settled("0.4.0").await;
    // Two daemons on different revisions of the repository contradict each other on the hub, which the checker would report
    // at once.
    let unchecked = tidegate_daemon::reconciler::Config { check: false, ..world.config("second.git") };
    let second = world.daemon_with(world.client(), unchecked).await;
    // Both see every change. The daemon that started first continues, no matter which one pushes first.
    let mut versions = ["0.4.0", "0.4.1"].iter().cycle();
    let ended = tokio::time::timeout(super::world::PATIENCE, async {
        while !second.has_ended() {
            let from = versions.next().unwrap();
            let to = if *from == "0.4.0" { "0.4.1" } else { "0.4.0" };
            world.edit(ADDON, &format!("hello-template-{from}"), &format!("hello-template-{to}"));
            first.until_settled(to).await;
        }
    });
    ended.await.expect("the second daemon ends");
    let why = second.ended().await.unwrap_err().to_string();
    insta::assert_snapshot!("two_daemons", timeless(&why));
    assert!(!first.has_ended());
    first.end().await;
    let writers = world.git(&["log", "--format=%(trailers:key=Daemon)", JOURNAL]);
    assert!(writers.contains("first.git"), "{writers}");
}

#[tokio::test(start_paused = true)]
async fn a_daemon_that_has_nothing_to_report_stops_when_an_earlier_one_writes() {
    let world = World::new(20);
    let config = tidegate_daemon::reconciler::Config { poll: Duration::from_secs(1), ..world.config("second.git") };
    let mut second = world.daemon_with(world.client(), config).await;
    second.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let writes = second.metric("tidegate_hub_writes_total");
    let commit = tidegate_git::NewCommit {
        branch: JOURNAL.to_owned(),
        parent: Some(world.git(&["rev-parse", JOURNAL]).trim().parse().unwrap()),
        files: [("NOTE.md".to_owned(), Some(b"by an earlier daemon\n".to_vec()))].into(),
        message: "sync: revision\n\nDaemon: first.git since 2026-01-01T00:00:00Z".to_owned(),
        author: "tidegate".to_owned(),
        email: "tidegate@localhost".to_owned(),
        at: super::world::now(),
    };
    // The daemon may just have committed something.
    let made = tidegate_git::seed(world.repository(), &commit);
    let made = made.or_else(|_| {
        let parent = Some(world.git(&["rev-parse", JOURNAL]).trim().parse().unwrap());
        tidegate_git::seed(world.repository(), &tidegate_git::NewCommit { parent, ..commit })
    });
    made.unwrap();
    let registry = second.registry.clone();
    let why = second.ended().await.unwrap_err().to_string();
    insta::assert_snapshot!("earlier_daemon", timeless(&why));
    let after = registry.text();
    assert!(writes > 0.0 && after.contains("tidegate_hub_writes_total"), "{after}");
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_was_moved_back_is_pushed_again() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let whole = world.git(&["rev-parse", JOURNAL]);
    let first = world.git(&["rev-list", "--max-parents=0", JOURNAL]);
    world.git(&["update-ref", &format!("refs/heads/{JOURNAL}"), first.trim()]);
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    let kept = world.git(&["log", "--format=%H", JOURNAL]);
    assert!(kept.contains(whole.trim()), "the removed entries are there again");
    assert!(world.git(&["show", &format!("{JOURNAL}:{STATUS}")]).contains("0.4.1"));
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_was_deleted_is_pushed_again() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let whole = world.git(&["rev-parse", JOURNAL]);
    world.git(&["update-ref", "-d", &format!("refs/heads/{JOURNAL}")]);
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    assert!(world.git(&["log", "--format=%H", JOURNAL]).contains(whole.trim()));
}

#[tokio::test(start_paused = true)]
async fn fault_f4_a_deleted_journal_is_restored_by_a_daemon_that_has_only_its_end() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    daemon.end().await;
    let identity = |world: &World| {
        let sync = world.read(JOURNAL, "sync.yaml");
        sync.lines().find(|line| line.trim_start().starts_with("id: ")).map(str::to_owned)
    };
    let before = identity(&world);
    let mut daemon = world.daemon("fresh.git").await;
    daemon.until_settled("0.4.0").await;
    let whole = world.git(&["rev-parse", JOURNAL]);
    world.git(&["update-ref", "-d", &format!("refs/heads/{JOURNAL}")]);
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    assert_eq!(identity(&world), before, "it is the same instance");
    assert!(!world.git(&["log", "--format=%H", JOURNAL]).contains(whole.trim()), "the mirror was shallow");
    assert!(world.read(JOURNAL, STATUS).contains("0.4.1"));
    assert!(world.read(JOURNAL, "addons/hello-template/rollouts/1.yaml").contains("Completed"));
}

#[tokio::test(start_paused = true)]
async fn fault_f4_a_journal_that_is_deleted_while_no_daemon_runs_is_restored_from_its_end() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    daemon.end().await;
    let mut daemon = world.daemon("fresh.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    world.git(&["update-ref", "-d", &format!("refs/heads/{JOURNAL}")]);
    // Otherwise, the repository still has the commits that the mirror lacks.
    world.git(&["reflog", "expire", "--expire=all", "--all"]);
    world.git(&["gc", "--quiet", "--prune=all"]);
    let mut daemon = world.daemon("fresh.git").await;
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    assert!(world.read(JOURNAL, STATUS).contains("0.4.1"));
    assert!(world.read(JOURNAL, "addons/hello-template/rollouts/1.yaml").contains("Completed"));
}

#[tokio::test(start_paused = true)]
async fn a_journal_whose_history_was_rewritten_contains_everything_again() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let sealed = format!("{JOURNAL}:addons/hello-template/rollouts/1.yaml");
    let before = world.git(&["show", &sealed]);
    assert!(before.contains("Completed"), "{before}");
    // Someone starts the branch over, without any of our files.
    let tree = world.git(&["mktree"]);
    let other = git_in(
        &world.repository(),
        &["-c", "user.name=x", "-c", "user.email=x@example.com", "commit-tree", "-m", "anew", tree.trim()],
    );
    world.git(&["update-ref", &format!("refs/heads/{JOURNAL}"), other.trim()]);
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    assert_eq!(world.git(&["show", &sealed]), before);
    assert!(world.git(&["log", "--format=%H", JOURNAL]).contains(other.trim()), "nothing is ever forced");
    assert!(world.git(&["show", &format!("{JOURNAL}:{STATUS}")]).contains("0.4.1"));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_someone_edited_is_overwritten() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    let path = "addons/managed-serviceaccount/status.yaml";
    let right = world.git(&["show", &format!("{JOURNAL}:{path}")]);
    let edited = right.replace("Completed", "Stopped");
    world.commit_to(JOURNAL, "a hand", [(path.to_owned(), Some(edited.into_bytes()))].into());
    upgraded(&world, &mut daemon).await;
    daemon.end().await;
    let log = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(log.contains("a hand"), "{log}");
    let now = world.git(&["show", &format!("{JOURNAL}:{path}")]);
    assert!(now.contains("Completed") && !now.contains("Stopped"), "{now}");
}

#[tokio::test(start_paused = true)]
async fn a_reverted_upgrade_touches_only_clusters_that_got_it_and_is_linked() {
    let world = World::new(60);
    world.break_works_with("v0.4.1");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let upgrade = world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_stuck = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        addon.version == "0.4.1" && addon.counts().progressing == 10 && s.writes == 0
    };
    daemon.until("ten canaries that do not come up", is_stuck).await;
    let text = world.git(&["show", &format!("{upgrade}^:{ADDON}")]);
    let message = format!("Revert \"upgrade\"\n\nThis reverts commit {upgrade}.\n");
    world.commit(&message, [(ADDON.to_owned(), Some(text.into_bytes()))].into());
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    let mut generations = Vec::new();
    for n in 1..=30 {
        let work = world.work(&format!("aws-{n:03}"), "hello-template").await.unwrap();
        generations.push(work["metadata"]["generation"].as_i64().unwrap());
    }
    generations.sort_unstable();
    generations.dedup();
    assert_eq!(generations, [1, 3], "canaries were upgraded and reverted, no other cluster changed");
    let sealed = |n: u32| world.git(&["show", &format!("{JOURNAL}:addons/hello-template/rollouts/{n}.yaml")]);
    assert!(sealed(2).contains("supersededBy: 3") && sealed(2).contains("outcome: Superseded"), "{}", sealed(2));
    assert!(sealed(3).contains(upgrade.as_str()), "the revision names the commit that it reverts: {}", sealed(3));
    assert!(sealed(3).contains("reverts: 2") && sealed(3).contains("outcome: Completed"), "{}", sealed(3));
    let [taken_back, back] = [2, 3].map(|n| serde_saphyr::from_str::<SealedRollout>(&sealed(n)).unwrap());
    assert_eq!(taken_back.rollout.ended, Some(back.rollout.started));
    for cluster in &back.clusters {
        // A cluster that did not change did not start. But a start and an end may fall into the same second, the resolution
        // of the hub.
        let has_started = cluster.started.is_some() && cluster.started != cluster.finished;
        assert!(!has_started || cluster.group == Some(0), "{cluster:?}");
        assert!(cluster.group != Some(0) || cluster.started.is_some(), "{cluster:?}");
        assert!(cluster.finished >= cluster.started, "{cluster:?}");
    }
}
