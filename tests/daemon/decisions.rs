//! What the history says of decisions: who made them, why, and with which evidence.

use tidegate::reconciler::Snapshot;
use tidegate_core::plan::report::AddonReport;

use super::world::{Running, World};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const ROLLBACK: &str = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec:\n  \
                        selector: {addOns: [hello-template]}\n  onFailure: {action: Rollback}\n";

/// Returns what `tidegate history` prints about the add-on.
pub(super) fn history(world: &World, arguments: &[&str]) -> String {
    let source = world.repository();
    let output = crate::cli::tidegate(&[&["history", "--source", source.to_str().unwrap()], arguments].concat());
    String::from_utf8(output.stdout).unwrap()
}

/// Starts a rollout of a version that fails on every cluster, with a policy that takes it back.
async fn failing() -> (World, Running) {
    let world = World::settled(20).await;
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(ROLLBACK.as_bytes().to_vec()))].into());
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 20s");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    (world, daemon)
}

#[tokio::test(start_paused = true)]
async fn first_use_a8_an_automatic_rollback_is_recorded_as_such() {
    let (world, mut daemon) = failing().await;
    let addon = |s: &Snapshot| -> Option<AddonReport> { s.report.addons.get("hello-template").cloned() };
    daemon.until("the rejection", |s| addon(s).is_some_and(|addon| addon.rejected.is_some())).await;
    world.heal_works();
    daemon.until_settled("0.4.0").await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;

    let failed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    assert!(failed.contains("- rejected:") && failed.contains("policy: RolloutPolicy safety"), "{failed}");
    let back = world.read("tidegate/journal", "addons/hello-template/rollouts/3.yaml");
    assert!(back.contains("- tookBack:") && back.contains("policy: RolloutPolicy safety"), "{back}");

    let table = history(&world, &[]);
    let rollback = table.lines().find(|line| line.contains("back to 0.4.0")).unwrap();
    assert!(rollback.trim_end().ends_with("RolloutPolicy sa…"), "{table}");
    let details = history(&world, &["hello-template"]);
    assert!(details.contains("rejected  digest ") && details.contains(" by RolloutPolicy safety: "), "{details}");
    assert!(details.contains("by        RolloutPolicy safety, which took back digest "), "{details}");
}

#[tokio::test(start_paused = true)]
async fn first_use_a9_the_plan_after_a_rollback_starts_from_what_the_clusters_have() {
    let (world, mut daemon) = failing().await;
    let is_back = |s: &Snapshot| {
        let addon = s.report.addons.get("hello-template");
        addon
            .is_some_and(|addon| addon.rejected.is_some() && addon.version == "0.4.0" && addon.counts().succeeded == 20)
    };
    daemon.until("the rollback", is_back).await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;
    let plan = |branch: &str, text: String| -> serde_json::Value {
        world.git(&["branch", branch, "main"]);
        world.commit_to(branch, branch, [(ADDON.to_owned(), Some(text.into_bytes()))].into());
        let source = world.repository();
        let arguments = ["plan", "--source", source.to_str().unwrap(), "--head", branch, "-o", "json"];
        serde_json::from_slice(&crate::cli::tidegate(&arguments).stdout).unwrap()
    };
    let main = world.read("main", ADDON);
    // Back to what the clusters have: nothing changes for them.
    let reverted = plan("revert", main.replace("hello-template-0.4.1", "hello-template-0.4.0"));
    assert_eq!(reverted["result"], "Nothing", "{reverted:#}");
    // The rejected version again: it stays rejected.
    let again = plan("again", format!("{main}# again\n"));
    assert_eq!(again["result"], "Nothing", "{again:#}");
}

#[tokio::test(start_paused = true)]
async fn first_use_a4_the_fleet_is_recorded_when_a_rollout_ends() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    let fleet = world.read("tidegate/journal", "fleet.yaml");
    assert!(fleet.contains("\"name\": \"hello-template-0.4.1\", \"hash\""), "{fleet}");
    assert!(!fleet.contains("\"name\": \"hello-template-0.4.0\", \"hash\""), "{fleet}");
    let source = world.repository();
    let shown = crate::cli::tidegate(&["fleet", "--source", source.to_str().unwrap()]);
    let said = String::from_utf8(shown.stderr).unwrap();
    assert!(said.contains("the fleet is as of 2027-01-01T13:0"), "{said}");
}
