//! A hub that goes back in time: its etcd is restored from a backup, and its counter passes the old numbers again.

use std::time::Duration;

use axum::http::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::server::{Backup, Server};
use super::support::{Setup, cluster, eventually, server};
use tidegate_daemon::hub::Health;

/// Returns a cluster with a label that identifies its version.
fn labelled(name: &str, version: &str) -> Value {
    let mut cluster = cluster(name);
    cluster["metadata"]["labels"] = json!({ "version": version });
    cluster
}

fn version_of(setup: &Setup, name: &str) -> Option<String> {
    setup.hub.fleet().clusters.get(name)?.metadata.labels.as_ref()?.get("version").cloned()
}

/// Returns a hub on which two clusters were changed after a backup, and that backup.
async fn changed_after_a_backup() -> (Setup, Backup) {
    let server = server();
    server.put("managedclusters", labelled("east", "old"));
    server.put("managedclusters", labelled("west", "old"));
    let setup = Setup::on(server).await;
    let backup = setup.server.backup();
    setup.server.put("managedclusters", labelled("east", "new"));
    setup.server.put("managedclusters", labelled("west", "new"));
    eventually("the change is seen", || version_of(&setup, "west").as_deref() == Some("new")).await;
    (setup, backup)
}

/// Makes the counter pass the numbers that it had before the restore, without touching the lost changes.
fn pass_the_old_numbers(server: &Server) {
    (0..10).for_each(|n| drop(server.put("managedclusters", labelled(&format!("other-{n}"), "new"))));
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_was_restored_while_it_was_unreachable_is_listed_again() {
    let (setup, backup) = changed_after_a_backup().await;
    let before = setup.hub.version().unwrap();
    setup.server.fail(Method::GET, "/", 503, usize::MAX);
    setup.server.restore(&backup);
    eventually("the hub is unreachable", || matches!(setup.hub.health(), Health::Away { .. })).await;
    pass_the_old_numbers(&setup.server);
    assert!(setup.server.with(|inner| inner.version) > before, "no number shows that the hub went back");
    setup.server.with(|inner| inner.faults.clear());
    eventually("the older state is seen", || version_of(&setup, "east").as_deref() == Some("old")).await;
    assert_eq!(version_of(&setup, "west").as_deref(), Some("old"));
    assert!(setup.hub.rewind().is_some_and(|rewind| rewind.to < rewind.from), "{:?}", setup.hub.rewind());
    eventually("the hub is reachable again", || setup.hub.health() == Health::Connected).await;
    setup.hub.synced(Duration::from_secs(60)).await.unwrap();
    assert_eq!(
        setup.count("tidegate_hub_rewinds_total"),
        1,
        "one restore is noticed once, regardless of the number of kinds"
    );
}

#[tokio::test(start_paused = true)]
async fn a_restore_during_which_every_watch_was_resumed_is_noticed_within_ten_minutes() {
    let (setup, backup) = changed_after_a_backup().await;
    setup.server.restore(&backup);
    pass_the_old_numbers(&setup.server);
    let noticed = async {
        while version_of(&setup, "east").as_deref() != Some("old") {
            setup.hub.changed().await;
        }
    };
    timeout(Duration::from_secs(601), noticed).await.expect("the older state is seen");
    assert_eq!(setup.count("tidegate_hub_rewinds_total"), 1);
}

#[tokio::test(start_paused = true)]
async fn regular_lists_of_an_unchanged_hub_change_nothing() {
    let (setup, _) = changed_after_a_backup().await;
    let (fleet, lists) = (setup.hub.fleet(), setup.count("tidegate_hub_reads_total"));
    assert!(timeout(Duration::from_secs(1_250), setup.hub.changed()).await.is_err(), "nothing has changed");
    assert!(std::sync::Arc::ptr_eq(&fleet, &setup.hub.fleet()));
    let kinds = setup.server.with(|inner| inner.kinds.len() as u64);
    let listed = setup.count("tidegate_hub_reads_total") - lists;
    assert!((kinds..=5 * kinds).contains(&listed), "{listed} lists of {kinds} kinds in twenty minutes");
    assert_eq!(setup.count("tidegate_hub_rewinds_total"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_breaks_off_all_the_time_does_not_cause_a_list_each_time() {
    let (setup, _) = changed_after_a_backup().await;
    let lists = || setup.server.requested("GET /apis/cluster.open-cluster-management.io/v1/managedclusters?&limit");
    let before = lists();
    for _ in 0..60 {
        setup.server.cut_watches(false);
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    assert!((1..=4).contains(&(lists() - before)), "{} lists in two minutes", lists() - before);
}

#[tokio::test(start_paused = true)]
async fn a_restore_is_noticed_after_a_restart_by_the_version_in_the_journal() {
    let (setup, backup) = changed_after_a_backup().await;
    let before = setup.hub.version().unwrap();
    setup.server.restore(&backup);
    let restarted = Setup::on(setup.server.clone()).await;
    restarted.hub.compare(before);
    let rewind = restarted.hub.rewind().unwrap();
    assert_eq!((rewind.from, rewind.to), (before, restarted.hub.version().unwrap()));
    let unchanged = Setup::on(setup.server.clone()).await;
    unchanged.hub.compare(unchanged.hub.version().unwrap());
    assert_eq!(unchanged.hub.rewind(), None);
}
