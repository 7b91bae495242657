//! Rules of policies and control files: each is broken by hand.

use serde_json::{Value, json};

use super::scene::{Scene, addon, all_at_once, one_at_a_time};
use tidegate_api::key;
use tidegate_simulation::revision::{Pace, Policy};

const QUIET: [String; 0] = [];

/// Returns a scene in which four clusters are to get an add-on under a policy, and the current time is a Sunday noon.
fn scene(spec: Value) -> Scene {
    with(all_at_once(), "c1 c2 c3 c4", spec)
}

fn with(policy: Policy, groups: &str, spec: Value) -> Scene {
    let mut scene = Scene::new(policy, groups);
    scene.policy(spec);
    assert_eq!(scene.look(), QUIET);
    scene
}

/// Returns a scene with a control file.
fn controlled(about: &'static str, fields: Value) -> Scene {
    let mut scene = Scene::new(all_at_once(), "c1 c2 c3 c4");
    scene.control(about, fields);
    assert_eq!(scene.look(), QUIET);
    scene
}

fn started(cluster: &str, although: &str) -> String {
    format!("add-on hello was started on {cluster} although {although}")
}

#[test]
fn a_start_during_a_pause_is_a_violation() {
    for (about, file) in [("control/hello.yaml", "hello"), ("control/_fleet.yaml", "_fleet")] {
        let mut scene = controlled(about, json!({ "pause": { "reason": "incident" } }));
        scene.start("c1");
        assert_eq!(scene.look(), [started("c1", &format!("control/{file}.yaml paused it"))]);
    }
}

#[test]
fn a_start_around_a_pause_or_its_end_is_allowed() {
    let mut scene = Scene::new(all_at_once(), "c1 c2 c3");
    scene.start("c1");
    scene.control("control/hello.yaml", json!({ "pause": { "reason": "incident" } }));
    assert_eq!(scene.look(), QUIET, "it started before the pause");
    scene.revision.files.clear();
    scene.commit();
    scene.start("c2");
    assert_eq!(scene.look(), QUIET, "it started after the pause");
}

