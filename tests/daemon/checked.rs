//! The daemon under the checker: a broken rule ends it.

use serde_json::json;
use tidegate::cli::Failure;
use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::error_chain::ErrorChain;

use super::world::World;

#[tokio::test(start_paused = true)]
async fn a_start_out_of_turn_ends_the_daemon_before_it_writes_anything() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.break_works_with("v0.4.1");
    world.edit("fleet/addons/hello-template/addon.yaml", "hello-template-0.4.0", "hello-template-0.4.1");
    let is_held = |s: &Snapshot| {
        let addon = &s.report.addons["hello-template"];
        addon.version == "0.4.1" && addon.counts().progressing == 10 && s.writes == 0
    };
    daemon.until("the canaries", is_held).await;
    // Someone assigns the new configuration to a cluster although no canary has succeeded.
    let canary = world.addon("aws-001", "hello-template").await;
    let references = &canary["status"]["configReferences"];
    world.patch_addon_status("aws-010", "hello-template", json!({ "configReferences": references })).await;
    let error = daemon.ended().await.expect_err("the daemon ends by itself");
    insta::assert_snapshot!(ErrorChain(&error));
    assert_eq!(Failure::internal(&error).code(), 70);
    let work = world.work("aws-010", "hello-template").await.unwrap();
    assert!(work.to_string().contains("v0.4.0") && !work.to_string().contains("v0.4.1"), "{work}");
}
