//! The state directory of a daemon is a cache: it may be deleted or damaged at any moment.

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const JOURNAL: &str = "tidegate/journal";

/// Moves the state directory away. Deleting it file by file could fail while the daemon writes to it.
fn delete(world: &World) {
    std::fs::rename(world.path("mirror.git"), world.path("deleted")).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_state_directory_that_is_deleted_while_running_is_created_again() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    delete(&world);
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn entries_that_were_only_in_a_deleted_mirror_are_rewritten_from_memory() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the upgrade", |s| s.report.addons["hello-template"].version == "0.4.1").await;
    let (here, away) = (world.repository(), world.path("away.git"));
    std::fs::rename(&here, &away).unwrap();
    daemon.until_settled("0.4.1").await;
    daemon.until_metric("tidegate_journal_behind", 1.0).await;
    delete(&world);
    std::fs::rename(&away, &here).unwrap();
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    let subjects = world.git(&["log", "--format=%s", JOURNAL]);
    assert!(subjects.contains("hello-template: 0.4.0 -> 0.4.1 completed, 20/20 clusters"), "{subjects}");
}

#[tokio::test(start_paused = true)]
async fn a_daemon_starts_with_a_damaged_mirror() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
    let packs = world.path("mirror.git/mirror.git/objects/pack");
    for entry in std::fs::read_dir(packs).unwrap() {
        let path = entry.unwrap().path();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "damaged").unwrap();
    }
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}
