//! The plan of a change, compared with what the daemon does after the merge.

use std::time::Duration;

use serde_json::Value;
use tidegate_journal::record::SealedRollout;
use tidegate_model::progress::ClusterState;

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

#[tokio::test(start_paused = true)]
async fn the_daemon_does_what_the_plan_shows() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;
    tokio::time::advance(Duration::from_secs(10 * 60)).await;
    world.until_journal("fleet.yaml", "\"assigned\"").await;

    let before = world.read("main", ADDON);
    let after = before.replace("hello-template-0.4.0", "hello-template-0.4.1");
    world.git(&["branch", "upgrade", "main"]);
    world.commit_to("upgrade", "upgrade", [(ADDON.to_owned(), Some(after.into_bytes()))].into());
    let source = world.repository();
    let arguments = ["plan", "--source", source.to_str().unwrap(), "--head", "upgrade", "-o", "json"];
    let output = crate::cli::tidegate(&arguments);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(plan["fleet"]["source"].as_str().unwrap().starts_with("the journal"), "{plan}");
    let waves = plan["addons"][0]["waves"].as_array().unwrap();
    let number = |wave: &Value, field: &str| usize::try_from(wave[field].as_u64().unwrap()).unwrap();

    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    let sealed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    let sealed: SealedRollout = serde_saphyr::from_str(&sealed).unwrap();
    assert!(sealed.clusters.iter().all(|cluster| cluster.state == ClusterState::Succeeded));

    // The clusters of a sealed rollout are in the order in which they started.
    let mut rest = sealed.clusters.as_slice();
    let mut done = None;
    for wave in waves {
        let (batch, later) = rest.split_at(number(wave, "clusters"));
        let groups: Vec<_> = batch.iter().filter_map(|cluster| cluster.group).collect();
        assert!(groups.windows(2).all(|pair| pair[0] == pair[1]), "{wave} {batch:#?}");
        let begin = batch.iter().filter_map(|cluster| cluster.started).min();
        assert!(done <= begin, "a wave starts only after the one before: {wave}");
        let first = batch.iter().filter(|cluster| cluster.started == begin).count();
        assert_eq!(first, number(wave, "first"), "{wave} {batch:#?}");
        done = batch.iter().filter_map(|cluster| cluster.finished).max();
        rest = later;
    }
    assert!(rest.is_empty(), "every cluster is in a wave: {rest:#?}");
    daemon.end().await;
}
