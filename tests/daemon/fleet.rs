//! The fleet in the journal.

use std::time::Duration;

use tidegate_journal::snapshot::Snapshot;

use super::world::World;

const PAUSE: Duration = Duration::from_secs(10 * 60);

/// Returns the subjects of the commits that changed the record of the fleet, newest first.
fn records(world: &World) -> Vec<String> {
    let log = world.git(&["log", "--format=%s", "tidegate/journal", "--", "fleet.yaml"]);
    log.lines().map(str::to_owned).collect()
}

fn recorded(world: &World) -> Snapshot {
    let text = world.read("tidegate/journal", "fleet.yaml");
    Snapshot::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[tokio::test(start_paused = true)]
async fn the_fleet_is_journaled_every_ten_minutes_at_most_and_across_restarts() {
    let world = World::new(20);
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    // At the start, and when each of the two installations ends.
    assert_eq!(records(&world).len(), 3, "{:?}", records(&world));
    let written = recorded(&world);
    let done = written.clusters.values().flat_map(|cluster| cluster.addons.values());
    assert!(done.clone().count() >= 20 && done.clone().all(|addon| addon.state.is_applied()), "{written:#?}");

    // A new process does not know when it was written, and finds out from the history.
    daemon.end().await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.label("aws-001", "region", "elsewhere").await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(records(&world).len(), 3, "{:?}", records(&world));
    tokio::time::advance(PAUSE).await;
    world.until_journal("fleet.yaml", "elsewhere").await;
    assert_eq!(records(&world).len(), 4, "{:?}", records(&world));
    assert_eq!(records(&world).first().map(String::as_str), Some("fleet: 1 cluster changed"));

    // Nothing has changed, so nothing is written.
    tokio::time::advance(PAUSE).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(records(&world).len(), 4, "{:?}", records(&world));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_fleet_that_is_switched_off_leaves_the_journal() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_journal("fleet.yaml", "kind: Fleet").await;
    let settings = world.read("main", "tidegate.toml").replace("[journal]", "[journal]\nfleet = false");
    assert!(settings.contains("fleet = false"), "{settings}");
    world.commit("no fleet", [("tidegate.toml".to_owned(), Some(settings.into_bytes()))].into());
    super::world::eventually("the file is gone", async || world.read("tidegate/journal", "fleet.yaml").is_empty())
        .await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn add_ons_at_rest_are_not_examined_again_if_a_label_changes() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    // The first change may meet a plan that was made before the last report was known.
    for region in ["elsewhere", "nowhere"] {
        let tick = daemon.latest().tick;
        world.label("aws-001", "region", region).await;
        daemon.until("a tick", |snapshot| snapshot.tick > tick).await;
    }
    daemon.until_metric("tidegate_addons_at_rest", 2.0).await;
    daemon.end().await;
}