#[test]
fn a_start_with_an_aborted_digest_is_a_violation() {
    let scene = Scene::new(all_at_once(), "c1");
    let digest = scene.digest();
    let mut scene = controlled("control/hello.yaml", json!({ "abort": { "digest": digest, "reason": "broken" } }));
    scene.start("c1");
    assert_eq!(scene.look(), [started("c1", "control/hello.yaml aborted the rollout of its digest")]);
    let other = json!({ "abort": { "digest": "0123456789ab", "reason": "broken" } });
    let mut scene = controlled("control/hello.yaml", other);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_of_an_excluded_cluster_is_a_violation() {
    let quarantine = |mode: &str| json!({ "quarantine": [{ "clusters": ["c1"], "mode": mode, "reason": "disk" }] });
    let mut scene = controlled("control/_fleet.yaml", quarantine("Exclude"));
    scene.start("c1 c2");
    assert_eq!(scene.look(), [started("c1", "control/_fleet.yaml excludes the cluster")]);
    let mut scene = controlled("control/_fleet.yaml", quarantine("Ignore"));
    scene.start("c1 c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn clusters_in_quarantine_block_no_one_and_take_no_slot() {
    for mode in ["Exclude", "Ignore"] {
        let mut scene = Scene::new(Policy { canary_first: true, ..one_at_a_time() }, "canary: c1 c2 | c3 c4");
        let quarantine = json!({ "quarantine": [{ "clusters": ["c1"], "mode": mode, "reason": "disk" }] });
        scene.control("control/hello.yaml", quarantine);
        assert_eq!(scene.look(), QUIET);
        scene.start("c3");
        assert_eq!(scene.look().len(), 1, "c2 is a canary, too");
        scene.complete("c2 c3");
        assert_eq!(scene.look(), QUIET);
        scene.start("c4");
        assert_eq!(scene.look(), QUIET);
    }
}

#[test]
fn a_start_outside_of_all_windows_is_a_violation() {
    let window = |from: &str, to: &str, days: &[&str]| json!({ "windows": [{ "name": "w", "days": days, "timeZone": "Europe/Berlin", "from": from, "to": to }] });
    // It is 13:00 in Berlin.
    for closed in [window("13:01", "14:00", &[]), window("12:00", "13:00", &[]), window("12:00", "14:00", &["Mon-Sat"])]
    {
        let mut scene = scene(closed);
        scene.start("c1");
        assert_eq!(scene.look(), [started("c1", "no window of RolloutPolicy p was open")]);
    }
    for open in
        [window("13:00", "13:01", &["Sat-Mon"]), window("22:00", "13:01", &["Sat"]), window("09:00", "09:00", &[])]
    {
        let mut scene = scene(open);
        scene.start("c1");
        assert_eq!(scene.look(), QUIET);
    }
}

#[test]
fn a_start_after_a_window_opened_between_two_observations_is_allowed() {
    let mut scene = scene(json!({ "windows": [{ "name": "w", "from": "12:10", "to": "13:00" }] }));
    scene.pass(600);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(3_000);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look().len(), 1);
}

#[test]
fn a_start_during_a_freeze_is_a_violation() {
    let freeze = |from: &str, to: &str| json!({ "freezes": [{ "name": "f", "from": from, "to": to }] });
    for frozen in [freeze("2026-03-01", "2026-03-01"), freeze("2026-02-01T08:00", "2026-03-01T12:01")] {
        let mut scene = scene(frozen);
        scene.start("c1");
        assert_eq!(scene.look(), [started("c1", "freeze \"f\" of RolloutPolicy p was in force")]);
    }
    let mut scene = scene(freeze("2026-02-01", "2026-03-01T12:00"));
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn windows_and_freezes_are_for_the_clusters_of_their_policy() {
    let of = json!({ "matchLabels": { "region": "eu" } });
    let mut scene = scene(
        json!({ "selector": { "clusters": of }, "freezes": [{ "name": "f", "from": "2026-03-01", "to": "2026-03-01" }] }),
    );
    scene.label("c1", json!({ "region": "eu" }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2");
    assert_eq!(scene.look(), [started("c1", "freeze \"f\" of RolloutPolicy p was in force")]);
}

#[test]
fn a_start_beyond_a_limit_is_a_violation() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "label": "region", "maxClusters": 1 }] }));
    scene.label("c1", json!({ "region": "eu" }));
    scene.label("c2", json!({ "region": "eu" }));
    scene.label("c3", json!({ "region": "us" }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c3");
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    let although = "limit \"l\" of RolloutPolicy p allows only 1 cluster with region=eu under way: 2 are";
    assert_eq!(scene.look(), [started("c2", although)]);
    scene.complete("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c4");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_with_too_many_values_of_a_label_is_a_violation() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "label": "region", "maxValues": 1 }] }));
    scene.label("c1", json!({ "region": "eu" }));
    scene.label("c2", json!({ "region": "eu" }));
    scene.label("c3", json!({ "region": "us" }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    let although = "limit \"l\" of RolloutPolicy p allows only 1 value of region under way: eu, us are";
    assert_eq!(scene.look(), [started("c3", although)]);
}

#[test]
fn too_many_starts_within_a_minute_are_a_violation() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "startsPerMinute": 2 }] }));
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(59);
    assert_eq!(scene.look(), QUIET);
    scene.complete("c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    let although = "limit \"l\" of RolloutPolicy p allows only 2 starts within a minute: it was number 3";
    assert_eq!(scene.look(), [started("c3", although)]);
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.start("c4");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_whose_add_on_another_instance_has_taken_over_does_not_count() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "startsPerMinute": 1 }] }));
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    let labels = json!({ key::INSTANCE_LABEL: "fedcba9876543210" });
    scene.hub.patch(&addon("c1"), &json!({ "metadata": { "labels": labels } }));
    assert_eq!(scene.look(), QUIET);
    scene.complete("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_second_add_on_on_a_cluster_is_a_violation() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "maxAddOnsPerCluster": 1 }] }));
    scene.second();
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start_second("c1 c2");
    let although = "limit \"l\" of RolloutPolicy p allows only 1 add-on under way on a cluster, and so is hello";
    assert_eq!(scene.look(), [format!("add-on second was started on c1 although {although}")]);
}

