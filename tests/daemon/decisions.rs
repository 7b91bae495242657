//! What the history says of decisions: who made them, why, and with which evidence.

use std::time::Duration;

use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_journal::record::SealedRollout;
use tidegate_model::progress::ClusterState;
use tidegate_plan::report::AddonReport;

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
    failing_with(|config| config).await
}

async fn failing_with(change: impl FnOnce(Config) -> Config) -> (World, Running) {
    let world = World::settled(20).await;
    world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(ROLLBACK.as_bytes().to_vec()))].into());
    world.edit(ADDON, "progressDeadline: 10m", "progressDeadline: 20s");
    let mut daemon = world.daemon_with(world.client(), change(world.config("mirror.git"))).await;
    daemon.until("a tick", |s| s.tick > 0 && s.writes == 0).await;
    world.break_works_with("v0.4.1");
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    (world, daemon)
}

#[tokio::test(start_paused = true)]
async fn first_use_a8_an_automatic_rollback_is_recorded_as_such() {
    let (world, mut daemon) = failing().await;
    let addon = |s: &Snapshot| -> Option<AddonReport> { s.report.addon("hello-template").cloned() };
    daemon.until("the rejection", |s| addon(s).is_some_and(|addon| addon.rejected.is_some())).await;
    world.heal_works();
    daemon.until_settled("0.4.0").await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;

    let failed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    assert!(failed.contains("- rejected:") && failed.contains("policy: RolloutPolicy safety"), "{failed}");
    assert!(failed.contains("aws-001, aws-002, aws-003 and 7 more: "), "equal reasons are one: {failed}");
    let back = world.read("tidegate/journal", "addons/hello-template/rollouts/3.yaml");
    assert!(back.contains("- tookBack:") && back.contains("policy: RolloutPolicy safety"), "{back}");

    let table = history(&world, &[]);
    let rollback = table.lines().find(|line| line.contains("back to 0.4.0")).unwrap();
    assert!(rollback.contains("RolloutPolicy"), "{table}");
    assert!(table.lines().any(|line| line.contains("Superseded") && line.contains("0/20, 10 ✗")), "{table}");
    let details = history(&world, &["hello-template"]);
    assert!(details.contains(", for the same reason"), "{details}");
    assert!(details.contains("rejected  digest ") && details.contains(" by RolloutPolicy safety: "), "{details}");
    assert!(details.contains("by        RolloutPolicy safety, which took back digest "), "{details}");
}

#[tokio::test(start_paused = true)]
async fn the_history_has_every_decision_with_who_and_why() {
    let world = World::settled(20).await;
    let control = |kind: &str| format!("apiVersion: tidegate.io/v1alpha1\nkind: Control\n{kind}");
    let files = [
        ("control/hello-template.yaml", Some(control("pause: {reason: the cache is cold}\n"))),
        (
            "control/hello-template.yaml",
            Some(control("quarantine: [{clusters: [aws-001, aws-002], mode: Exclude, reason: broken disks}]\n")),
        ),
        ("control/_fleet.yaml", Some(control("pause: {reason: the audit}\n"))),
        ("control/hello-template.yaml", Some(control("quarantine: [{clusters: [aws-002], reason: one disk}]\n"))),
        ("control/hello-template.yaml", None),
    ];
    for (path, text) in files {
        world.commit("a decision", [(path.to_owned(), text.map(String::into_bytes))].into());
    }
    let said = history(&world, &["hello-template"]);
    let decisions: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(_, rest)| rest.contains("Ada"))
        .map(|(_, rest)| rest)
        .collect();
    insta::assert_snapshot!("decisions", decisions.join("\n"));
    let other = history(&world, &["managed-serviceaccount"]);
    assert!(other.contains("all add-ons: Ada") && !other.contains("broken disks"), "{other}");
}

/// The failure and the rollback fall between two regular entries of the journal.
#[tokio::test(start_paused = true)]
async fn first_use_a8_what_failed_is_sealed_although_it_was_taken_back_at_once() {
    let slow = |config| Config { journal_interval: Duration::from_secs(15), ..config };
    let (world, mut daemon) = failing_with(slow).await;
    let is_rejected =
        |s: &Snapshot| s.report.addons.get("hello-template").is_some_and(|addon| addon.rejected.is_some());
    daemon.until("the rejection", is_rejected).await;
    world.heal_works();
    daemon.until_settled("0.4.0").await;
    world.until_sealed_of("hello-template", 3).await;
    daemon.end().await;
    let failed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    let sealed: SealedRollout = serde_saphyr::from_str(&failed).unwrap();
    let states = sealed.clusters.iter().filter(|cluster| cluster.state == ClusterState::TimedOut).count();
    assert_eq!(states, 10, "{failed}");
    assert!(sealed.problem.is_some(), "{failed}");
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
    let plan = |branch: &str, text: String| plan_of(&world, branch, text);
    let main = world.read("main", ADDON);
    // Back to what the clusters have: nothing changes for them.
    let reverted = plan("revert", main.replace("hello-template-0.4.1", "hello-template-0.4.0"));
    assert_eq!(reverted["result"], "Nothing", "{reverted:#}");
    // The rejected version again: it stays rejected.
    let again = plan("again", format!("{main}# again\n"));
    assert_eq!(again["result"], "Nothing", "{again:#}");
}

