//! A journal that a later version of Tidegate has written: this one stops with a reason, and loses nothing.

use serde_json::{Value, json};
use tidegate_daemon::reconciler::{daemon, journal};

use super::forged_journal::refused;
use super::replicas;
use super::world::World;
use crate::cli::doctor::{hub, repository, serve};
use tidegate_git::NewCommit;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";

/// Returns what Tidegate has written to the hub.
async fn written(world: &World) -> [Vec<Value>; 2] {
    let addons = world.list("addon.open-cluster-management.io/v1alpha1", "managedclusteraddons").await;
    [addons, world.list("work.open-cluster-management.io/v1", "manifestworks").await]
}

/// Writes to the journal what a later version might.
fn upgrade(world: &World) {
    let mut sync: Value = serde_saphyr::from_str(&world.read(JOURNAL, "sync.yaml")).unwrap();
    sync["format"] = json!(2);
    sync["quotas"] = json!({ "hello-template": 7 });
    let text = serde_saphyr::to_string(&sync).unwrap();
    // The trailers say that a daemon made it.
    let message = world.git(&["log", "-1", "--format=%B", JOURNAL]);
    world.commit_to(JOURNAL, &message, [("sync.yaml".to_owned(), Some(text.into_bytes()))].into());
}

fn is_newer(error: &journal::Error) -> bool {
    matches!(error, journal::Error::Newer { theirs: 2, .. })
}

/// Returns a world in which 0.4.0 was rolled out, and no daemon runs.
async fn settled() -> World {
    let world = World::new(20);
    let mut daemon = world.daemon("first.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    daemon.end().await;
    world
}

#[tokio::test(start_paused = true)]
async fn an_older_version_does_not_start_on_a_later_journal() {
    let world = settled().await;
    upgrade(&world);
    let (tip, before) = (world.git(&["rev-parse", JOURNAL]), written(&world).await);
    let error = refused(&world, world.config("second.git")).await;
    assert!(error.is_mistake(), "{error}");
    let daemon::Error::Journal(error) = error else { panic!("{error}") };
    assert!(is_newer(&error), "{error}");
    assert_eq!(
        error.to_string(),
        "the journal on branch tidegate/journal has format 2, which a later version of Tidegate has written, and this one knows formats up \
         to 1: start that version again; nothing was written"
    );
    assert_eq!(world.git(&["rev-parse", JOURNAL]), tip);
    assert_eq!(written(&world).await, before);
}

#[tokio::test(start_paused = true)]
async fn an_older_version_with_its_state_directory_does_not_start_either() {
    let world = settled().await;
    upgrade(&world);
    let error = refused(&world, world.config("first.git")).await;
    assert!(matches!(&error, daemon::Error::Journal(error) if is_newer(error)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_older_version_that_runs_ends_before_it_writes_over_a_later_journal() {
    let world = World::new(20);
    let mut daemon = world.daemon("first.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    upgrade(&world);
    let tip = world.git(&["rev-parse", JOURNAL]);
    // It has something to write.
    world.edit(ADDON, "hello-template-0.4.0 #", "hello-template-0.4.1 #");
    let error = daemon.ended().await.unwrap_err();
    assert!(matches!(&error, daemon::Error::Rival(error) if is_newer(error)), "{error}");
    assert_eq!(world.git(&["rev-parse", JOURNAL]), tip);
}

#[tokio::test(start_paused = true)]
async fn a_person_who_pushes_a_later_format_keeps_no_replica_from_leading() {
    let world = replicas::world().await;
    let first = world.replica(world.client(), replicas::config(&world, "first.git")).await;
    let mut first = first.until_leading().await;
    first.until_settled("0.4.0").await;
    first.end_unproven().await;
    let mut sync: Value = serde_saphyr::from_str(&world.read(JOURNAL, "sync.yaml")).unwrap();
    sync["format"] = json!(2);
    let text = serde_saphyr::to_string(&sync).unwrap();
    world.commit_to(JOURNAL, "trouble", [("sync.yaml".to_owned(), Some(text.into_bytes()))].into());
    let second = world.replica(world.client(), replicas::config(&world, "second.git")).await;
    let mut second = second.until_leading().await;
    world.edit(ADDON, "hello-template-0.4.0 #", "hello-template-0.4.1 #");
    second.until_settled("0.4.1").await;
    second.end_unproven().await;
    assert!(!world.read(JOURNAL, "sync.yaml").contains("format"));
}

#[tokio::test(start_paused = true)]
async fn a_replica_of_an_older_version_does_not_begin_a_term_in_a_later_journal() {
    let world = replicas::world().await;
    let first = world.replica(world.client(), replicas::config(&world, "first.git")).await;
    let mut first = first.until_leading().await;
    first.until_settled("0.4.0").await;
    first.end().await;
    upgrade(&world);
    let tip = world.git(&["rev-parse", JOURNAL]);
    let second = world.replica(world.client(), replicas::config(&world, "second.git")).await;
    let error = second.ended().await.unwrap_err();
    assert!(matches!(&error, daemon::Error::Journal(error) if is_newer(error)), "{error}");
    assert_eq!(world.git(&["rev-parse", JOURNAL]), tip);
}

#[tokio::test(start_paused = true)]
async fn commands_and_the_audit_do_not_read_a_later_journal_as_if_it_were_theirs() {
    let world = settled().await;
    upgrade(&world);
    let source = world.repository().display().to_string();
    for command in [&["status"][..], &["fleet"], &["explain", "hello-template"], &["history"]] {
        let output = crate::cli::tidegate(&[command, &["--source", &source]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains("the journal has format 2, which a later version of Tidegate has written"),
            "{command:?}: {error}"
        );
        assert_eq!(output.status.code(), Some(2), "{command:?}");
    }
    let output = crate::cli::tidegate(&["history", "--verify", "--source", &source]);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("the format is 2, which this version of Tidegate does not know"), "{printed}");
    assert_eq!(output.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_ends_with_the_exit_code_of_a_mistake() {
    let directory = crate::scratch::tempdir();
    let kubeconfig = serve(directory.path(), hub().router()).await;
    let repository = repository(directory.path());
    let sync = "apiVersion: tidegate.io/v1alpha1\nkind: Sync\nformat: 2\nseen: null\n";
    let commit = NewCommit {
        branch: JOURNAL.to_owned(),
        parent: None,
        files: [("sync.yaml".to_owned(), Some(sync.as_bytes().to_vec()))].into(),
        message: format!("sync\n\n{}: fleet 0123456789abcdef\n", tidegate_journal::writer::TRAILER),
        author: "tidegate".to_owned(),
        email: "tidegate@localhost".to_owned(),
        at: super::world::now(),
    };
    tidegate_git::seed(&repository, &commit).unwrap();
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let (source, kubeconfig) = (path(&repository), path(&kubeconfig));
    let run = move || {
        crate::cli::tidegate(&["run", "--source", &source, "--kubeconfig", &kubeconfig, "--placement", "builtin"])
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("start that version again; nothing was written"), "{error}");
    assert_eq!(output.status.code(), Some(2), "{error}");
}