#[test]
fn a_cluster_that_is_under_way_with_two_add_ons_counts_once() {
    let mut scene = scene(json!({ "limits": [{ "name": "l", "maxClusters": 1 }] }));
    scene.second();
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start_second("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start_second("c2");
    let although = "limit \"l\" of RolloutPolicy p allows only 1 cluster under way: 2 are";
    assert_eq!(scene.look(), [format!("add-on second was started on c2 although {although}")]);
}

#[test]
fn a_start_before_another_add_on_is_a_violation() {
    for (scope, on) in [("Cluster", "c2"), ("Fleet", "c2")] {
        let mut scene =
            scene(json!({ "selector": { "addOns": ["second"] }, "order": [{ "after": "hello", "scope": scope }] }));
        scene.second();
        assert_eq!(scene.look(), QUIET);
        scene.complete("c1");
        assert_eq!(scene.look(), QUIET);
        scene.start_second(if scope == "Cluster" { "c1 c2" } else { "c1" });
        let although = format!("RolloutPolicy p wants add-on hello done first, and on {on} it was not");
        let cluster = if scope == "Cluster" { "c2" } else { "c1" };
        assert_eq!(scene.look(), [format!("add-on second was started on {cluster} although {although}")]);
    }
}

#[test]
fn a_start_while_another_add_on_has_the_lock_is_a_violation() {
    let mut scene = scene(json!({ "locks": ["network"] }));
    scene.second();
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start_second("c2");
    let although = "add-on hello, which was under way on c1, had lock \"network\" of RolloutPolicy p";
    assert_eq!(scene.look(), [format!("add-on second was started on c2 although {although}")]);
    let mut scene = self::scene(json!({ "locks": ["network"] }));
    scene.second();
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start_second("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_of_a_parked_cluster_is_a_violation() {
    let mut scene = scene(json!({ "unreachable": { "action": "Park", "soak": "1m" } }));
    scene.reach("c1", false);
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    let parked = "RolloutPolicy p parks clusters that cannot be reached, such as this one";
    assert_eq!(scene.look(), [started("c1", parked)]);
    scene.reach("c2", false);
    assert_eq!(scene.look(), QUIET);
    scene.pass(10);
    scene.reach("c2", true);
    assert_eq!(scene.look(), QUIET);
    scene.pass(59);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    let returned = "RolloutPolicy p wants it to stay reachable until 2026-03-01T12:01:10Z";
    assert_eq!(scene.look(), [started("c2", returned)]);
}

#[test]
fn a_start_after_the_time_of_return_is_allowed() {
    let mut scene = scene(json!({ "unreachable": { "action": "Park", "soak": "1m" } }));
    scene.reach("c2", true);
    assert_eq!(scene.look(), QUIET);
    scene.pass(60);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_while_too_many_clusters_are_unreachable_is_a_violation() {
    let mut scene = scene(json!({ "unreachable": { "action": "Park", "maxShare": "25%" } }));
    scene.reach("c1", false);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
    scene.reach("c3", false);
    assert_eq!(scene.look(), QUIET);
    scene.start("c4");
    assert_eq!(scene.look(), [started("c4", "2 clusters could not be reached, and RolloutPolicy p parks at most 1")]);
}

#[test]
fn parked_clusters_take_no_slot_and_block_no_one() {
    let policy = Policy { canary_first: true, ..one_at_a_time() };
    let mut scene = with(policy, "canary: c1 c2 | c3", json!({ "unreachable": { "action": "Park" } }));
    scene.start("c1");
    scene.reach("c1", false);
    assert_eq!(scene.look(), QUIET);
    scene.complete("c2");
    assert_eq!(scene.look(), QUIET);
    scene.start("c3");
    assert_eq!(scene.look(), QUIET);
}

/// Returns a scene without c9 in which a rollout that holds latecomers was declared, and nothing has started.
fn holding_latecomers() -> Scene {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    scene.leave("c9");
    scene.policy(json!({ "membership": { "joining": "Hold" } }));
    assert_eq!(scene.look(), QUIET);
    scene.revision.version = 2;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene
}

#[test]
fn a_start_of_a_latecomer_is_a_violation_until_the_next_rollout() {
    let mut scene = holding_latecomers();
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
    scene.join("c9");
    scene.select("c1 c2 c9");
    assert_eq!(scene.look(), QUIET);
    scene.start("c9");
    let although = "it joined in the middle of the rollout, and RolloutPolicy p holds such clusters";
    assert_eq!(scene.look(), [started("c9", although)]);
    scene.revision.version = 3;
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c9");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_cluster_that_is_selected_before_the_first_start_is_not_late() {
    let mut scene = holding_latecomers();
    // Until now, the hub may have had the PlacementDecisions of an earlier revision.
    scene.join("c9");
    scene.select("c1 c2 c9");
    assert_eq!(scene.look(), QUIET);
    scene.start("c9");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_without_approval_is_a_violation() {
    let approvals = json!({ "approvals": [{ "name": "prod", "of": ["bob"], "before": ["1"], "count": 1 }] });
    let mut scene = with(Policy { pace: Pace::PerGroup, ..all_at_once() }, "c1 | c2", approvals);
    scene.complete("c1");
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    let although = "approval \"prod\" before group 1 of RolloutPolicy p was missing: 0 of 1";
    assert_eq!(scene.look(), [started("c2", although)]);
}

#[test]
fn approvals_open_gates_and_break_the_glass() {
    let approvals = json!({
        "approvals": [{ "name": "prod", "of": ["bob"] }],
        "breakGlass": { "name": "glass", "of": ["bob"] },
        "freezes": [{ "name": "f", "from": "2026-03-01", "to": "2026-03-01" }],
    });
    let mut scene = scene(approvals);
    scene.approve("bob", false);
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), [started("c1", "freeze \"f\" of RolloutPolicy p was in force")]);
    scene.approve("bob", true);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_rollout_that_continues_starts_clusters_whatever_fails() {
    let policy = Policy { deadline: Some(60), canary_first: true, ..one_at_a_time() };
    let mut scene = with(policy, "canary: c1 | c2", json!({ "onFailure": { "action": "Continue" } }));
    scene.start("c1");
    scene.pass(60);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_cluster_that_starts_again_is_judged_like_any_other() {
    let mut scene = Scene::new(one_at_a_time(), "c1 c2 c3");
    scene.start("c1");
    scene.fail("c1");
    assert_eq!(scene.look(), QUIET);
    scene.pass(10);
    let retry = json!({ "retry": { "digest": scene.digest(), "at": "2026-03-01T12:00:05Z", "reason": "fixed" } });
    scene.control("control/hello.yaml", retry.clone());
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET, "c1 waits until it starts again");
    scene.start("c1");
    assert_eq!(scene.look().len(), 1, "c2 takes the slot");
    let mut paused = retry;
    paused["pause"] = json!({ "reason": "incident" });
    scene.fail("c1");
    scene.pass(10);
    paused["retry"]["at"] = json!("2026-03-01T12:00:15Z");
    scene.control("control/hello.yaml", paused);
    assert_eq!(scene.look(), QUIET);
    scene.complete("c2");
    scene.start("c1");
    assert_eq!(scene.look(), [started("c1", "control/hello.yaml paused it")], "c2 is done before and after");
}

#[test]
fn policies_before_a_change_judge_it_until_all_clusters_have_it() {
    let mut scene = Scene::new(all_at_once(), "c1 c2");
    let freeze = json!({ "freezes": [{ "name": "f", "from": "2026-03-01", "to": "2026-03-01" }] });
    scene.policies_before(freeze);
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), [started("c1", "freeze \"f\" of RolloutPolicy p before the change was in force")]);
    let digest = scene.digest().parse().unwrap();
    scene.last_good.insert("hello".parse().unwrap(), digest);
    assert_eq!(scene.look(), QUIET);
    scene.start("c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn compat_is_not_judged_by_policies() {
    let mut scene = controlled("control/hello.yaml", json!({ "pause": { "reason": "incident" } }));
    scene.revision.settings = "[rollout]\nsemantics = 'compat'\n";
    scene.commit();
    assert_eq!(scene.look(), QUIET);
    scene.start("c1");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_that_a_limit_is_not_about_may_come_last() {
    let limits = json!([{ "name": "l", "label": "region", "maxValues": 1, "startsPerMinute": 1 }]);
    let spec = json!({ "selector": { "groups": ["canary"] }, "limits": limits });
    let mut scene = with(all_at_once(), "canary: c1 | c2", spec);
    scene.label("c1", json!({ "region": "eu" }));
    scene.label("c2", json!({ "region": "us" }));
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2");
    assert_eq!(scene.look(), QUIET);
}

#[test]
fn a_start_that_a_limit_is_not_about_may_come_first_and_open_its_value() {
    let limits = json!([{ "name": "l", "label": "region", "maxValues": 1 }]);
    let spec = json!({ "selector": { "groups": ["canary"] }, "limits": limits });
    let mut scene = with(all_at_once(), "canary: c1 c2 | c3 c4", spec);
    for (cluster, region) in [("c1", "eu"), ("c2", "us"), ("c3", "eu"), ("c4", "us")] {
        scene.label(cluster, json!({ "region": region }));
    }
    assert_eq!(scene.look(), QUIET);
    scene.start("c1 c2 c3 c4");
    assert_eq!(scene.look(), QUIET, "c3 and c4 may have started first");
}
