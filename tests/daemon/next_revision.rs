//! A revision that changes the rules, and the revision after it.

use std::time::Duration;

use tidegate_daemon::reconciler::Snapshot;

use super::world::{World, eventually};

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";
const POLICY: &str = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: safety}\nspec:\n  \
                      selector: {addOns: [hello-template]}\n  onFailure: {action: Rollback}\n";

/// Returns `true` if clusters wait for the end of the freeze.
fn is_frozen(snapshot: &Snapshot) -> bool {
    let addon = snapshot.report.addons.get("hello-template");
    let mut clusters = addon.into_iter().flat_map(|addon| addon.clusters.values());
    clusters.any(|cluster| cluster.reason.contains("freeze \"holidays\""))
}

#[tokio::test(start_paused = true)]
async fn the_next_revision_is_judged_by_rules_that_a_tick_has_found_in_force() {
    let world = World::settled(11).await;
    let rules = world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(POLICY.as_bytes().to_vec()))].into());
    // The daemon has read the policy, but no tick has seen it yet when the upgrade arrives.
    let mut daemon = world.daemon("mirror.git").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;

    let sync = world.read("tidegate/journal", "sync.yaml");
    let sync: serde_json::Value = serde_saphyr::from_str(&sync).unwrap();
    let change = &sync["changes"]["hello-template"][0];
    let judges = [&change["base"], &change["rules"], &change["seen"]];
    assert_eq!(judges[0], rules.as_str(), "{change:#}");
    assert!(judges[1].is_null() && judges[2].is_null(), "{change:#}");
}

#[tokio::test(start_paused = true)]
async fn revisions_are_followed_while_the_hub_is_away_although_no_tick_decides_about_their_rules() {
    let world = World::settled(11).await;
    let (hub, gate) = world.gated();
    let mut daemon = world.daemon_on("mirror.git", hub).await;
    daemon.until_settled("0.4.0").await;
    gate.close();
    eventually("the hub is away", async || daemon.metric("tidegate_away_since_timestamp_seconds") > 0.0).await;
    let followed = || std::fs::read_to_string(world.path("mirror.git").join("followed")).unwrap_or_default();
    let rules = world.commit("policy", [("fleet/policy.yaml".to_owned(), Some(POLICY.as_bytes().to_vec()))].into());
    eventually("the rules are followed", async || followed().contains(rules.as_str())).await;
    let next = world.commit("no policy", [("fleet/policy.yaml".to_owned(), None)].into());
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(followed().contains(rules.as_str()), "the next revision waits for a decision about the rules");
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(followed().contains(next.as_str()), "it waits for a minute");
    gate.open();
    daemon.until_settled("0.4.0").await;
    daemon.end().await;
}

#[tokio::test(start_paused = true)]
async fn incident_d12_an_upgrade_that_a_lifted_freeze_holds_starts_after_it_was_reverted_and_pushed_again() {
    let freeze = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: freeze}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  freezes: [{name: holidays, from: 2026-12-20, to: 2027-01-06}]\n";
    let world = World::settled(11).await;
    let rules = |text: Option<&str>| {
        let file = ("fleet/freeze.yaml".to_owned(), text.map(|text| text.as_bytes().to_vec()));
        world.commit("freeze", [file].into())
    };
    rules(Some(freeze));
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until("the freeze", is_frozen).await;
    let lifted = rules(None);
    let is_lifted = |s: &Snapshot| s.facts.revision.seen.as_ref().is_some_and(|seen| seen.commit == lifted);
    let seen = daemon.until("the freeze is lifted", is_lifted).await;
    assert!(is_frozen(&seen), "the upgrade came during the freeze");
    world.edit(ADDON, "hello-template-0.4.1", "hello-template-0.4.0");
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    daemon.until_settled("0.4.1").await;
    daemon.end().await;
}

/// Bob overrides the freeze.
#[tokio::test(start_paused = true)]
async fn first_use_a13_an_override_is_journaled_and_reported_as_one() {
    let freeze = "apiVersion: tidegate.io/v1alpha1\nkind: RolloutPolicy\nmetadata: {name: freeze}\nspec:\n  \
                  selector: {addOns: [hello-template]}\n  freezes: [{name: holidays, from: 2026-12-20, to: 2027-01-06}]\n  \
                  breakGlass: {name: incident, of: [bob@example.com]}\n";
    let world = World::settled(11).await;
    world.commit("freeze", [("fleet/freeze.yaml".to_owned(), Some(freeze.as_bytes().to_vec()))].into());
    let mut daemon = world.daemon_with(world.client(), world.config_with_bob("mirror.git")).await;
    daemon.until_settled("0.4.0").await;
    world.edit(ADDON, "hello-template-0.4.0", "hello-template-0.4.1");
    let seen = daemon.until("the freeze", is_frozen).await;
    let digest = seen.report.addons["hello-template"].digest.clone().unwrap();
    world.approve(&"hello-template".parse().unwrap(), &digest, true);
    daemon.until("the override", |s| !s.report.overrides.is_empty() && s.report.notices.is_empty()).await;
    world.until_journal("sync.yaml", "overrides:\n- \"BREAK GLASS: bob@example.com (an incident) overrode").await;
    assert_eq!(daemon.metric("tidegate_brakes_held"), 0.0);
    daemon.until_settled("0.4.1").await;
    let events = super::events::events(&world).await;
    assert_eq!(events.iter().filter(|event| event["reason"] == "GatesOverridden").count(), 1, "{events:#?}");
    assert!(events.iter().all(|event| event["reason"] != "BrakeHeld"), "{events:#?}");
    world.until_sealed_of("hello-template", 2).await;
    daemon.end().await;
    // The record of the rollout and its history have the override, too: who, why, and in which commit.
    let sealed = world.read("tidegate/journal", "addons/hello-template/rollouts/2.yaml");
    assert!(sealed.contains("overrode:") && sealed.contains("bob@example.com"), "{sealed}");
    let text = super::decisions::history(&world, &["hello-template"]);
    let json = super::decisions::history(&world, &["hello-template", "-o", "json"]);
    for said in [text, json] {
        assert!(said.contains("bob@example.com") && said.contains("an incident"), "{said}");
    }
}
