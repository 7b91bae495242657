//! What the history says of decisions: who made them, why, and with which evidence.

use tidegate::reconciler::Snapshot;
use tidegate_core::plan::report::AddonReport;

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const ROLLBACK: &str = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec:\n  \
                        selector: {addOns: [hello-template]}\n  onFailure: {action: Rollback}\n";

/// Returns what `tidegate history` prints about the add-on.
pub(super) fn history(world: &World, arguments: &[&str]) -> String {
    let source = world.repository();
    let output = crate::cli::tidegate(&[&["history", "--source", source.to_str().unwrap()], arguments].concat());
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(start_paused = true)]
async fn first_use_a8_an_automatic_rollback_is_recorded_as_such() {
    let world = World::settled(20).await;
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(ROLLBACK.as_bytes().to_vec()))].into());
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 20s");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
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
