//! Tasks that run next to the daemon, such as the server of its metrics.

use tidegate_daemon::reconciler::daemon::Error;

use super::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_death_of_the_server_of_the_metrics_ends_the_daemon_after_the_journal_is_pushed() {
    let world = World::new(10);
    let (die, death) = tokio::sync::oneshot::channel::<()>();
    let companion = |_| async move {
        death.await.unwrap();
        panic!("the server is broken, as this test wants it");
    };
    let mut daemon = world.daemon_beside(world.client(), world.config("mirror.git"), companion).await;
    daemon.until_settled("0.4.0").await;
    die.send(()).unwrap();
    let ended = daemon.ended().await;
    assert!(matches!(ended, Err(Error::Task(_))), "{ended:?}");
    let journal = world.read("tidegate/journal", "addons/hello-template/status.yaml");
    assert!(journal.contains("phase: Completed"), "{journal}");
}