/// The policy judges by what the clusters have.
#[tokio::test(start_paused = true)]
async fn first_use_a9_a_commit_back_to_what_the_clusters_have_is_no_downgrade() {
    let (world, mut daemon) = failing().await;
    let is_back = |s: &Snapshot| {
        let addon = s.report.addons.get("hello-template");
        addon.is_some_and(|addon| addon.rejected.is_some() && addon.version == "0.4.0")
    };
    daemon.until("the rollback", is_back).await;
    let policy = include_str!("../../policies/library/no-downgrade.yaml");
    world.commit("policy", [("policies/no-downgrade.yaml".to_owned(), Some(policy.into()))].into());
    let follows = async |daemon: &mut Running, commit: String| {
        let is_followed =
            |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit.as_str() == commit);
        daemon.until("the commit is followed", is_followed).await
    };
    follows(&mut daemon, world.git(&["rev-parse", "main"]).trim().to_owned()).await;
    world.edit(ADDON, "hello-template-0.4.1", "hello-template-0.4.0");
    let seen = follows(&mut daemon, world.git(&["rev-parse", "main"]).trim().to_owned()).await;
    assert_eq!(seen.facts.revision.policies.broken, []);
    // From there, a real downgrade is one.
    daemon.until("the rejection is over", |s| s.report.addons["hello-template"].rejected.is_none()).await;
    daemon.end().await;
}

/// Returns the plan of a declaration of the add-on, which is pushed to a new branch.
fn plan_of(world: &World, branch: &str, text: String) -> serde_json::Value {
    world.git(&["branch", branch, "main"]);
    world.commit_to(branch, branch, [(ADDON.to_owned(), Some(text.into_bytes()))].into());
    let source = world.repository();
    let arguments = ["plan", "--source", source.to_str().unwrap(), "--head", branch, "-o", "json"];
    serde_json::from_slice(&crate::cli::tidegate(&arguments).stdout).unwrap()
}

/// Returns how many clusters a plan changes, how many start, and how many it leaves as they are.
fn counts(plan: &serde_json::Value) -> (u64, u64, u64) {
    let addon = &plan["addons"][0];
    let waves = addon["waves"].as_array().unwrap().iter().map(|wave| wave["clusters"].as_u64().unwrap());
    (plan["clusters"].as_u64().unwrap(), waves.sum(), addon["unchanged"].as_u64().unwrap())
}

#[tokio::test(start_paused = true)]
async fn incident_d9b_the_plan_leaves_clusters_in_quarantine_out() {
    let world = World::settled(20).await;
    let control = "apiVersion: tidegate.io/v1alpha1\nkind: Control\nquarantine:\n\
                   - {clusters: [aws-001, gcp-007], mode: Exclude, reason: disks}\n\
                   - {clusters: [aws-002], mode: Ignore, reason: slow}\n";
    world.commit("control", [("control/hello-template.yaml".to_owned(), Some(control.as_bytes().to_vec()))].into());
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let main = world.read("main", ADDON);
    let plan = plan_of(&world, "next", main.replace("hello-template-0.4.0", "hello-template-0.4.1"));
    assert_eq!(counts(&plan), (18, 18, 2), "{plan:#}");
    let notices = plan["notices"].to_string();
    assert!(
        notices.contains("hello-template: 2 clusters in quarantine (aws-001, gcp-007) get nothing new"),
        "{notices}"
    );
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let is_done = |s: &Snapshot| {
        let clusters = s.report.addons.get("hello-template").into_iter().flat_map(|addon| addon.clusters.values());
        s.writes == 0 && clusters.filter(|cluster| cluster.version == "0.4.1").count() == 18
    };
    daemon.until("18 clusters are upgraded", is_done).await;
    daemon.end().await;
}

/// The canaries have the new version, and the others wait.
#[tokio::test(start_paused = true)]
async fn incident_d9b_the_plan_in_the_middle_of_a_rollout_counts_the_clusters_that_change() {
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let deadline = "            progressDeadline: 10m\n";
    let text = world.read("main", ADDON).replace("hello-template-0.4.0", "hello-template-0.4.1");
    let text = text.replace(deadline, &format!("{deadline}            minSuccessTime: 24h\n"));
    world.commit("upgrade", [(ADDON.to_owned(), Some(text.into_bytes()))].into());
    let soaks = |s: &Snapshot| {
        let clusters = s.report.addons.get("hello-template").into_iter().flat_map(|addon| addon.clusters.values());
        clusters.filter(|cluster| cluster.state == ClusterState::Soaking).count() == 10
    };
    daemon.until("the canaries soak", soaks).await;
    world.until_journal("addons/hello-template/clusters.yaml", "state: Soaking").await;
    daemon.kill().await;

    let main = world.read("main", ADDON);
    let plan = |version: &str| {
        let text = main.replace("hello-template-0.4.1", &format!("hello-template-{version}"));
        counts(&plan_of(&world, version, text))
    };
    assert_eq!(plan("0.4.0"), (10, 10, 10), "only the canaries go back");
    let template = "fleet/addons/hello-template/template-0.4.1.yaml";
    let text = world.read("main", template).replace("0.4.1", "0.4.2");
    world.commit("version", [(template.replace("0.4.1", "0.4.2"), Some(text.into_bytes()))].into());
    assert_eq!(plan("0.4.2"), (20, 20, 0), "all clusters get another version");
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
