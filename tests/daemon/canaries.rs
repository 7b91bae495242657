//! Canaries in incidents: a canary that is left out proves nothing, and the newest group goes back first.

use std::collections::BTreeMap;

use tidegate_daemon::reconciler::Snapshot;
use tidegate_model::progress::{ClusterState, Phase};
use tidegate_model::time::Timestamp;
use tidegate_plan::report::AddonReport;

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const NAME: &str = "hello-template";

fn addon(snapshot: &Snapshot) -> AddonReport {
    snapshot.report.addon(NAME).cloned().unwrap_or_default()
}

fn quarantine(clusters: &str, mode: &str) -> (String, Option<Vec<u8>>) {
    let text = format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: Control\nquarantine: [{{clusters: [{clusters}], mode: {mode}, reason: disks}}]\n"
    );
    (format!("control/{NAME}.yaml"), Some(text.into_bytes()))
}

async fn all_canaries_in_quarantine(mode: &str) {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let canaries: Vec<String> = (1..=5).flat_map(|n| [format!("aws-{n:03}"), format!("gcp-{n:03}")]).collect();
    world.commit("quarantine", [quarantine(&canaries.join(", "), mode)].into());
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let held =
        daemon.until("the hold", |s| addon(s).version == "0.4.1" && addon(s).phase == Phase::Held && s.writes == 0);
    let held = addon(&*held.await);
    let why = held.problem.clone().unwrap_or_default();
    assert!(why.contains("all clusters of mandatory group 0 (\"canary\") are in quarantine"), "{why}");
    let others = held.clusters.iter().filter(|(name, _)| !canaries.contains(&name.to_string()));
    assert!(
        others.clone().count() == 10 && others.into_iter().all(|(_, cluster)| cluster.state == ClusterState::Waiting)
    );
    // One canary is enough.
    world.commit("release one", [quarantine(&canaries[1..].join(", "), mode)].into());
    let is_done = |s: &Snapshot| addon(s).phase == Phase::Completed && addon(s).version == "0.4.1" && s.writes == 0;
    daemon.until("the end", is_done).await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn incident_d4_canaries_that_are_excluded_hold_all_others_back() {
    all_canaries_in_quarantine("Exclude").await;
}

#[tokio::test(start_paused = true)]
async fn incident_d4_canaries_that_are_ignored_hold_all_others_back() {
    all_canaries_in_quarantine("Ignore").await;
}

#[tokio::test(start_paused = true)]
async fn incident_d9_the_newest_group_is_back_before_the_others_go_back() {
    let world = World::settled(20).await;
    let policy = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  onFailure: {action: Rollback}\n";
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(policy.as_bytes().to_vec()))].into());
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 1m");
    world.edit(ADDON, "maxFailures: 2%", "maxFailures: 0");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    world.break_works_on("gcp-010");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the canaries are done", |s| addon(s).version == "0.4.1" && addon(s).counts().succeeded >= 10).await;
    daemon.until("the rejection", |s| addon(s).rejected.is_some()).await;
    world.slow_agents(std::time::Duration::from_secs(5));
    daemon.until_settled("0.4.0").await;
    world.until_sealed_of(NAME, 3).await;
    daemon.end().await;
    let sealed = world.read("tidegate/journal", "addons/hello-template/rollouts/3.yaml");
    let sealed: serde_json::Value = serde_saphyr::from_str(&sealed).unwrap();
    let mut times: BTreeMap<i64, Vec<(Timestamp, Timestamp)>> = BTreeMap::new();
    for cluster in sealed["clusters"].as_array().unwrap() {
        let time = |field: &str| cluster[field].as_str().and_then(|at| at.parse::<Timestamp>().ok());
        let Some(span) = time("started").zip(time("finished")) else { continue };
        times.entry(cluster["group"].as_i64().unwrap()).or_default().push(span);
    }
    let back = times[&1].iter().map(|(_, finished)| *finished).max().unwrap();
    let first = times[&0].iter().map(|(started, _)| *started).min().unwrap();
    assert!(first >= back, "group 1 is back at {back}, and the first canary starts at {first}");
}

#[tokio::test(start_paused = true)]
async fn incident_d10_a_quarantine_of_a_cluster_that_does_not_exist_is_refused() {
    let world = World::settled(20).await;
    let before = world.git(&["rev-parse", "main"]);
    let decide = |command: &str, cluster: &str| {
        let source = world.repository();
        let arguments =
            [command, NAME, "--clusters", cluster, "--reason", "disks", "--source", source.to_str().unwrap()];
        let output = crate::cli::tidegate(&arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for command in ["quarantine", "retry"] {
        let (code, said) = decide(command, "aws-0001");
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains("no add-on of the journal has a cluster \"aws-0001\"") && said.contains("aws-001"),
            "{said}"
        );
    }
    assert_eq!(world.git(&["rev-parse", "main"]), before);
    // Without the journal, it cannot be known.
    world.git(&["update-ref", "-d", "refs/heads/tidegate/journal"]);
    let (code, said) = decide("quarantine", "aws-0001");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("it is not known whether aws-0001 exists; `git fetch` brings the journal"), "{said}");
}
