//! Policies as code: an add-on that breaks one stays on its last good revision, also after a restart, until a later revision obeys.

use std::collections::BTreeMap;

use tidegate_daemon::reconciler::source::{Floor, Policy, Rewrites};
use tidegate_daemon::reconciler::{Config, Snapshot};
use tidegate_model::tree::Tree;
use tidegate_repository::plan_policies;

use super::world::World;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const POLICY: &str = "policies/a.yaml";

/// Returns a policy with a rule.
fn policy(rule: &str) -> String {
    format!(
        "apiVersion: tidegate.io/v1alpha1\nkind: PlanPolicy\nmetadata: {{name: careful}}\nspec:\n  rule: |\n    {rule}\n  message: not this way\n  \
         remedy: do it in steps\n"
    )
}

/// Creates a world whose repository has a policy from the start.
fn world(rule: &str) -> World {
    let world = World::new(20);
    world.commit("a policy", [(POLICY.to_owned(), Some(policy(rule).into_bytes()))].into());
    world
}

fn upgraded(world: &World) -> BTreeMap<String, Option<Vec<u8>>> {
    let text = world.read("main", ADDON).replace("hello-template-0.4.0", "hello-template-0.4.1");
    [(ADDON.to_owned(), Some(text.into_bytes()))].into()
}

/// Returns `true` if the upgrade is held because of the policy.
fn is_held(snapshot: &Snapshot) -> bool {
    let addon = snapshot.report.addons.get("hello-template");
    let problem = addon.and_then(|addon| addon.problem.clone()).unwrap_or_default();
    problem.contains("policy careful: not this way; do it in steps")
        && addon.is_some_and(|addon| addon.version == "0.4.0")
}

#[tokio::test(start_paused = true)]
async fn a_broken_policy_holds_an_add_on_across_a_restart_until_the_next_change_obeys() {
    // The rule reads the fleet: the upgrade changes all 20 clusters.
    let world = world("addon.updated <= 5");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.until_sealed(1).await;

    // The change removes the policy that it breaks, which is of no use: the rules before the change judge it.
    let mut change = upgraded(&world);
    change.insert(POLICY.to_owned(), None);
    let broken = world.commit("upgrade without the policy", change);
    let held = daemon.until("the upgrade is held", is_held).await;
    let policies = held.facts.revision.policies.clone();
    assert_eq!((policies.judged.as_ref(), policies.next.as_ref()), (Some(&broken), Some(&broken)));
    assert_ne!(held.facts.revision.applied, Some(broken.clone()));
    let complaint = held.facts.revision.complaints.join("\n");
    assert!(complaint.starts_with("fleet/addons/hello-template/addon.yaml:2:1: policy careful: "), "{complaint}");
    assert!(complaint.ends_with("(the rule is at policies/a.yaml:6:5)"), "{complaint}");
    world.until_journal("sync.yaml", "policy: careful").await;
    daemon.kill().await;

    let mut daemon = world.daemon("other.git").await;
    let held = daemon.until("the upgrade is still held", is_held).await;
    assert_eq!(held.facts.revision.policies, policies, "the decision is the journaled one");
    world.commit("something else", [("NOTES.md".to_owned(), Some(b"Monday".to_vec()))].into());
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_is_not_proven_cannot_release_an_add_on() {
    let world = world("addon.updated <= 5");
    let policy = || Policy { rewrites: Rewrites::Refuse, ..Policy::default() };
    let config = |mirror: &str| Config { policy: policy(), ..world.config(mirror) };
    let mut daemon = world.daemon_with(world.client(), config("mirror.git")).await;
    daemon.until_settled("0.4.0").await;
    world.commit("upgrade", upgraded(&world));
    daemon.until("the upgrade is held", is_held).await;
    world.until_journal("sync.yaml", "policy: careful").await;
    daemon.end().await;

    // Someone who may push to the journal writes that the revision breaks nothing.
    let sync = world.read("tidegate/journal", "sync.yaml");
    let mut forged: serde_json::Value = serde_saphyr::from_str(&sync).unwrap();
    forged["policies"]["broken"] = serde_json::json!([]);
    let forged = serde_saphyr::to_string(&forged).unwrap();
    world.commit_to("tidegate/journal", "forged", [("sync.yaml".to_owned(), Some(forged.into_bytes()))].into());
    let mut daemon = world.daemon_with(world.client(), config("other.git")).await;
    daemon.until("the upgrade is judged again", is_held).await;
    daemon.end_unproven().await;
}

#[tokio::test(start_paused = true)]
async fn a_reverted_change_is_no_longer_held() {
    let world = world("addon.headVersion != '0.4.1'");
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.commit("upgrade", upgraded(&world));
    daemon.until("the upgrade is held", is_held).await;
    let reverted = world.edit(ADDON, "hello-template-0.4.1", "hello-template-0.4.0");
    let is_applied = |snapshot: &Snapshot| snapshot.facts.revision.applied == Some(reverted.clone());
    let snapshot = daemon.until("the revert is applied", is_applied).await;
    assert_eq!((snapshot.facts.revision.complaints.len(), snapshot.facts.revision.policies.broken.len()), (0, 0));
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn a_repository_cannot_relax_the_policies_of_the_daemon() {
    let world = World::settled(20).await;
    let config = |mirror: &str| Config { floor: floor("addon.updated <= 5"), ..world.config(mirror) };
    let mut daemon = world.daemon_with(world.client(), config("mirror.git")).await;
    daemon.until_settled("0.4.0").await;
    let mut change = upgraded(&world);
    change.insert(POLICY.to_owned(), Some(policy("true").into_bytes()));
    world.commit("upgrade", change);
    daemon.until("the upgrade is held", is_held).await;
    world.commit("something else", [("NOTES.md".to_owned(), Some(b"again".to_vec()))].into());
    let is_judged_again = |snapshot: &Snapshot| {
        is_held(snapshot) && snapshot.facts.revision.seen.as_ref().is_some_and(|seen| seen.subject == "something else")
    };
    daemon.until("the next revision is held, too", is_judged_again).await;
    daemon.end().await;
}

fn floor(rule: &str) -> Floor {
    let files = [("floor.yaml".to_owned(), policy(rule).into_bytes())].into();
    Floor { policies: plan_policies(&Tree { files, ..Tree::default() }, "").0, ..Floor::default() }
}
